// SPDX-License-Identifier: Apache-2.0
#include "photonics/link_budget.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/random.h"
#include "photonics/bit_error.h"

namespace helio::photonics {
namespace {

// The scale check of the WRHT spec, 2.6: 30 dB, of which nothing is lost but 0.005 dB in each ring passed.
LinkBudget scale_check() {
  LinkBudget budget = generous();
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
  LinkBudget budget = generous();
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
  budget.receiver.given = Power{1e-6};
  budget.crosstalk_penalty = Decibel{1000};
  budget.other_margin = Decibel{2000};
  EXPECT_NEAR(margin(budget, 3, 7).value, -3061.36, 1e-9);
}

TEST(LinkBudget, TheCrosstalkModelsDiffer) {
  // 63 others at 40 dB: X = 0.0063. Eye: −10 log₁₀ 0.9937 = 0.02745 dB; noise at 1e-9: 3.052 dB (bit_error_test).
  LinkBudget budget = generous();
  EXPECT_DOUBLE_EQ(penalties(budget, 1, 64).value, 1);
  budget.crosstalk_model = CrosstalkModel::kEye;
  EXPECT_NEAR(penalties(budget, 1, 64).value, 0.02745, 1e-5);
  budget.crosstalk_model = CrosstalkModel::kNoise;
  EXPECT_NEAR(penalties(budget, 1, 64).value, 3.052, 1e-3);
  // Alone on the fibre nothing interferes.
  EXPECT_EQ(penalties(budget, 1, 1).value, 0);
  // 1e-15 needs an SNR of 4 · 33.845 = 135.4, 0.0063 · 135.4 = 0.853: 8.327 dB.
  budget.receiver.target_ber = 1e-15;
  EXPECT_NEAR(penalties(budget, 1, 64).value, 8.327, 0.01);
}

TEST(LinkBudget, WrhtOn1024NodesDoesNotClose) {
  // A hop: 64 · 0.005 + 0.002 = 0.322 dB. 516 · 0.322 = 166.152, ends 5: 171.152 dB. 30 − 171.152 − 1 = −142.152.
  // (30 − 5 − 1) / 0.322 = 74.53: 74 hops. ⌈516/74⌉ − 1 = 7 − 1 = 6 regenerators: 6 · 10 ns, 6 · 3 pJ.
  const Verdict verdict = judge(generous(), 516, 64);
  EXPECT_NEAR(verdict.loss.value, 171.152, 1e-9);
  EXPECT_NEAR(verdict.margin.value, -142.152, 1e-9);
  EXPECT_FALSE(verdict.closes_passively);
  EXPECT_EQ(verdict.largest_hops, 74);
  EXPECT_EQ(verdict.regenerators, 6);
  EXPECT_EQ(verdict.added_delay, Time::nanoseconds(60));
  EXPECT_NEAR(verdict.added_energy.value, 18e-12, 1e-21);
  EXPECT_EQ(verdict.sentence,
            "516 hops of 0.322 dB cost 166.2 dB, the ends 5 dB, penalties 1 dB; 30 dB are there: 74 hops at most; does "
            "not close passively; 6 regenerators on the longest path would (60 ns and 18 pJ a bit); 8 amplifiers would "
            "(OSNR 29.7 dB)");
}

TEST(LinkBudget, SixtyFourHopsClose) {
  // 64 · 0.322 = 20.608, ends 5: 25.608 dB; 30 − 25.608 − 1 = 3.392 dB.
  const Verdict verdict = judge(generous(), 64, 64);
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
  LinkBudget dark = generous();
  dark.laser = Power{1e-6};
  const Verdict none = judge(dark, 1, 64);
  EXPECT_EQ(none.largest_hops, 0);
  EXPECT_FALSE(none.closes_passively);
  EXPECT_EQ(none.regenerators, std::nullopt);
  EXPECT_NE(none.sentence.find("not enough for one hop"), std::string::npos);

  LinkBudget clear = generous();
  clear.through_loss = clear.hop_loss = Decibel{0};
  const Verdict any = judge(clear, 1'000'000'000, 64);
  EXPECT_EQ(any.largest_hops, kUnbounded);
  EXPECT_TRUE(any.closes_passively);
  EXPECT_NE(any.sentence.find("any number of hops"), std::string::npos);
}

TEST(LinkBudget, DrownedInCrosstalkNothingHelps) {
  // 63 others at 35 dB: 0.0199 of the signal, where at most 1/80 may be.
  LinkBudget budget = generous();
  budget.crosstalk_model = CrosstalkModel::kNoise;
  budget.crosstalk_suppression = Decibel{35};
  const Verdict verdict = judge(budget, 1, 64);
  EXPECT_FALSE(verdict.closes_passively);
  EXPECT_EQ(verdict.regenerators, std::nullopt);
  EXPECT_EQ(verdict.sentence, "crosstalk of 63 wavelengths at -35 dB drowns the signal at any power; does not close");
}

TEST(LinkBudget, NoLightpathLosesNothing) {
  const Verdict verdict = judge(generous(), 0, 64);
  EXPECT_EQ(verdict.loss.value, 0);
  EXPECT_TRUE(verdict.closes_passively);
  EXPECT_EQ(verdict.sentence, "no lightpath is used");
}

// The bus of 20 dBm leaves each of 64 wavelengths 100/64 = 1.5625 mW, 1.938 dBm, of 10 there are; 8 of them may have all 10 mW.
TEST(LinkBudget, TheBusBearsSoMuch) {
  EXPECT_NEAR(in_decibels(launched(LinkBudget{}, 64).value / 1e-3).value, 1.938, 1e-3);
  EXPECT_EQ(launched(LinkBudget{}, 8).value, 10e-3);
  EXPECT_EQ(launched(generous(), 64).value, 10e-3);
}

// The default reading at 40 Gb/s. The residue of the path before: 20 + 0.322 dB below, x = 0.009286. Levels at 6 dB of extinction, r =
// 3.98107: 2r/(r+1) = 1.59848 and 0.40152, roots 1.26431 and 0.63366: 1 - 2 * 0.096362 * 1.26431/0.63065 = 0.61364 of the eye; the filter
// of 125 GHz leaves 1 - 1e-8 or so. Passed nodes at 40 dB, g = 10^0.0322 = 1.07696: of 5 hops g + g^2 + g^3 + g^4 = 4.8311, e = 4.8311e-4.
// Q(2.4e-4) = 3.4919, d = 0.59848: (0.61364 * 0.171391 + 4.8311e-4 * 3.4919/0.61364)^2 - 2 * 4.8311e-4 * 1.59848 = 0.107921^2 - 0.0015445 =
// 0.0101025; 0.171391/0.100511 = 1.7052, 2.3178 dB.
TEST(LinkBudget, LightOfItsOwnWavelengthClosesTheEye) {
  const Disturbance five = disturbance(LinkBudget{}, 5, 64);
  EXPECT_NEAR(five.eye, 0.61364, 1e-4);
  EXPECT_NEAR(five.beating, 4.8311e-4, 1e-7);
  EXPECT_EQ(disturbance(LinkBudget{}, 1, 64).beating, 0);
  EXPECT_FALSE(five.osnr);
  // 63 others at 40 dB: 0.02745 dB more.
  EXPECT_NEAR(penalties(LinkBudget{}, 5, 64).value, 2.3178 + 0.02745, 2e-3);
  // The receiver needs 10 log10(7.0345/3.4919) = 3.0417 dB less than for 1e-12, -9.615 (receiver_test): -12.657 dBm. 1.938 + 12.657 - 5 - 5 *
  // 0.322 = 7.985 dB are there for it.
  EXPECT_NEAR(margin(LinkBudget{}, 5, 64).value, 7.985 - 2.3453, 5e-3);
}

// Nothing beats where nothing is left and nothing is added: then hops cost their loss alone, as in the generous reading.
TEST(LinkBudget, WithoutBeatingHopsCostTheirLoss) {
  LinkBudget budget;
  budget.drop_residue = budget.add_isolation = std::nullopt;
  EXPECT_NEAR((margin(budget, 1, 64) - margin(budget, 11, 64)).value, 3.22, 1e-9);
}

// Six deviations of 0.5 dB are one of 1.2247; 95 % of all lie above -1.6449 of it, -2.0145 dB. The quantile of 500 draws has a standard
// error of 1.2247 sqrt(0.05 * 0.95/500)/0.1031 = 0.116; four of them are allowed. Of the loss of 20 hops 10 % are 0.644 dB: -1.0593, 0.061.
TEST(LinkBudget, ToleranceIsWhatNineteenOfTwentyPathsBear) {
  LinkBudget parts = generous(), hops = generous();
  parts.tolerances.part = Decibel{0.5};
  EXPECT_NEAR((sure_margin(parts, 20, 64) - margin(parts, 20, 64)).value, -2.0145, 0.47);
  hops.tolerances.hop = 0.1;
  EXPECT_NEAR((sure_margin(hops, 20, 64) - margin(hops, 20, 64)).value, -1.0593, 0.25);
  // 24 - 2.0145 dB are 68 hops, and 0.47 dB are 1.5 of them.
  EXPECT_NEAR(sure_hops(parts, 64), 68, 2);
  EXPECT_EQ(largest_hops(parts, 64), 74);
  // Half of all paths are at least as good as they should be: 4 * 1.2247 * 0.5/sqrt(500)/0.3989 = 0.27.
  parts.tolerances.confidence = 0.5;
  EXPECT_NEAR((sure_margin(parts, 20, 64) - margin(parts, 20, 64)).value, 0, 0.28);
  // The same seed draws the same rings.
  LinkBudget other = parts;
  EXPECT_EQ(sure_margin(other, 20, 64).value, sure_margin(parts, 20, 64).value);
  other.tolerances.seed = 2;
  EXPECT_NE(sure_margin(other, 20, 64).value, sure_margin(parts, 20, 64).value);
}

// What closes with confidence is what the margin says with confidence.
TEST(LinkBudget, TheSureReachIsWhereTheSureMarginEnds) {
  for (const int w : {4, 16, 64}) {
    const int sure = sure_hops(LinkBudget{}, w);
    ASSERT_GT(sure, 0) << w;
    EXPECT_LE(sure, largest_hops(LinkBudget{}, w));
    EXPECT_GE(sure_margin(LinkBudget{}, sure, w).value, -1e-9);
    EXPECT_LT(sure_margin(LinkBudget{}, sure + 1, w).value, 0);
  }
}

// 516 hops in the generous reading: the amplifier has 23 dBm for 64 wavelengths, 4.9382 dBm each. 8 of them: pieces of 58 hops, 18.676 dB (7:
// 65 hops, 20.9 dB, more than the gain). OSNR 58 + 4.9382 - 18.676 - 5.5 - 10 log10 8 = 29.7313 dB. The receiver has 4.9382 - 18.676 - 1 - 1 =
// -15.738 dBm, 4.262 dB more than it needs, of which crosstalk takes 1. Noise: B = 28 GHz, e = 2.24/939.99 = 0.0023830; Q = 5.9978,
// d/Q = 0.099784: (0.099784 + 0.014293)^2 - 2 * 0.002383 * 1.59848 = 0.0130136 - 0.0076184 = 0.0053952: 0.099784/0.073452, 1.3305 dB.
TEST(LinkBudget, AmplifiersRestoreThePowerAndAddNoise) {
  const auto mended = amplified(generous(), 516, 64);
  ASSERT_TRUE(mended);
  EXPECT_EQ(mended->amplifiers, 8);
  EXPECT_NEAR(mended->osnr.value, 29.7313, 1e-3);
  EXPECT_NEAR(mended->margin.value, 4.262 - 1 - 1.3305, 3e-3);
  EXPECT_TRUE(judge(generous(), 516, 64).closes_amplified);
  // Parked transmitters 40 dB down at 516 nodes are at least 0.0515 of the signal; (0.10517 + 5.69 e)^2 = 3.197 e says that the eye which the
  // residue leaves bears 0.0055.
  EXPECT_FALSE(amplified(LinkBudget{}, 516, 64));
  EXPECT_FALSE(judge(LinkBudget{}, 516, 64).closes_amplified);
}

TEST(LinkBudget, FactsNameWhatIsThere) {
  const auto names = [](const Verdict& verdict) {
    std::vector<std::string> all;
    for (const Fact& fact : facts_of(verdict)) all.emplace_back(fact.name);
    return all;
  };
  const auto has = [&](const Verdict& verdict, const std::string& name) {
    const auto all = names(verdict);
    return std::ranges::find(all, name) != all.end();
  };
  const Verdict near = judge(generous(), 64, 64), far = judge(generous(), 516, 64);
  EXPECT_TRUE(has(near, "amplifiers_needed"));
  EXPECT_FALSE(has(near, "osnr_db"));
  EXPECT_TRUE(has(far, "osnr_db"));
  // Where nothing mends it, nothing is needed of it.
  LinkBudget dark = generous();
  dark.laser = Power{1e-6};
  EXPECT_FALSE(has(judge(dark, 2, 64), "regenerators_needed"));
  std::set<std::string_view> kinds;
  for (const FactKind& kind : fact_kinds_of_rings()) kinds.insert(kind.name);
  for (const Verdict& verdict : {near, far})
    for (const std::string& name : names(verdict)) EXPECT_TRUE(kinds.contains(name)) << name;
}

TEST(LinkBudget, TheLargestRing) {
  // Whose longest path is half of the ring: 74 hops are ⌊149/2⌋, and ⌊150/2⌋ is one too many.
  const auto half = [](int nodes) { return nodes / 2; };
  EXPECT_EQ(largest_ring(generous(), 64, half, 1 << 20), 149);
  EXPECT_EQ(largest_ring(generous(), 64, half, 149), 149);
  EXPECT_EQ(largest_ring(generous(), 64, half, 100), 100);
  EXPECT_EQ(largest_ring(generous(), 64, half, 1), 1);
  // Neighbours only: all of them. Nobody reaches anybody: a ring of one.
  const auto near = [](int) { return 1; };
  const auto far = [](int) { return 75; };
  EXPECT_EQ(largest_ring(generous(), 64, near, kUnbounded), kUnbounded);
  EXPECT_EQ(largest_ring(generous(), 64, far, 1024), 1);
}

// Any budget of small numbers, some of them zero.
LinkBudget any_budget(Random& random) {
  const auto decibels = [&](double most) { return Decibel{random.below(4) == 0 ? 0 : most * random.uniform()}; };
  LinkBudget budget = random.below(2) == 0 ? generous() : LinkBudget{};
  budget.tolerances.part = Decibel{0};
  budget.tolerances.hop = 0;
  if (random.below(2) == 0) budget.receiver.target_ber = 1e-12;
  budget.laser = Power{ratio_of(Decibel{-20 + 40 * random.uniform()})};
  budget.receiver.given = Power{budget.laser.value / ratio_of(decibels(60))};
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
