// SPDX-License-Identifier: Apache-2.0
// Wafers joined by seven machines: the same injection for all, times that no bound exceeds, switches that bracket the change.
#include <gtest/gtest.h>

#include <set>

#include "fabric/composite/composite.h"
#include "fabric/fabric.h"
#include "studies/joined_wafers/chapters.h"

namespace helio::studies::one_system_study {
namespace {

constexpr System kFredFatTree{Inside::kFredD, Between::kFatTree}, kMeshFatTree{Inside::kMesh, Between::kFatTree},
    kFredOptinc{Inside::kFredD, Between::kOptinc}, kFredWrht{Inside::kFredD, Between::kWrht};

// Iterations that several tests ask for run once.
Runs& runs() {
  static Runs all{pipeline::RunOptions{}};
  return all;
}

// What the contract asks for: seven of them, and whatever joins the wafers, each hands over the same at once.
TEST(OneSystem, EveryMachineHasTheSameInjectionPerWafer) {
  std::set<std::string> names;
  for (const System& system : systems())
    for (const double injection : {kInjection, 0.37e12}) {
      names.insert(name_of(system));
      const auto fabric = fabric::make("composite", {{"levels", {levels_of(system, injection), "test"}}});
      const fabric::LevelsPicture picture = fabric::levels_picture(*fabric).value();
      ASSERT_EQ(picture.levels.size(), 2u);
      EXPECT_EQ(picture.levels[0].instances, 64u);
      EXPECT_EQ(picture.levels[0].units, 20u);
      EXPECT_EQ(picture.levels[1].units, 64u);
      EXPECT_TRUE(picture.levels[1].gateways.empty());
      EXPECT_NEAR(picture.levels[1].injection.value / injection, 1, 1e-9) << name_of(system);
      EXPECT_NEAR(fabric->capabilities().io_rate.value / (64 * 8 * kIo), 1, 1e-9) << name_of(system);
    }
  EXPECT_EQ(names.size(), 7u);
}

// A step at 7: found from below, from above and from where it is, to 2 %.
TEST(OneSystem, BisectionBracketsAStep) {
  for (const double guess : {0.1, 6.99, 7.0, 300.0}) {
    const Bracket found = least_injection(guess, [](double injection) { return injection >= 7; });
    EXPECT_LT(found.without, 7);
    EXPECT_GE(found.with, 7);
    EXPECT_LE(found.with, 1.02 * found.without);
  }
}

// Transformer-1T has 2.016 TB of gradients. Without help 2·63/64 of them leave a wafer: at 0.32 Tb/s 3.969 TB over 40 GB/s are 99.2 s;
// as codes of OptINC half of them, 25.2 s. 16.73 s are computed, 4 x 4184 TFLOP by 1 PFLOPS, and a quarter of that before the first
// gradient. An iteration takes at least the longer of both and, since a layer is exchanged while others are computed, no more than both
// and what its wafer adds (4 passes of the gradients over links of 3 TB/s: 2.7 s).
TEST(OneSystem, BoundsHoldAndExplainTheTimes) {
  for (const System& system : {kFredFatTree, kFredOptinc}) {
    const Question question{system, &kTransformer1T, 0.32e12};
    const IterationBound bound = runs().bound(question);
    EXPECT_NEAR(bound.between, 4.18 + (system == kFredOptinc ? 25.2 : 99.2), 0.05);
    EXPECT_NEAR(bound.compute, 16.73, 0.01);
    EXPECT_NEAR(bound.streaming, 1.75, 0.005);  // 4.032 TB over 2.304 TB/s
    EXPECT_STREQ(bound.binds(), "between wafers");
    EXPECT_GE(runs().seconds(question), bound.seconds());
    EXPECT_LE(runs().seconds(question), bound.between + bound.compute + 2.7);
  }
  // With plenty of it, computing is all
  const Question plenty{kFredFatTree, &kTransformer1T, kPlenty};
  EXPECT_STREQ(runs().bound(plenty).binds(), "computing");
  EXPECT_GE(runs().seconds(plenty), runs().bound(plenty).seconds());
  EXPECT_LE(runs().seconds(plenty), 1.01 * runs().bound(plenty).seconds());
}

// More injection is never slower, a wafer of FRED-D never slower than one of the mesh behind the same network.
TEST(OneSystem, MoreIsNotSlower) {
  double before = 1e9;
  for (const double rate : kRates) {
    const double fred = runs().seconds({kFredFatTree, &kTransformer1T, rate});
    EXPECT_LE(fred, before);
    EXPECT_LE(fred, runs().seconds({kMeshFatTree, &kTransformer1T, rate}));
    before = fred;
  }
}

// Where a network suffices: just below it an iteration is more than 1 % longer than with plenty, just above not; and what must leave a
// wafer would not have left it before the end at less.
TEST(OneSystem, TheSwitchBracketsTheChange) {
  for (const System& system : {kFredFatTree, kFredOptinc}) {
    const Bracket found = sufficient(runs(), system, kTransformer1T);
    const double most = sufficient_seconds(runs(), system, kTransformer1T);
    EXPECT_GT(runs().seconds({system, &kTransformer1T, found.without}), most);
    EXPECT_LE(runs().seconds({system, &kTransformer1T, found.with}), most);
    EXPECT_LE(found.with, 1.02 * found.without);
    EXPECT_GE(found.with / 8, least_sent(system) * 2 * kTransformer1T.parameters / (most - 4.18));
  }
}

// FRED-D behind WRHT is slower than the mesh behind a fat-tree at 5.12 Tb/s and faster somewhere above: the bracket is where it changes.
TEST(OneSystem, TheWaferDecidesOnceTheNetworkDoesNot) {
  EXPECT_GT(runs().seconds({kFredWrht, &kGpt3, kInjection}), runs().seconds({kMeshFatTree, &kGpt3, kInjection}));
  const Bracket found = overtaking(runs(), kFredWrht, kMeshFatTree, kGpt3);
  EXPECT_GT(found.without, kInjection);
  EXPECT_GE(runs().seconds({kFredWrht, &kGpt3, found.without}), runs().seconds({kMeshFatTree, &kGpt3, found.without}));
  EXPECT_LT(runs().seconds({kFredWrht, &kGpt3, found.with}), runs().seconds({kMeshFatTree, &kGpt3, found.with}));
}

}  // namespace
}  // namespace helio::studies::one_system_study
