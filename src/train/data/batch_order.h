// SPDX-License-Identifier: Apache-2.0
// Which examples a step sees: every epoch is a permutation that follows from (seed, epoch) alone, cut into batches.
//
//     epoch 0   | step 0 | step 1 | step 2 | rest |      the rest fills no batch and is left out of this epoch
//     epoch 1   | step 3 | step 4 | step 5 | rest |      another permutation, another rest
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace helio::train {

class BatchOrder {
 public:
  BatchOrder(std::int64_t examples, std::uint64_t seed);

  std::int64_t examples() const { return examples_; }
  // At least 1. Throws Error(kInput) for a batch of no example or of more than there are.
  std::int64_t steps_per_epoch(std::int64_t count) const;
  std::int64_t epoch(std::int64_t step, std::int64_t count) const { return step / steps_per_epoch(count); }
  // The examples of a step; valid until the next call. Steps within an epoch cost nothing; another epoch draws its permutation.
  std::span<const std::int64_t> batch(std::int64_t step, std::int64_t count);

 private:
  std::int64_t examples_;
  std::uint64_t seed_;
  std::int64_t drawn_epoch_ = -1;
  std::vector<std::int64_t> order_;
};

}  // namespace helio::train
