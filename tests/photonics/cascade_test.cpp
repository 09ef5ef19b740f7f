// SPDX-License-Identifier: Apache-2.0
#include "photonics/cascade.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/error.h"
#include "photonics/onn_construct.h"
#include "photonics/onn_evaluate.h"

namespace helio::photonics {
namespace {

Cascade two_levels(int servers, int fraction_bits, Rounding rounding = Rounding::kHalfUp) {
  return {8, {{servers, fraction_bits}, {servers, 0}}, rounding};
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
  for (const Cascade& cascade : {two_levels(4, 0), two_levels(3, 1), two_levels(4, 0, Rounding::kFloor),
                                 Cascade{8, {{2, 0}, {3, 1}, {4, 0}}}, Cascade{4, {{3, 0}, {5, 0}}}}) {
    const CascadeError exact = exact_error(cascade), drawn = monte_carlo(cascade, 200'000, 9);
    EXPECT_NEAR(exact.wrong, drawn.wrong, 0.006);
    EXPECT_NEAR(exact.bias, drawn.bias, 0.006);
    EXPECT_EQ(exact.draws, 0);
  }
}

// Level i keeps log₂ of the servers below it: nothing is rounded before the end.
TEST(Cascade, ThreeLevelsAreExactWithAllBitsKept) {
  EXPECT_EQ(exact_error({8, {{4, 2}, {4, 4}, {4, 0}}}).wrong, 0);
  EXPECT_GT(exact_error({8, {{4, 2}, {4, 2}, {4, 0}}}).wrong, 0.01);
}

// Dither at every level has no bias: the mean of what is added is that of one uniform rounding.
TEST(Cascade, DitherHasNoBias) {
  EXPECT_NEAR(monte_carlo(two_levels(4, 0, Rounding::kDither), 100'000, 4).bias, 0, 0.02);
}

// The blocks of 4×4 as networks (5.1): 4 sums to 5 symbols, and 5 sums to 4, over all 13^5 points.
TEST(Cascade, BlocksAreExactAsNetworks) {
  const std::vector<AveragingTask> blocks = tasks(two_levels(4, 2), 2);
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
  const std::vector<AveragingTask> blocks = tasks(two_levels(4, 2), 2);
  const Onn level1 = construct(blocks[0], {}), level2 = construct(blocks[1], {});
  Random random(2), unused(0);
  const std::size_t elements = 2000;
  std::vector<std::uint32_t> codes(16 * elements);
  for (std::uint32_t& code : codes) code = static_cast<std::uint32_t>(random.below(256));
  Matrix sums = Matrix::Zero(5, static_cast<Eigen::Index>(elements));
  for (std::size_t s = 0; s < 4; ++s) {
    std::vector<std::int64_t> part(elements);
    average_codes(level1, {codes.data() + 4 * s * elements, 4 * elements}, part, unused);
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
  EXPECT_THROW((Cascade{8, {}}.check()), Error);
  EXPECT_THROW((Cascade{8, {{0, 0}}}.check()), Error);
  EXPECT_THROW((Cascade{8, {{4, 0}, {4, 1}}}.check()), Error);  // the last level gives whole codes
  EXPECT_THROW((Cascade{0, {{4, 0}}}.check()), Error);
  EXPECT_THROW(tasks(two_levels(4, 1), 2), Error);
  EXPECT_THROW(exact_error(two_levels(4, 0, Rounding::kHalfEven)), Error);
  EXPECT_THROW(monte_carlo(two_levels(4, 0), 0, 1), Error);
}

}  // namespace
}  // namespace helio::photonics
