// SPDX-License-Identifier: Apache-2.0
#include "train/data/token_examples.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "base/error.h"

namespace helio::train {
namespace {

// Token i is i: a window tells where it was cut.
std::vector<std::uint16_t> counting(std::size_t count) {
  std::vector<std::uint16_t> tokens(count);
  std::iota(tokens.begin(), tokens.end(), 0);
  return tokens;
}

// 1000 tokens in windows of 16: ⌊999/16⌋ = 62, less one for the offset: 61. Every epoch shows 61 windows that lie side by side behind
// an offset of 0 to 15, in some order; targets are inputs one token on.
TEST(TokenExamples, AnEpochIsEveryWindowOnce) {
  TokenExamples examples(counting(1000), counting(100), 16, 1000, 3, at::kCPU);
  EXPECT_EQ(examples.size(), 61);
  EXPECT_EQ(examples.classes(), 1000);
  EXPECT_EQ(examples.steps_per_epoch(20), 3);
  std::set<std::int64_t> offsets;
  for (std::int64_t epoch = 0; epoch < 40; ++epoch) {
    const Batch batch = examples.batch(epoch, 61);
    EXPECT_EQ(batch.inputs.sizes().vec(), (std::vector<std::int64_t>{61, 16}));
    EXPECT_EQ(batch.inputs.scalar_type(), at::kLong);
    EXPECT_TRUE(batch.inputs.is_contiguous());
    EXPECT_EQ(batch.targets.sizes().vec(), (std::vector<std::int64_t>{61 * 16}));
    EXPECT_TRUE(at::equal(batch.targets.view({61, 16}), batch.inputs + 1));
    const at::Tensor starts = std::get<0>(batch.inputs.select(1, 0).sort());
    const std::int64_t offset = starts[0].item().toLong();
    EXPECT_TRUE(offset >= 0 && offset < 16);
    EXPECT_TRUE(at::equal(starts, at::arange(61) * 16 + offset));
    EXPECT_FALSE(at::equal(starts, batch.inputs.select(1, 0)));
    EXPECT_TRUE(at::equal(batch.inputs, batch.inputs.select(1, 0).unsqueeze(1) + at::arange(16)));
    offsets.insert(offset);
  }
  // 40 draws of 16 values: fewer than 8 different ones has a probability below 1e-9.
  EXPECT_GE(offsets.size(), 8u);
}

// T + 1 tokens are one window, and there is but one.
TEST(TokenExamples, TheSmallestText) {
  TokenExamples examples(counting(17), counting(17), 16, 17, 3, at::kCPU);
  EXPECT_EQ(examples.size(), 1);
  EXPECT_EQ(examples.held_out(), 1);
  EXPECT_EQ(examples.batch(5, 1).inputs[0][0].item().toLong(), 0);
  EXPECT_EQ(examples.batch(5, 1).targets[15].item().toLong(), 16);
  EXPECT_THROW(TokenExamples(counting(16), counting(17), 16, 17, 3, at::kCPU), Error);
  EXPECT_THROW(TokenExamples(counting(17), counting(16), 16, 17, 3, at::kCPU), Error);
  EXPECT_THROW(TokenExamples(counting(17), counting(17), 0, 17, 3, at::kCPU), Error);
}

// The last token is reached: with 33 tokens and T = 16 there are two windows, one of which is given up, so offsets go to 15 and the last
// target is at most 15 + 16 = 31; with 49 tokens 15 + 2·16 = 47.
TEST(TokenExamples, WindowsStayWithinTheText) {
  for (const std::size_t count : {17u, 18u, 32u, 33u, 49u, 50u}) {
    TokenExamples examples(counting(count), counting(count), 16, 65536, 3, at::kCPU);
    for (std::int64_t epoch = 0; epoch < 100; ++epoch)
      EXPECT_LT(examples.batch(epoch, examples.size()).targets.max().item().toLong(), static_cast<std::int64_t>(count));
  }
}

// 100 tokens held out in windows of 16: ⌊99/16⌋ = 6, in order from 0; the last batch is what is left.
TEST(TokenExamples, HeldOutInOrder) {
  TokenExamples examples(counting(1000), counting(100), 16, 1000, 3, at::kCPU);
  EXPECT_EQ(examples.held_out(), 6);
  const Batch batch = examples.held_out_batch(4, 10);
  EXPECT_TRUE(at::equal(batch.inputs, at::arange(64, 96).view({2, 16})));
  EXPECT_TRUE(at::equal(batch.targets, at::arange(65, 97)));
}

TEST(TokenExamples, AStepFollowsFromSeedAndNumber) {
  TokenExamples a(counting(1000), counting(100), 16, 1000, 3, at::kCPU),
      b(counting(1000), counting(100), 16, 1000, 3, at::kCPU);
  TokenExamples other(counting(1000), counting(100), 16, 1000, 4, at::kCPU);
  const Batch wanted = a.batch(10, 20);
  b.batch(50, 20);
  EXPECT_TRUE(at::equal(b.batch(10, 20).inputs, wanted.inputs));
  EXPECT_FALSE(at::equal(other.batch(10, 20).inputs, wanted.inputs));
  EXPECT_FALSE(at::equal(a.batch(11, 20).inputs, wanted.inputs));
}

// 16 bits are unsigned: 65535 stays 65535.
TEST(TokenExamples, TheHighestToken) {
  const std::vector<std::uint16_t> high(20, 65535);
  TokenExamples examples(high, high, 16, 65536, 3, at::kCPU);
  EXPECT_EQ(examples.batch(0, 1).inputs[0][7].item().toLong(), 65535);
}

}  // namespace
}  // namespace helio::train
