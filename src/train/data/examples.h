// SPDX-License-Identifier: Apache-2.0
// Data on the device, and the batches that a step sees: which examples, which crops and flips follow from (seed, step) alone, so that
// runs with other exchanges see the same ones and a resumed run goes on as it would have.
//
//     images   CIFAR-10/100 binary (cifar.h), uint8, padded by 4 once; a step gathers random 32×32 crops, flips half of them
//     tokens   uint16 (token_file.h); a step takes windows of T + 1 tokens, cut elsewhere in every epoch
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace helio::train {

struct Batch {
  at::Tensor inputs;   // images: [n, C, S, S] in the wanted precision, channels-last, normalised; tokens: [n, T], long
  at::Tensor targets;  // [n], or [n·T] for tokens, long
};

class Examples {
 public:
  virtual ~Examples() = default;

  virtual std::int64_t size() const = 0;     // images, or windows of T tokens, of training
  virtual std::int64_t classes() const = 0;  // or the vocabulary
  // Batch number `step` of `count` examples (whole epochs are permutations; the rest of an epoch that fills no batch is left out).
  // Server i gets examples i·count/N …
  virtual Batch batch(std::int64_t step, std::int64_t count) = 0;
  virtual std::int64_t steps_per_epoch(std::int64_t count) const = 0;

  // Held-out examples in their order, as they are; fewer than `count` at the end. Requires: 0 <= first < held_out(), count > 0.
  virtual std::int64_t held_out() const = 0;
  virtual Batch held_out_batch(std::int64_t first, std::int64_t count) = 0;
};

struct DataSpec {
  std::string format = "made";           // cifar10, cifar100, tokens, or made: images drawn from the seed, for trials
  std::vector<std::string> train, test;  // files
  std::int64_t context = 256;            // tokens
  std::int64_t vocabulary = 0;           // tokens: 0: the largest token + 1
  std::int64_t made_images = 2048, made_classes = 10;  // made
  bool augment = true;                                 // images: crops and flips
  std::uint64_t seed = 1;

  // What the format reads, but for files and seed: for checkpoints.
  nlohmann::json words() const;
};

// Throws Error(kInput) with the file for missing, truncated or misshaped files and labels out of range.
std::unique_ptr<Examples> make_examples(const DataSpec& spec, const at::Device& device, at::ScalarType precision);

}  // namespace helio::train
