// SPDX-License-Identifier: Apache-2.0
#include "train/models/llama.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "train/models/token_ops.h"
#include "train/training_memory.h"

namespace helio::train {
namespace {

constexpr double kStart = 0.02;

// A block's parameters, in their order; the embedding stands before all blocks, the last norm and the head after them.
enum : std::size_t { kAttentionNorm, kQkv, kOut, kHiddenNorm, kGateUp, kDown, kPerBlock };
constexpr std::size_t kEmbedding = 0, kFirstBlock = 1;

class Llama : public Model {
 public:
  Llama(const ModelSpec& spec, int servers, const at::Device& device, at::ScalarType precision, std::uint64_t seed)
      : Model(precision, true), spec_(spec), rotation_(spec.context, spec.width / spec.heads, device, precision) {
    const std::int64_t width = spec.width, hidden = (8 * width + 191) / 192 * 64;
    const double added = kStart / std::sqrt(2.0 * static_cast<double>(spec.layers));
    std::vector<ParameterSpec> parameters = {{"embedding", {spec.classes, width}, 0, kStart}};
    for (std::int64_t i = 0; i < spec.layers; ++i) {
      const auto name = [i](const char* part) { return fmt::format("block{}.{}", i, part); };
      parameters.push_back({name("attention_norm"), {width}, 1, 0, false, false});
      parameters.push_back({name("qkv"), {3 * width, width}, 0, kStart});
      parameters.push_back({name("out"), {width, width}, 0, added});
      parameters.push_back({name("hidden_norm"), {width}, 1, 0, false, false});
      parameters.push_back({name("gate_up"), {2 * hidden, width}, 0, kStart});
      parameters.push_back({name("down"), {width, hidden}, 0, added});
    }
    parameters.push_back({"last_norm", {width}, 1, 0, false, false});
    parameters.push_back({"head", {spec.classes, width}, 0, kStart});
    parameters_ = std::make_unique<Parameters>(std::move(parameters), servers, device, precision, seed);
  }

 private:
  at::Tensor forward(const at::Tensor& tokens, Pass) override {
    if (tokens.size(1) > spec_.context)
      throw Error(ErrorKind::kInput,
                  fmt::format("a sequence of {} tokens is longer than the model's context of {}", tokens.size(1),
                              spec_.context),
                  {}, "Make the model with a larger context");
    Parameters& parameters = *parameters_;
    const std::int64_t count = tokens.size(0), length = tokens.size(1), size = spec_.width / spec_.heads;
    at::Tensor x = embedding(parameters, kEmbedding, tokens);
    std::size_t block = kFirstBlock;
    for (std::int64_t i = 0; i < spec_.layers; ++i, block += kPerBlock) {
      // What the positions before have to say.
      const at::Tensor qkv = linear(parameters, block + kQkv, kNone, rms_norm(parameters, block + kAttentionNorm, x));
      const at::Tensor seen = causal_attention(rotated(qkv.view({count, length, 3, spec_.heads, size}), rotation_));
      x = x + linear(parameters, block + kOut, kNone, seen);

      // What to make of it.
      const at::Tensor gates = linear(parameters, block + kGateUp, kNone, rms_norm(parameters, block + kHiddenNorm, x));
      x = x + linear(parameters, block + kDown, kNone, swiglu(gates));
    }
    const at::Tensor scores = linear(parameters, block + 1, kNone, rms_norm(parameters, block, x));
    return scores.view({-1, spec_.classes});
  }

  ModelSpec spec_;
  Rotation rotation_;
};

// Attention, hidden layer, embedding and head without norms, before there are any: sizes may be past 64 bits.
double least_size_of(const ModelSpec& spec) {
  const auto width = static_cast<double>(spec.width);
  return static_cast<double>(spec.layers) * 12 * width * width + 2 * static_cast<double>(spec.classes) * width;
}

}  // namespace

std::unique_ptr<Model> make_llama(const ModelSpec& spec, int servers, const at::Device& device,
                                  at::ScalarType precision, std::uint64_t seed) {
  check_memory(least_size_of(spec), servers, device);
  return std::make_unique<Llama>(spec, servers, device, precision, seed);
}

}  // namespace helio::train
