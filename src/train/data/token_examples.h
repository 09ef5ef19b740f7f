// SPDX-License-Identifier: Apache-2.0
// A long row of tokens on the device, and the windows of it that a step sees. An example is T + 1 tokens: T that are read and the T
// that come next.
//
//     tokens    | offset |—— window 0 ——|—— window 1 ——|—— window 2 ——| … |      windows of T, one token more is looked at
//
// The offset, 0 to T − 1, follows from (seed, epoch), so that every epoch cuts the text elsewhere; an epoch is a permutation of its
// windows. One window is given up for that room (not where there is but one). Held-out windows have no offset. Windows may begin in
// one article and end in another.
#pragma once

#include <cstdint>
#include <vector>

#include "train/data/batch_order.h"
#include "train/data/examples.h"

namespace helio::train {

class TokenExamples : public Examples {
 public:
  // Throws Error(kInput) for a context below 1 and for fewer than context + 1 tokens. Requires: every token is below `vocabulary`.
  TokenExamples(const std::vector<std::uint16_t>& train, const std::vector<std::uint16_t>& held_out,
                std::int64_t context, std::int64_t vocabulary, std::uint64_t seed, const at::Device& device);

  std::int64_t size() const override { return order_.examples(); }
  std::int64_t classes() const override { return vocabulary_; }
  Batch batch(std::int64_t step, std::int64_t count) override;
  std::int64_t steps_per_epoch(std::int64_t count) const override { return order_.steps_per_epoch(count); }
  std::int64_t held_out() const override { return (held_out_tokens_.size(0) - 1) / context_; }
  Batch held_out_batch(std::int64_t first, std::int64_t count) override;

 private:
  Batch windows(const at::Tensor& tokens, std::vector<std::int64_t> starts) const;

  std::int64_t context_, vocabulary_;
  std::uint64_t seed_;
  at::Device device_;
  BatchOrder order_;
  at::Tensor tokens_, held_out_tokens_;  // 32-bit
  at::Tensor along_;                     // [1, T + 1]: 0, 1, … T
};

}  // namespace helio::train
