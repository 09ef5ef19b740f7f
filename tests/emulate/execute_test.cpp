// SPDX-License-Identifier: Apache-2.0
// What the emulator itself does; that every algorithm computes its collective is in tests/schedule/algorithm_test.cpp.
#include "emulate/execute.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "schedule/cases.h"

namespace helio::emulate {
namespace {

using schedule::build_case;
using schedule::Kind;
using schedule::Schedule;

TEST(Execute, AddsExactly) {
  // 2^62 + 1 has no place in a double's mantissa.
  std::vector<std::vector<std::int64_t>> buffers = {{std::int64_t{1} << 62, -5}, {1, 2}};
  execute(build_case("ring", Kind::kAllReduce, 2), buffers);
  EXPECT_EQ(buffers[0], (std::vector<std::int64_t>{(std::int64_t{1} << 62) + 1, -3}));
  EXPECT_EQ(buffers[1], buffers[0]);
}

TEST(Execute, DealsAnyNumberOfElements) {
  // Fewer elements than slots leave slots empty; none at all is a vector of length 0.
  for (std::size_t elements = 0; elements <= 17; ++elements)
    for (const std::string algorithm : {"ring", "bidirectional-ring", "halving-doubling", "direct", "in-fabric"})
      EXPECT_TRUE(schedule::executes_correctly(build_case(algorithm, Kind::kAllReduce, 7), elements, elements));
}

TEST(Execute, AllToAllNeedsWholeBlocks) {
  const Schedule schedule = build_case("direct", Kind::kAllToAll, 3);
  std::vector<std::vector<std::int64_t>> buffers = {
      {0, 1, 2, 3, 4, 5}, {10, 11, 12, 13, 14, 15}, {20, 21, 22, 23, 24, 25}};
  execute(schedule, buffers);
  // Rank 1 receives block 1, elements 2 and 3, of everybody.
  EXPECT_EQ(buffers[1], (std::vector<std::int64_t>{2, 3, 12, 13, 22, 23}));
  for (auto& buffer : buffers) buffer.push_back(0);
  EXPECT_THROW(execute(schedule, buffers), Error);
}

TEST(Execute, FloatsAndDoublesToo) {
  std::vector<std::vector<float>> floats = {{0.5f}, {0.25f}, {1}};
  execute(build_case("halving-doubling", Kind::kAllReduce, 3), floats);
  EXPECT_EQ(floats[2], std::vector<float>{1.75f});
  std::vector<std::vector<double>> doubles = {{0.5}, {0.25}, {1}};
  execute(build_case("in-fabric", Kind::kReduce, 3, 1), doubles);
  EXPECT_EQ(doubles[1], std::vector<double>{1.75});
}

TEST(Execute, OneRankKeepsItsVector) {
  std::vector<std::vector<std::int64_t>> buffers = {{3, 1}};
  execute(build_case("ring", Kind::kAllReduce, 1), buffers);
  EXPECT_EQ(buffers[0], (std::vector<std::int64_t>{3, 1}));
}

// What an optical switch makes of 2-bit codes: their mean, rounded to the nearest code, a half upwards.
class TwoBitMean : public Combiner<std::int64_t> {
 public:
  void combine(std::span<const std::span<const std::int64_t>> inputs, std::span<std::int64_t> out) const override {
    const auto n = static_cast<std::int64_t>(inputs.size());
    for (std::size_t e = 0; e < out.size(); ++e) {
      std::int64_t sum = 0;
      for (const auto& input : inputs) sum += input[e];
      out[e] = (2 * sum + n) / (2 * n);
    }
  }
};

TEST(Execute, TheFabricsOwnArithmeticIsSupplied) {
  // Columns 0,1,3,3: 7/4 = 1.75 -> 2;  3,3,3,3: 3;  0,0,1,0: 0.25 -> 0;  2,2,1,1: 1.5 -> 2.
  const std::vector<std::vector<std::int64_t>> codes = {{0, 3, 0, 2}, {1, 3, 0, 2}, {3, 3, 1, 1}, {3, 3, 0, 1}};
  const std::vector<std::int64_t> mean = {2, 3, 0, 2};
  auto buffers = codes;
  execute(build_case("in-fabric", Kind::kAllReduce, 4), buffers, TwoBitMean());
  for (const auto& buffer : buffers) EXPECT_EQ(buffer, mean);
  buffers = codes;
  execute(build_case("in-fabric", Kind::kReduceScatter, 4), buffers, TwoBitMean());
  for (std::size_t r = 0; r < 4; ++r) EXPECT_EQ(buffers[r][r], mean[r]);
}

TEST(Execute, OnlyWhatMeetsInTheFabricIsCombined) {
  // A ring adds at the ranks: the fabric's arithmetic has no part in it.
  std::vector<std::vector<std::int64_t>> buffers = {{1}, {3}};
  execute(build_case("ring", Kind::kAllReduce, 2), buffers, TwoBitMean());
  EXPECT_EQ(buffers[0], std::vector<std::int64_t>{4});
}

}  // namespace
}  // namespace helio::emulate
