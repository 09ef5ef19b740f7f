// SPDX-License-Identifier: Apache-2.0
// What is trained: a model by name, with its parameters and running statistics, on one device, for N servers.
//
//     mlp        images or plain vectors; for tests
//     resnet18   He et al. 2016 with the stem for 32×32 images (3×3, no pooling)
//     resnet50   the same with bottlenecks, 3-4-6-3
//     llama      decoder of Touvron et al. 2023: RMSNorm, rotary embeddings, SwiGLU, causal attention
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "train/models/server_ops.h"

namespace helio::train {

struct ModelSpec {
  std::string name = "resnet18";
  std::int64_t classes = 10;             // of images; the vocabulary of a language model
  std::int64_t channels = 3, side = 32;  // of images
  std::int64_t width =
      0;  // mlp: of hidden layers (0: 256); resnet: channels of the first stage (64); llama: of a token (768)
  std::int64_t layers = 0;     // mlp: hidden layers (0: 2); llama: blocks (12)
  std::int64_t heads = 0;      // llama (0: 12)
  std::int64_t context = 256;  // llama: the most tokens of a sequence

  // With the defaults of its name in place of zeros. Throws Error(kInput) for an unknown name (with the nearest) and for sizes that
  // make no model.
  ModelSpec resolved() const;
  // What the model of this name reads, defaults filled in: for checkpoints and metrics.
  nlohmann::json words() const;
};

class Model {
 public:
  virtual ~Model() = default;

  // Scores of every example, [examples, classes], in the model's precision. Images: [N·b, C, S, S], normalised by the caller, in the
  // model's precision; tokens: [N·b, T], long, scores [N·b·T, classes].
  // Training is differentiable, and backward writes the gradients of every parameter; b is the same for every server. Evaluation takes
  // any number of examples and is not recorded.
  at::Tensor scores(const at::Tensor& inputs, Pass pass);

  Parameters& parameters() { return *parameters_; }
  std::vector<Statistics>& statistics() { return statistics_; }
  at::ScalarType precision() const { return precision_; }
  bool reads_tokens() const { return reads_tokens_; }

 protected:
  Model(at::ScalarType precision, bool reads_tokens) : precision_(precision), reads_tokens_(reads_tokens) {}

  std::unique_ptr<Parameters> parameters_;
  std::vector<Statistics> statistics_;  // one for each batch norm

 private:
  virtual at::Tensor forward(const at::Tensor& inputs, Pass pass) = 0;

  at::ScalarType precision_;
  bool reads_tokens_;
};

// Throws what ModelSpec::resolved throws. On CUDA, libtorch is asked for kernels whose sums have a fixed order, for the whole process.
std::unique_ptr<Model> make_model(const ModelSpec& spec, int servers, const at::Device& device,
                                  at::ScalarType precision, std::uint64_t seed);

}  // namespace helio::train
