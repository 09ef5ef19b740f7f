// SPDX-License-Identifier: Apache-2.0
#include "photonics/cascade.h"

#include <gtest/gtest.h>

#include <numeric>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "photonics/onn_construct.h"
#include "photonics/onn_evaluate.h"

namespace helio::photonics {
namespace {

// Symbols of one bit, so that any number of fraction bits can be kept.
AveragingCascade levels(int bits, const std::vector<std::pair<int, int>>& servers_and_fraction_bits,
                        Rounding rounding = Rounding::kHalfUp) {
  AveragingCascade cascade;
  int arriving = 0;
  for (const auto& [servers, kept] : servers_and_fraction_bits) {
    cascade.push_back({servers, bits, 1, rounding, arriving, kept});
    arriving = kept;
  }
  return cascade;
}

AveragingCascade two_levels(int servers, int fraction_bits, Rounding rounding = Rounding::kHalfUp) {
  return levels(8, {{servers, fraction_bits}, {servers, 0}}, rounding);
}

// Share of wrong averages, and their mean error, of random codes that are averaged level by level. The last level may clip where the
// distribution does not: all codes at their top, which are never met.
std::pair<double, double> drawn(const AveragingCascade& cascade, int draws) {
  Random random(9);
  AveragingTask whole = cascade.front();
  whole.out_fraction = 0;
  whole.servers = 1;
  for (const AveragingTask& task : cascade) whole.servers *= task.servers;
  const auto average = [&](const AveragingTask& task, std::int64_t total) {
    return task.average(total, static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(task.denominator()))));
  };
  double wrong = 0, bias = 0;
  for (int draw = 0; draw < draws; ++draw) {
    std::vector<std::int64_t> values(static_cast<std::size_t>(whole.servers));
    for (std::int64_t& value : values) value = static_cast<std::int64_t>(random.next() >> (64 - whole.bits));
    const std::int64_t exact = average(whole, std::accumulate(values.begin(), values.end(), std::int64_t{0}));
    for (const AveragingTask& task : cascade) {
      std::vector<std::int64_t> above;
      for (auto first = values.begin(); first != values.end(); first += task.servers)
        above.push_back(average(task, std::accumulate(first, first + task.servers, std::int64_t{0})));
      values = std::move(above);
    }
    wrong += values.front() != exact;
    bias += static_cast<double>(values.front() - exact);
  }
  return {wrong / draws, bias / draws};
}

// papers/optinc.md 2.6, a Monte Carlo of 400,000 draws: one standard error of 22 % is 0.066 %, the table has 0.1 % of rounding.
TEST(Cascade, MeetsTheTableOfTheSpec) {
  struct Row {
    int servers, bits;
    double wrong;
    std::int64_t least, most;
    double bias;
  };
  for (const Row& row : {Row{4, 0, 0.221, -1, 1, 0.22}, Row{4, 1, 0.157, 0, 1, 0.16}, Row{4, 2, 0, 0, 0, 0},
                         Row{8, 0, 0.127, -1, 1, 0.12}, Row{8, 2, 0.071, 0, 1, 0.07}, Row{8, 3, 0, 0, 0, 0}}) {
    const CascadeError error = exact_error(two_levels(row.servers, row.bits));
    EXPECT_NEAR(error.wrong, row.wrong, 0.003) << row.servers << " " << row.bits;
    EXPECT_EQ(error.least, row.least);
    EXPECT_EQ(error.most, row.most);
    EXPECT_NEAR(error.bias, row.bias, 0.0051);
  }
}

// 2×2 by hand: sums a, b of two codes; level 1 gives ⌈a/2⌉, ⌈b/2⌉ (half-up). T mod 4 and the parities decide, all 8 pairs
// (a mod 4, parity of b) with a + b alike. With both even or both odd sums: S = (T + odd)/2, odd ∈ {0, 2}; one odd: S = (T+1)/2.
//   T = 4m + r:  result ⌊(S + 1)/2⌋ against ⌊(T + 2)/4⌋
//   r = 0: both even S = 2m → m, right;          both odd S = 2m+1 → m+1, wrong
//   r = 1: one odd S = 2m+1 → m+1, exact m: wrong
//   r = 2: both even S = 2m+1 → m+1, right;      both odd S = 2m+2 → m+1, right
//   r = 3: one odd S = 2m+2 → m+1, right
// r is uniform; for even r both cases are alike: wrong = 1/4·1/2 + 1/4 = 3/8, always +1.
TEST(Cascade, TwoByTwoIsWhatTheHandFinds) {
  const CascadeError error = exact_error(two_levels(2, 0));
  EXPECT_DOUBLE_EQ(error.wrong, 3.0 / 8);
  EXPECT_DOUBLE_EQ(error.bias, 3.0 / 8);
  EXPECT_EQ(error.least, 0);
}

