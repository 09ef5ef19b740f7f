// SPDX-License-Identifier: Apache-2.0
// Expected values: papers/wrht.md sections 2.5, 2.7, 6.2 and 6.4; a vector of 48 MB at 40 Gb/s (5 GB/s) takes 9.6 ms, a retune 25 us.
#include "fabric/wdm/wdm_ring.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "fabric/carrier.h"
#include "schedule/algorithm.h"
#include "simulate/simulate.h"

namespace helio::fabric {
namespace {

using schedule::CollectiveRequest;
using schedule::Kind;

constexpr double kSend = 9.6e-3, kRetune = 25e-6;

Settings with(std::initializer_list<std::pair<const char*, const char*>> pairs) {
  Settings settings;
  for (const auto& [name, text] : pairs) settings[name] = {text, "test"};
  return settings;
}

struct Ran {
  double seconds = 0;
  std::uint64_t steps = 0;
  Lowered lowered;
  std::string refusal;
};

Ran run(const Settings& fabric_settings, const char* algorithm, const Settings& algorithm_settings = {},
        Kind kind = Kind::kAllReduce, CollectiveRequest request = {}) {
  const auto fabric = make("wdm-ring", fabric_settings);
  if (request.groups.empty())
    request =
        schedule::request_on_all(kind, Bytes{48e6}, static_cast<schedule::Position>(fabric->capabilities().nodes));
  const auto schedule = schedule::build(algorithm, request, fabric->capabilities(), algorithm_settings);
  flow::Program program;
  const auto carrier = fabric->install(program);
  const LowerResult result = carrier->lower(schedule, request, {});
  Ran run;
  if (const auto* refusal = std::get_if<Refusal>(&result)) {
    run.refusal = refusal->reason;
    return run;
  }
  run.lowered = std::get<Lowered>(result);
  program.entry = run.lowered.entry;
  flow::check(program);
  const auto timeline = simulate::simulate(program);
  EXPECT_EQ(timeline.end, simulate::simulate(program, {.jump = false}).end);
  run.seconds = timeline.end.to_seconds();
  run.steps = timeline.steps;
  return run;
}

double number(const Lowered& lowered, const char* name) {
  for (const Fact& fact : lowered.facts)
    if (fact.name == name) return std::get<double>(fact.value);
  return -1;
}

// Three steps of a whole vector, each with new lightpaths: both rules agree.
TEST(WdmRing, FifteenNodesInThreeSteps) {
  for (const char* rule : {"changed", "every-step"}) {
    const Ran r =
        run(with({{"nodes", "15"}, {"wavelengths", "2"}, {"retune_rule", rule}}), "wrht", with({{"group", "5"}}));
    EXPECT_EQ(r.steps, 3u);
    EXPECT_NEAR(r.seconds, 3 * (kSend + kRetune), 1e-12);
    EXPECT_EQ(r.lowered.wavelengths_used, 2u);
    EXPECT_EQ(r.lowered.longest_path_hops, 5u);
  }
}

// A ring never changes its lightpaths: one retune, or one in each of 14 steps of 6 MB.
TEST(WdmRing, NeighboursRetuneOnceUnlessEveryStepIsCharged) {
  EXPECT_NEAR(run(with({{"nodes", "8"}}), "ring").seconds, 14 * kSend / 8 + kRetune, 1e-12);
  EXPECT_NEAR(run(with({{"nodes", "8"}, {"retune_rule", "every-step"}}), "ring").seconds, 14 * (kSend / 8 + kRetune),
              1e-12);
}

// Up and down a binary tree of 4: 1>0 and 3>2, then 2>0, then 0>2, then 0>1 and 2>3. Four different sets of lightpaths, so four
// retunes under both rules. (A lightpath that comes back is in retune_test.)
TEST(WdmRing, EveryNewSetOfLightpathsPays) {
  for (const char* rule : {"changed", "every-step"})
    EXPECT_NEAR(run(with({{"nodes", "4"}, {"retune_rule", rule}}), "binary-tree").seconds, 4 * (kSend + kRetune),
                1e-12);
}

// Recursive doubling: round k loads each link with 2^k paths each way, so ceil(2^k / w) sub-rounds: with w = 4 on 32 nodes
// 1 + 1 + 1 + 2 + 4 = 9 (2.7).
TEST(WdmRing, RoundsAreDividedWhereWavelengthsRunOut) {
  const Ran r = run(with({{"nodes", "32"}, {"wavelengths", "4"}}), "recursive-doubling");
  EXPECT_EQ(r.steps, 9u);
  EXPECT_NEAR(r.seconds, 9 * (kSend + kRetune), 1e-12);
  EXPECT_EQ(r.lowered.wavelengths_used, 4u);
  EXPECT_EQ(run(with({{"nodes", "32"}, {"wavelengths", "4"}, {"fibres", "2"}}), "recursive-doubling").steps,
            6u);  // 1+1+1+1+2
}

// Recursive doubling of 4 nodes with w = 1: neighbours first, one step; then distance 2, where each direction has two paths on some
// segment: two sub-rounds. Three steps of a whole vector.
TEST(WdmRing, SubRoundsCountAsSteps) {
  const Ran r = run(with({{"nodes", "4"}, {"wavelengths", "1"}}), "recursive-doubling");
  EXPECT_EQ(r.steps, 3u);  // distance 1: 1; distance 2: 2
  EXPECT_NEAR(r.seconds, 3 * (kSend + kRetune), 1e-12);
}

// A move on 4 wavelengths takes a quarter of the time; the traffic stays.
TEST(WdmRing, StripesShareTheBytes) {
  EXPECT_NEAR(run(with({{"nodes", "8"}}), "ring", with({{"stripe", "4"}})).seconds, 14 * kSend / 8 / 4 + kRetune,
              1e-12);
  EXPECT_NE(
      run(with({{"nodes", "8"}, {"wavelengths", "2"}}), "ring", with({{"stripe", "4"}})).refusal.find("4 wavelengths"),
      std::string::npos);
}

// Propagation: 5 segments in the all-to-all, 2 in the others, 1 us each.
TEST(WdmRing, HopsTakeTime) {
  const Ran r = run(with({{"nodes", "15"}, {"wavelengths", "2"}, {"latency", "1 us"}}), "wrht", with({{"group", "5"}}));
  EXPECT_NEAR(r.seconds, 3 * (kSend + kRetune) + (2 + 5 + 2) * 1e-6, 1e-12);
}

// 27 nodes in groups of 3 with w = 4: levels 27, 9, 3; three can exchange on one wavelength, so 2 + 1 + 2 = 5 steps, each on
// wavelength 0, or alternately on 0 and 3. Then every step's light rests while the one before runs, which takes 9.6 ms and hides the
// 25 us: only the first retune is left. On the same wavelength nothing rests, and all five remain.
TEST(WdmRing, TuningAheadHidesRetunes) {
  Settings settings = with({{"nodes", "27"}, {"wavelengths", "4"}, {"retune_ahead", "true"}});
  const Ran same = run(settings, "wrht", with({{"group", "3"}}));
  EXPECT_EQ(same.steps, 5u);
  EXPECT_NEAR(same.seconds, 5 * (kSend + kRetune), 1e-12);
  EXPECT_NEAR(run(settings, "wrht", with({{"group", "3"}, {"alternate", "true"}})).seconds, 5 * kSend + kRetune, 1e-12);
  settings.erase("retune_ahead");
  EXPECT_NEAR(run(settings, "wrht", with({{"group", "3"}, {"alternate", "true"}})).seconds, 5 * (kSend + kRetune),
              1e-12);
}

// 15 nodes in groups of 5, w = 2, with drop and continue: the broadcast is one lightpath per side, 2 hops, on both wavelengths: half
// the time. Gather and exchange take a whole vector each.
TEST(WdmRing, DropAndContinueBroadcastsOnAllWavelengths) {
  const Settings fabric = with({{"nodes", "15"}, {"wavelengths", "2"}, {"multicast", "true"}});
  const Ran r = run(fabric, "wrht", with({{"group", "5"}, {"multicast", "true"}}));
  EXPECT_TRUE(r.refusal.empty()) << r.refusal;
  EXPECT_NEAR(r.seconds, 2.5 * kSend + 3 * kRetune, 1e-12);
  EXPECT_EQ(r.lowered.longest_path_hops, 5u);
  // A broadcast to all others by the fabric: the other 15 of 16 nodes, the shorter way round is 15 hops either way
  EXPECT_EQ(
      run(with({{"nodes", "16"}, {"multicast", "true"}}), "in-fabric", {}, Kind::kBroadcast).lowered.longest_path_hops,
      15u);
}

// A representative of five hears four at once.
TEST(WdmRing, ANodeDrivesOnlySoMany) {
  EXPECT_TRUE(run(with({{"nodes", "15"}, {"wavelengths", "2"}, {"drive", "4"}}), "wrht", with({{"group", "5"}}))
                  .refusal.empty());
  EXPECT_NE(run(with({{"nodes", "15"}, {"wavelengths", "2"}, {"drive", "3"}}), "wrht", with({{"group", "5"}}))
                .refusal.find("fabric.drive is 3"),
            std::string::npos);
}

// 516 hops do not arrive (photonics/link_budget.h); said always, refused on demand, mended by regenerators.
TEST(WdmRing, TheLinkBudgetIsReportedAndKeptOnDemand) {
  const Ran r = run(with({{"nodes", "1024"}}), "wrht");
  EXPECT_EQ(number(r.lowered, "longest_path_hops"), 516);
  EXPECT_GT(number(r.lowered, "loss_db"), 100);
  EXPECT_TRUE(r.refusal.empty());
  EXPECT_NE(run(with({{"nodes", "1024"}, {"enforce_budget", "true"}}), "wrht").refusal.find("does not arrive"),
            std::string::npos);
  const Ran mended = run(with({{"nodes", "1024"}, {"enforce_budget", "true"}, {"regenerators", "true"}}), "wrht");
  EXPECT_TRUE(mended.refusal.empty());
  EXPECT_GT(mended.seconds, r.seconds);
}

// 16 hops: the default budget has some left for them, but not for parts that differ (photonics/link_budget_test); the generous one reaches 74.
// An amplifier mends it, and is asked for in vain at 516, where light of the same wavelength is too much.
TEST(WdmRing, LightIsReadPhysicallyUnlessToldOtherwise) {
  const Settings ring = with({{"nodes", "32"}, {"enforce_budget", "true"}});
  const auto and_also = [&](const char* name, const char* value, Settings settings) {
    settings[name] = {value, "test"};
    return settings;
  };
  EXPECT_NE(run(ring, "wrht").refusal.find("does not arrive"), std::string::npos);
  EXPECT_TRUE(run(and_also("light", "generous", ring), "wrht").refusal.empty());
  const Ran amplified = run(and_also("amplifiers", "true", ring), "wrht");
  EXPECT_TRUE(amplified.refusal.empty()) << amplified.refusal;
  EXPECT_EQ(number(amplified.lowered, "amplifiers_needed"), 1);
  EXPECT_NE(run(with({{"nodes", "1024"}, {"enforce_budget", "true"}, {"amplifiers", "true"}}), "wrht")
                .refusal.find("amplifiers would not"),
            std::string::npos);
  // What would change nothing is refused
  EXPECT_THROW(make("wdm-ring", with({{"nodes", "8"}, {"light", "generous"}, {"receiver_noise", "10"}})), Error);
}

// Four groups of four neighbours are disjoint arcs: all use wavelength 0, and take as long as one alone.
TEST(WdmRing, GroupsOnDisjointArcsReuseWavelengths) {
  CollectiveRequest request{Kind::kAllGather, Bytes{48e6}, {}, 0};
  for (std::uint32_t g = 0; g < 4; ++g) {
    request.groups.emplace_back();
    for (std::uint32_t i = 0; i < 4; ++i) request.groups.back().push_back(NodeId{4 * g + i});
  }
  const Ran all = run(with({{"nodes", "16"}, {"wavelengths", "2"}}), "binary-tree", {}, Kind::kBroadcast,
                      {Kind::kBroadcast, request.bytes, request.groups, 0});
  EXPECT_TRUE(all.refusal.empty()) << all.refusal;
  EXPECT_NEAR(all.seconds, 2 * (kSend + kRetune), 1e-12);
}

TEST(WdmRing, WrongValuesAreRefused) {
  EXPECT_THROW(make("wdm-ring", with({{"nodes", "8"}, {"wavelengths", "0"}})), Error);
  EXPECT_THROW(make("wdm-ring", with({{"nodes", "1048576"}, {"wavelengths", "4096"}})), Error);
  EXPECT_THROW(make("wdm-ring", with({{"nodes", "8"}, {"retune_ahead", "true"}, {"retune_rule", "every-step"}})),
               Error);
}

}  // namespace
}  // namespace helio::fabric
