// SPDX-License-Identifier: Apache-2.0
#include "photonics/link_budget.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "base/random.h"
#include "photonics/bit_error.h"

namespace helio::photonics {
namespace {

// The scale check of the WRHT spec, 2.6: 30 dB, of which nothing is lost but 0.005 dB in each ring passed.
LinkBudget scale_check() {
  LinkBudget budget;
  budget.modulator_loss = budget.coupler_loss = budget.drop_loss = Decibel{0};
  budget.hop_loss = budget.crosstalk_penalty = Decibel{0};
  return budget;
}

TEST(LinkBudget, TheSpecsScaleCheck) {
  // 64 rings · 0.005 dB = 0.32 dB a hop; 516 hops · 0.32 = 165.12 dB; 30 / 0.32 = 93.75.
  const LinkBudget budget = scale_check();
  EXPECT_NEAR(loss_per_hop(budget, 64).value, 0.32, 1e-12);
  EXPECT_NEAR(loss(budget, 516, 64).value, 165.12, 1e-9);
  EXPECT_NEAR(margin(budget, 516, 64).value, 30 - 165.12, 1e-9);
  EXPECT_EQ(largest_hops(budget, 64), 93);
}

TEST(LinkBudget, WhatMakes93HopsTheSpecsAbout90) {
  // k hops remain while the fixed part is at most 30 − 0.32 k: 90 for what lies between 0.88 (91 hops) and 1.2 dB.
  LinkBudget budget = scale_check();
  const auto with_fixed = [&](double decibels) {
    budget.other_margin = Decibel{decibels};
    return largest_hops(budget, 64);
  };
  EXPECT_EQ(with_fixed(0.88), 91);
  EXPECT_EQ(with_fixed(0.89), 90);
  EXPECT_EQ(with_fixed(1.0), 90);
  EXPECT_EQ(with_fixed(1.2), 90);
  EXPECT_EQ(with_fixed(1.21), 89);
  // The default ends and crosstalk: 2 + 2·1 + 1 + 1 = 6 dB leave 24 / 0.32 = 75 hops, to the last of them.
  EXPECT_EQ(with_fixed(6), 75);
}

TEST(LinkBudget, EveryTermOnce) {
  // Powers of ten apart, so that each digit is one term: 1 + 2·10 + 100 + 3·(7·0.001 + 0.1) = 121.321 dB.
  LinkBudget budget;
  budget.modulator_loss = Decibel{1};
  budget.coupler_loss = Decibel{10};
  budget.drop_loss = Decibel{100};
  budget.through_loss = Decibel{0.001};
  budget.hop_loss = Decibel{0.1};
  EXPECT_NEAR(loss(budget, 3, 7).value, 121.321, 1e-9);
  // With 20 rings in a node, whatever the wavelengths: 1 + 20 + 100 + 3·(0.02 + 0.1).
  budget.rings_per_node = 20;
  EXPECT_NEAR(loss(budget, 3, 7).value, 121.36, 1e-9);
  // 1 W to 1 uW are 60 dB; 1000 and 2000 dB of penalties: 60 − 121.36 − 3000.
  budget.laser = Power{1};
  budget.sensitivity = Power{1e-6};
  budget.crosstalk_penalty = Decibel{1000};
  budget.other_margin = Decibel{2000};
  EXPECT_NEAR(margin(budget, 3, 7).value, -3061.36, 1e-9);
}

TEST(LinkBudget, TheCrosstalkModelsDiffer) {
  // 63 others at 40 dB: X = 0.0063. Eye: −10 log₁₀ 0.9937 = 0.02745 dB; noise at 1e-9: 3.052 dB (bit_error_test).
  LinkBudget budget;
  EXPECT_DOUBLE_EQ(penalties(budget, 64).value, 1);
  budget.crosstalk_model = CrosstalkModel::kEye;
  EXPECT_NEAR(penalties(budget, 64).value, 0.02745, 1e-5);
  budget.crosstalk_model = CrosstalkModel::kNoise;
  EXPECT_NEAR(penalties(budget, 64).value, 3.052, 1e-3);
  // Alone on the fibre nothing interferes.
  EXPECT_EQ(penalties(budget, 1).value, 0);
  // 1e-15 needs an SNR of 4 · 33.845 = 135.4, 0.0063 · 135.4 = 0.853: 8.327 dB.
  budget.target_ber = 1e-15;
  EXPECT_NEAR(penalties(budget, 64).value, 8.327, 0.01);
}

TEST(LinkBudget, WrhtOn1024NodesDoesNotClose) {
  // A hop: 64 · 0.005 + 0.002 = 0.322 dB. 516 · 0.322 = 166.152, ends 5: 171.152 dB. 30 − 171.152 − 1 = −142.152.
  // (30 − 5 − 1) / 0.322 = 74.53: 74 hops. ⌈516/74⌉ − 1 = 7 − 1 = 6 regenerators: 6 · 10 ns, 6 · 3 pJ.
  const Verdict verdict = judge(LinkBudget{}, 516, 64);
  EXPECT_NEAR(verdict.loss.value, 171.152, 1e-9);
  EXPECT_NEAR(verdict.margin.value, -142.152, 1e-9);
  EXPECT_FALSE(verdict.closes_passively);
  EXPECT_EQ(verdict.largest_hops, 74);
  EXPECT_EQ(verdict.regenerators, 6);
  EXPECT_EQ(verdict.added_delay, Time::nanoseconds(60));
  EXPECT_NEAR(verdict.added_energy.value, 18e-12, 1e-21);
  EXPECT_EQ(verdict.sentence,
            "516 hops of 0.322 dB cost 166.2 dB, the ends 5 dB, penalties 1 dB; 30 dB are there: 74 hops at most; does "
            "not close passively; 6 regenerators on the longest path would (60 ns and 18 pJ a bit)");
}

TEST(LinkBudget, SixtyFourHopsClose) {
  // 64 · 0.322 = 20.608, ends 5: 25.608 dB; 30 − 25.608 − 1 = 3.392 dB.
  const Verdict verdict = judge(LinkBudget{}, 64, 64);
  EXPECT_NEAR(verdict.loss.value, 25.608, 1e-9);
  EXPECT_NEAR(verdict.margin.value, 3.392, 1e-9);
  EXPECT_TRUE(verdict.closes_passively);
  EXPECT_EQ(verdict.regenerators, 0);
  EXPECT_TRUE(verdict.added_delay.is_zero());
  EXPECT_EQ(verdict.added_energy.value, 0);
  EXPECT_EQ(verdict.sentence,
            "64 hops of 0.322 dB cost 20.61 dB, the ends 5 dB, penalties 1 dB; 30 dB are there: 74 hops at most; "
            "closes passively, 3.392 dB to spare");
}

TEST(LinkBudget, RegeneratorsCutThePathIntoPiecesThatClose) {
  // 93 hops a piece: 93 need none, 94 to 186 one, 187 two.
  const LinkBudget budget = scale_check();
  EXPECT_EQ(judge(budget, 93, 64).regenerators, 0);
  EXPECT_EQ(judge(budget, 94, 64).regenerators, 1);
  EXPECT_EQ(judge(budget, 186, 64).regenerators, 1);
  EXPECT_EQ(judge(budget, 187, 64).regenerators, 2);
  EXPECT_NE(judge(budget, 94, 64).sentence.find("1 regenerator on"), std::string::npos);
}

TEST(LinkBudget, NoPowerForOneHopAndNoLossForAny) {
  // −30 dBm from the laser is below what the receiver needs.
  LinkBudget dark;
  dark.laser = Power{1e-6};
  const Verdict none = judge(dark, 1, 64);
  EXPECT_EQ(none.largest_hops, 0);
  EXPECT_FALSE(none.closes_passively);
  EXPECT_EQ(none.regenerators, std::nullopt);
  EXPECT_NE(none.sentence.find("not enough for one hop"), std::string::npos);

  LinkBudget clear;
  clear.through_loss = clear.hop_loss = Decibel{0};
  const Verdict any = judge(clear, 1'000'000'000, 64);
  EXPECT_EQ(any.largest_hops, kUnbounded);
  EXPECT_TRUE(any.closes_passively);
  EXPECT_NE(any.sentence.find("any number of hops"), std::string::npos);
}

TEST(LinkBudget, DrownedInCrosstalkNothingHelps) {
  // 63 others at 35 dB: 0.0199 of the signal, where at most 1/80 may be.
  LinkBudget budget;
  budget.crosstalk_model = CrosstalkModel::kNoise;
  budget.crosstalk_suppression = Decibel{35};
  const Verdict verdict = judge(budget, 1, 64);
  EXPECT_FALSE(verdict.closes_passively);
  EXPECT_EQ(verdict.regenerators, std::nullopt);
  EXPECT_EQ(verdict.sentence, "crosstalk of 63 wavelengths at -35 dB drowns the signal at any power; does not close");
}

TEST(LinkBudget, NoLightpathLosesNothing) {
  const Verdict verdict = judge(LinkBudget{}, 0, 64);
  EXPECT_EQ(verdict.loss.value, 0);
  EXPECT_TRUE(verdict.closes_passively);
  EXPECT_EQ(verdict.sentence, "no lightpath is used");
}

TEST(LinkBudget, TheLargestRing) {
  // Whose longest path is half of the ring: 74 hops are ⌊149/2⌋, and ⌊150/2⌋ is one too many.
  const auto half = [](int nodes) { return nodes / 2; };
  EXPECT_EQ(largest_ring(LinkBudget{}, 64, half, 1 << 20), 149);
  EXPECT_EQ(largest_ring(LinkBudget{}, 64, half, 149), 149);
  EXPECT_EQ(largest_ring(LinkBudget{}, 64, half, 100), 100);
  EXPECT_EQ(largest_ring(LinkBudget{}, 64, half, 1), 1);
  // Neighbours only: all of them. Nobody reaches anybody: a ring of one.
  const auto near = [](int) { return 1; };
  const auto far = [](int) { return 75; };
  EXPECT_EQ(largest_ring(LinkBudget{}, 64, near, kUnbounded), kUnbounded);
  EXPECT_EQ(largest_ring(LinkBudget{}, 64, far, 1024), 1);
}

// Any budget of small numbers, some of them zero.
LinkBudget any_budget(Random& random) {
  const auto decibels = [&](double most) { return Decibel{random.below(4) == 0 ? 0 : most * random.uniform()}; };
  LinkBudget budget;
  budget.laser = Power{ratio_of(Decibel{-20 + 40 * random.uniform()})};
  budget.sensitivity = Power{budget.laser.value / ratio_of(decibels(60))};
  budget.modulator_loss = decibels(5);
  budget.coupler_loss = decibels(3);
  budget.drop_loss = decibels(3);
  budget.through_loss = decibels(0.02);
  if (random.below(2) == 0) budget.rings_per_node = static_cast<int>(random.below(200));
  budget.hop_loss = decibels(0.1);
  budget.crosstalk_model = static_cast<CrosstalkModel>(random.below(3));
  budget.crosstalk_penalty = decibels(3);
  budget.crosstalk_suppression = Decibel{20 + 40 * random.uniform()};
  budget.other_margin = decibels(5);
  return budget;
}

RC_GTEST_PROP(LinkBudget, ClosesUpToTheLargestNumberOfHopsAndNoFurther, (std::uint64_t seed)) {
  Random random(seed);
  const LinkBudget budget = any_budget(random);
  const int w = 1 + static_cast<int>(random.below(128)), largest = largest_hops(budget, w);
  const int hops = 1 + static_cast<int>(random.below(3000));
  RC_ASSERT(closes(budget, hops, w) == (hops <= largest));
  if (largest > 0) RC_ASSERT(closes(budget, largest, w));
  if (largest < kUnbounded) RC_ASSERT(!closes(budget, largest + 1, w));
  RC_ASSERT(loss(budget, hops + 1, w) >= loss(budget, hops, w));
  RC_ASSERT(loss(budget, hops, w + 1) >= loss(budget, hops, w));
  RC_ASSERT(margin(budget, hops + 1, w) <= margin(budget, hops, w));

  // A stronger laser never shortens the reach.
  LinkBudget stronger = budget;
  stronger.laser = budget.laser * 2;
  RC_ASSERT(largest_hops(stronger, w) >= largest);
}

RC_GTEST_PROP(LinkBudget, TheVerdictAgreesWithItself, (std::uint64_t seed)) {
  Random random(seed);
  const LinkBudget budget = any_budget(random);
  const int w = 1 + static_cast<int>(random.below(128)), hops = 1 + static_cast<int>(random.below(3000));
  const Verdict verdict = judge(budget, hops, w);
  RC_ASSERT(verdict.closes_passively == closes(budget, hops, w));
  RC_ASSERT(verdict.closes_passively == (verdict.regenerators == 0));
  RC_ASSERT(verdict.regenerators.has_value() == (verdict.largest_hops > 0));
  RC_ASSERT(!verdict.sentence.empty());
  if (!verdict.regenerators || verdict.closes_passively) return;

  // With them every piece closes, with one less the longest does not.
  const int pieces = *verdict.regenerators + 1;
  RC_ASSERT(closes(budget, (hops + pieces - 1) / pieces, w));
  RC_ASSERT(!closes(budget, (hops + pieces - 2) / (pieces - 1), w));
  RC_ASSERT(verdict.added_delay == budget.regenerator_delay * (pieces - 1));
}

RC_GTEST_PROP(LinkBudget, TheLargestRingIsWhereItTurns, (std::uint64_t seed)) {
  Random random(seed);
  const LinkBudget budget = any_budget(random);
  const int w = 1 + static_cast<int>(random.below(128)), most = 1 + static_cast<int>(random.below(5000));
  const int divisor = 1 + static_cast<int>(random.below(9));
  const auto path = [&](int nodes) { return 1 + nodes / divisor; };
  const int nodes = largest_ring(budget, w, path, most);
  RC_ASSERT(nodes >= 1);
  RC_ASSERT(nodes <= most);
  if (nodes > 1) RC_ASSERT(closes(budget, path(nodes), w));
  if (nodes < most) RC_ASSERT(!closes(budget, path(nodes + 1), w));
}

}  // namespace
}  // namespace helio::photonics