// Enumerated and drawn shares agree; a standard error of 200,000 draws is below 0.0012.
TEST(Cascade, DrawsAgreeWithTheDistribution) {
  for (const AveragingCascade& cascade : {two_levels(4, 0), two_levels(3, 1), two_levels(4, 0, Rounding::kFloor),
                                          levels(8, {{2, 0}, {3, 1}, {4, 0}}), levels(4, {{3, 0}, {5, 0}})}) {
    const CascadeError exact = exact_error(cascade);
    const auto [wrong, bias] = drawn(cascade, 200'000);
    EXPECT_NEAR(exact.wrong, wrong, 0.006);
    EXPECT_NEAR(exact.bias, bias, 0.006);
  }
}

// Level i keeps log₂ of the servers below it: nothing is rounded before the end.
TEST(Cascade, ThreeLevelsAreExactWithAllBitsKept) {
  EXPECT_EQ(exact_error(levels(8, {{4, 2}, {4, 4}, {4, 0}})).wrong, 0);
  EXPECT_GT(exact_error(levels(8, {{4, 2}, {4, 2}, {4, 0}})).wrong, 0.01);
}

// Dither at every level has no bias: the mean of what is added is that of one uniform rounding.
TEST(Cascade, DitherHasNoBias) { EXPECT_NEAR(drawn(two_levels(4, 0, Rounding::kDither), 100'000).second, 0, 0.02); }

// The blocks of 4×4 as networks (5.1): 4 sums to 5 symbols, and 5 sums to 4, over all 13^5 points.
TEST(Cascade, BlocksAreExactAsNetworks) {
  const AveragingCascade blocks = cascade_of({}, std::vector<std::uint32_t>{4, 4}, 1);
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].outputs(), 5);
  EXPECT_EQ(blocks[1].inputs(), 5);
  for (const Direction direction : {Direction::kLsb, Direction::kMsb})
    for (const AveragingTask& task : blocks) {
      Construction how;
      how.direction = direction;
      const Evaluation evaluation = evaluate(construct(task, how));
      EXPECT_EQ(evaluation.wrong, 0u) << evaluation.first_wrong;
      EXPECT_EQ(evaluation.points, task.in_fraction == 1 ? 371'293u : 28'561u);
    }
}

// Sixteen servers through four networks and one: the average of all sixteen, for random codes.
TEST(Cascade, NetworksInCascadeAverageSixteenServers) {
  const AveragingCascade blocks = cascade_of({}, std::vector<std::uint32_t>{4, 4}, 1);
  const Onn level1 = construct(blocks[0], {}), level2 = construct(blocks[1], {});
  Random random(2);
  const std::size_t elements = 2000;
  std::vector<std::uint32_t> codes(16 * elements);
  for (std::uint32_t& code : codes) code = static_cast<std::uint32_t>(random.below(256));
  Matrix sums = Matrix::Zero(5, static_cast<Eigen::Index>(elements));
  OnnForward first(level1);
  for (std::size_t s = 0; s < 4; ++s) {
    Matrix entering = Matrix::Zero(4, static_cast<Eigen::Index>(elements));
    for (std::size_t i = 4 * s; i < 4 * s + 4; ++i)
      for (std::size_t e = 0; e < elements; ++e)
        for (int k = 0; k < 4; ++k) entering(k, static_cast<Eigen::Index>(e)) += codes[i * elements + e] >> (2 * k) & 3;
    std::vector<std::int64_t> part(elements);
    decode(level1, first.run(entering), part);
    for (std::size_t e = 0; e < elements; ++e)
      for (int k = 0; k < 5; ++k) sums(k, static_cast<Eigen::Index>(e)) += static_cast<double>(part[e] >> (2 * k) & 3);
  }
  OnnForward forward(level2);
  std::vector<std::int64_t> averages(elements);
  decode(level2, forward.run(sums), averages);
  for (std::size_t e = 0; e < elements; ++e) {
    std::int64_t total = 0;
    for (std::size_t i = 0; i < 16; ++i) total += codes[i * elements + e];
    ASSERT_EQ(averages[e], (total + 8) / 16);
  }
}

TEST(Cascade, RefusesWhatMakesNoSense) {
  EXPECT_THROW(exact_error({}), Error);
  EXPECT_THROW(exact_error(levels(8, {{0, 0}})), Error);
  EXPECT_THROW(exact_error(levels(8, {{4, 0}, {4, 1}})), Error);  // the last level gives whole codes
  EXPECT_THROW(exact_error(levels(0, {{4, 0}})), Error);
  EXPECT_THROW(exact_error(two_levels(4, 0, Rounding::kHalfEven)), Error);
  AveragingCascade gap = two_levels(4, 2);
  gap[1].in_fraction = 1;
  EXPECT_THROW(exact_error(gap), Error);
}

}  // namespace
}  // namespace helio::photonics
