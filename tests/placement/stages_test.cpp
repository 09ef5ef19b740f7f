// SPDX-License-Identifier: Apache-2.0
#include "placement/stages.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "placement/models.h"

namespace helio::placement {
namespace {

// 10 blocks in 4 parts: 3, 3, 2, 2; what stands before and after goes to the first and last part.
TEST(Stages, BlocksAreSharedEvenly) {
  const auto parts = cut(small_transformer(10), 4);
  ASSERT_EQ(parts.size(), 4u);
  ASSERT_EQ(parts[0].size(), 2u);
  EXPECT_EQ(parts[0][0].layer, 0u);
  EXPECT_EQ(parts[0][1].count, 3u);
  EXPECT_EQ(parts[1][0].count, 3u);
  EXPECT_EQ(parts[2][0].count, 2u);
  ASSERT_EQ(parts[3].size(), 2u);
  EXPECT_EQ(parts[3][0].count, 2u);
  EXPECT_EQ(parts[3][1].layer, 2u);
}

std::vector<std::uint64_t> depths(const std::vector<Part>& parts) {
  std::vector<std::uint64_t> all;
  for (const Part& part : parts) {
    all.push_back(0);
    for (const Slice& slice : part) all.back() += slice.count;
  }
  return all;
}

// 10 blocks and two ends in 4 parts: counted, 3 layers each, so 2, 3, 3 and 2 blocks. Light, ceil(10 / 4) = 3 blocks each and in the last
// what is left, 1, with the head; the embedding comes on top of the first. Of 9 blocks in 4 parts nothing would be left: counted.
TEST(Stages, EndsMayCount) {
  EXPECT_EQ(depths(cut(small_transformer(10), 4, Ends::kCount)), (std::vector<std::uint64_t>{3, 3, 3, 3}));
  EXPECT_EQ(depths(cut(small_transformer(10), 4, Ends::kLight)), (std::vector<std::uint64_t>{4, 3, 3, 2}));
  EXPECT_EQ(depths(cut(small_transformer(9), 4, Ends::kLight)), (std::vector<std::uint64_t>{3, 3, 3, 2}));
}

// Work 5, 1, 1, 1, 4 in two parts: 5+1 | 1+1+4 has the least largest part, 6.
TEST(Stages, OtherModelsAreCutByWork) {
  workload::Workload w;
  for (const double rows : {5.0, 1.0, 1.0, 1.0, 4.0}) w.layers.push_back(plain_layer("layer", 1, 3, rows));
  const auto parts = cut(w, 2);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].size(), 2u);
  EXPECT_EQ(parts[1].size(), 3u);
}

// Brute force over all places to cut: no other cut has a smaller largest part; every layer is there once, in order.
RC_GTEST_PROP(Stages, NoCutIsBetter, ()) {
  const auto count = *rc::gen::inRange<std::uint32_t>(2, 8);
  const auto parts = *rc::gen::inRange<std::uint32_t>(1, count + 1);
  workload::Workload w;
  std::vector<double> work;
  for (std::uint32_t i = 0; i < count; ++i) {
    work.push_back(*rc::gen::inRange(0, 20));
    w.layers.push_back(plain_layer("layer", 1, 1, work.back()));
  }
  const auto result = cut(w, parts);
  RC_ASSERT(result.size() == parts);
  double largest = 0;
  std::uint32_t next = 0;
  for (const Part& part : result) {
    RC_ASSERT(!part.empty());
    double sum = 0;
    for (const Slice& slice : part) {
      RC_ASSERT(slice.layer == next++);
      sum += work[slice.layer];
    }
    largest = std::max(largest, sum);
  }
  RC_ASSERT(next == count);
  double best = 1e9;
  for (std::uint32_t cuts = 0; cuts < (1u << (count - 1)); ++cuts) {
    if (static_cast<std::uint32_t>(__builtin_popcount(cuts)) != parts - 1) continue;
    double most = 0, sum = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      sum += work[i];
      most = std::max(most, sum);
      if (cuts >> i & 1u) sum = 0;
    }
    best = std::min(best, most);
  }
  RC_ASSERT(largest == best);
}

// Blocks of 100 parameters in pieces of at least 250: three blocks each, the first layer's 7 with the first ones.
TEST(Stages, PiecesCloseWhenTheyAreFull) {
  const auto w = small_transformer(7);
  const auto pieces = pieces_of({{0, 1}, {1, 7}}, w, 250);
  ASSERT_EQ(pieces.size(), 3u);
  ASSERT_EQ(pieces[0].size(), 2u);
  EXPECT_EQ(pieces[0][1].count, 3u);  // 7, 107, 207, 307
  EXPECT_EQ(pieces[1][0].count, 3u);
  EXPECT_EQ(pieces[2][0].count, 1u);
  EXPECT_EQ(pieces_of({{1, 7}}, w, 0).size(), 1u);
}

}  // namespace
}  // namespace helio::placement
