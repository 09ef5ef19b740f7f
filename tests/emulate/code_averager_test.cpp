// SPDX-License-Identifier: Apache-2.0
#include "emulate/code_averager.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/random.h"
#include "photonics/averaging_grid.h"

namespace helio::emulate {
namespace {

AveragingCascade cascade(const std::vector<std::uint32_t>& ports, int fraction = 0, int bits = 8,
                         Rounding rounding = Rounding::kHalfUp) {
  return cascade_of({.bits = bits, .rounding = rounding}, ports, fraction);
}

// Random codes of every server, server after server.
std::vector<std::vector<std::uint32_t>> random_codes(std::uint32_t servers, std::size_t elements, int bits,
                                                     std::uint64_t seed = 1) {
  Random random(seed);
  std::vector<std::vector<std::uint32_t>> codes(servers, std::vector<std::uint32_t>(elements));
  for (auto& of_server : codes)
    for (std::uint32_t& code : of_server) code = static_cast<std::uint32_t>(random.below(std::uint64_t{1} << bits));
  return codes;
}

std::vector<std::uint32_t> averages(const CodeAverager& averager, const std::vector<std::vector<std::uint32_t>>& codes,
                                    std::uint64_t seed = 0) {
  AveragingBlock block(averager, codes.front().size(), seed);
  block.begin(codes.front().size(), 0);
  for (const auto& of_server : codes) block.add(of_server);
  return {block.result().begin(), block.result().end()};
}

// floor((sum + n/2) / n) in integers: the rule of papers/optinc.md 2.2.
std::uint32_t half_up(const std::vector<std::vector<std::uint32_t>>& codes, std::size_t e) {
  std::uint64_t sum = 0;
  for (const auto& of_server : codes) sum += of_server[e];
  return static_cast<std::uint32_t>((2 * sum + codes.size()) / (2 * codes.size()));
}

TEST(CodeAverager, OneSwitchRoundsTheAverageHalfUp) {
  for (const std::uint32_t n : {2u, 3u, 4u, 7u, 8u, 16u}) {
    const CodeAverager averager(cascade({n}));
    EXPECT_TRUE(averager.levels()[0].has_table());
    const auto codes = random_codes(n, 5000, 8, n);
    const auto found = averages(averager, codes);
    for (std::size_t e = 0; e < found.size(); ++e)
      ASSERT_EQ(found[e], half_up(codes, e)) << n << " servers, element " << e;
  }
}

// 13^8 = 8.2e8 points are too many for a table: symbol sums are kept instead.
TEST(CodeAverager, SixteenBitsWorkWithoutATable) {
  const CodeAverager averager(cascade({4}, 0, 16));
  EXPECT_FALSE(averager.levels()[0].has_table());
  const auto codes = random_codes(4, 3000, 16);
  const auto found = averages(averager, codes);
  for (std::size_t e = 0; e < found.size(); ++e) ASSERT_EQ(found[e], half_up(codes, e));
}

// One fraction symbol of two bits holds quarters, which is what the average of four codes can have: nothing is rounded before the
// last level (papers/optinc.md 2.6). Three levels keep one symbol more at each.
TEST(CodeAverager, CascadesAreExactWithFractions) {
  for (const std::vector<std::uint32_t>& ports : {std::vector<std::uint32_t>{4, 4}, {4, 4, 4}, {2, 8}}) {
    const std::uint32_t servers = std::accumulate(ports.begin(), ports.end(), 1u, std::multiplies());
    const auto codes = random_codes(servers, 2000, 8);
    const auto found = averages(CodeAverager(cascade(ports, 1)), codes);
    for (std::size_t e = 0; e < found.size(); ++e) ASSERT_EQ(found[e], half_up(codes, e)) << servers;
  }
}

// Rounded twice 22.1 % of the averages are wrong for 4×4 servers (papers/optinc.md 2.6). 40,000 draws have a standard deviation of
// sqrt(.221 · .779 / 40000) = 0.21 %: five of them.
TEST(CodeAverager, CascadesWithoutFractionsAreOftenWrong) {
  const auto codes = random_codes(16, 40000, 8);
  const auto found = averages(CodeAverager(cascade({4, 4})), codes);
  std::size_t wrong = 0;
  for (std::size_t e = 0; e < found.size(); ++e) wrong += found[e] != half_up(codes, e);
  EXPECT_NEAR(static_cast<double>(wrong) / 40000, 0.221, 0.0105);
}

// Dithered, the average of four codes with sum 4q + r is q + 1 for r of the four lights, and the same light comes again.
TEST(CodeAverager, DitherHasNoBias) {
  const CodeAverager averager(cascade({4}, 0, 8, Rounding::kDither));
  const std::size_t elements = 40000;
  std::vector<std::vector<std::uint32_t>> codes(4, std::vector<std::uint32_t>(elements, 100));
  codes[0].assign(elements, 101);  // sum 401: 100 and a quarter
  const auto found = averages(averager, codes, 7);
  std::size_t up = 0;
  for (const std::uint32_t g : found) {
    ASSERT_TRUE(g == 100 || g == 101);
    up += g == 101;
  }
  // Standard deviation sqrt(.25 · .75 / 40000) = 0.22 %
  EXPECT_NEAR(static_cast<double>(up) / elements, 0.25, 0.011);
  EXPECT_EQ(averages(averager, codes, 7), found);
  EXPECT_NE(averages(averager, codes, 8), found);
}

// A network that says 3 3 3 3 for everything: its table must say 255.
TEST(CodeAverager, ANetworkIsAskedNotTheTarget) {
  photonics::Onn onn;
  photonics::Layer layer;
  layer.weights = photonics::Matrix::Zero(4, 4);
  layer.bias = photonics::Vector::Constant(4, 3.0);
  onn.layers = {layer};
  const std::vector<photonics::Onn> networks{onn};
  const auto codes = random_codes(4, 10, 8);
  EXPECT_EQ(averages(CodeAverager(cascade({4}), networks), codes), std::vector<std::uint32_t>(10, 255));
}

// Two tables, one that always says 3 and one that always says 200: both are asked, about as often, and again in the same places.
TEST(CodeAverager, SeveralTablesAreAskedInTurn) {
  std::vector<std::vector<std::uint32_t>> answers{std::vector<std::uint32_t>(2 * 28561, 3)};
  std::fill(answers[0].begin() + 28561, answers[0].end(), 200);
  const CodeAverager averager(cascade({4}), answers);
  EXPECT_EQ(averager.levels()[0].tables, 2u);
  const auto codes = random_codes(4, 40000, 8);
  const auto found = averages(averager, codes, 5);
  EXPECT_NEAR(std::ranges::count(found, 3u), 20000, 500);  // five standard deviations of √40000/2
  EXPECT_EQ(std::ranges::count(found, 3u) + std::ranges::count(found, 200u), 40000);
  EXPECT_EQ(averages(averager, codes, 5), found);
  EXPECT_NE(averages(averager, codes, 6), found);

  // Switches of one level ask for themselves: the first level answers 0 or 255, and four that always agreed would average to those
  std::vector<std::vector<std::uint32_t>> apart{std::vector<std::uint32_t>(2 * 28561, 0), {}};
  std::fill(apart[0].begin() + 28561, apart[0].end(), 255);
  const AveragingTask task;
  const photonics::Grid grid(task);
  std::vector<int> point(4, 0);
  do apart[1].push_back(static_cast<std::uint32_t>(task.target(point)));
  while (grid.advance(point));
  const auto mixed_answers = averages(CodeAverager(cascade({4, 4}), apart), random_codes(16, 4000, 8));
  EXPECT_NEAR(std::ranges::count(mixed_answers, 128u), 1500, 155);  // two of four: 6/16 of 4000, √(1500 · 10/16) = 31

  answers[0].pop_back();
  EXPECT_THROW(CodeAverager(cascade({4}), answers), Error);
  EXPECT_THROW(CodeAverager(cascade({4, 4}), answers), Error);
}

TEST(CodeAverager, RefusesWhatDoesNotFit) {
  photonics::Onn onn;  // for N = 4, B = 8
  photonics::Layer layer;
  layer.weights = photonics::Matrix::Zero(4, 4);
  layer.bias = photonics::Vector::Zero(4);
  onn.layers = {layer};
  const std::vector<photonics::Onn> one{onn};
  EXPECT_THROW(CodeAverager(cascade({8}), one), Error);
  EXPECT_THROW(CodeAverager(cascade({4, 4}), one), Error);
  EXPECT_THROW(CodeAverager(cascade({})), Error);
  EXPECT_THROW(CodeAverager(cascade({0})), Error);
  EXPECT_THROW(CodeAverager(cascade({4}, 0, 7)), Error);  // symbols of two bits do not fill seven
}

}  // namespace
}  // namespace helio::emulate
