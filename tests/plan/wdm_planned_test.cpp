// SPDX-License-Identifier: Apache-2.0
#include "plan/wdm_planned.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.h"
#include "plan/auto.h"

namespace helio::plan {
namespace {

pipeline::Result ask(const std::map<std::string, std::string>& fabric, double bytes, const std::string& algorithm,
                     const std::map<std::string, std::string>& settings = {}, bool verify = false,
                     std::optional<schedule::Order> sync = {}) {
  pipeline::Experiment experiment;
  experiment.fabric = {"wdm-ring", "--fabric", {}};
  for (const auto& [name, text] : fabric) experiment.fabric.settings[name] = {text, "--set"};
  pipeline::Collective collective;
  collective.bytes = {Bytes{bytes}, "--bytes"};
  collective.algorithm = {algorithm, "--algorithm", {}};
  for (const auto& [name, text] : settings) collective.algorithm.settings[name] = {text, "--set"};
  collective.verify = verify;
  collective.sync.value = sync;
  return answer(experiment, collective);
}

// papers/wrht.md 6.6: times in ms at 0, 1 and 10 us per step, N = 1024, w = 64, 5 GB/s per wavelength, 25 us retune. The
// planner must reach each of them (they are rounded to a microsecond).
TEST(WdmPlanned, ReachesTheKnownSchedule) {
  const std::vector<std::tuple<double, double, double, double>> table = {{27.19e6, 0.110, 0.304, 0.673},
                                                                         {100e6, 0.337, 0.744, 1.285},
                                                                         {249.2e6, 0.803, 1.648, 2.224},
                                                                         {552e6, 1.748, 2.772, 4.057},
                                                                         {1228e6, 3.859, 4.883, 8.150}};
  for (const auto& [bytes, none, one, ten] : table)
    for (const auto& [overhead, expected] : {std::pair{"0 us", none}, {"1 us", one}, {"10 us", ten}}) {
      const auto result =
          ask({{"nodes", "1024"}, {"step_overhead", overhead}, {"light", "generous"}}, bytes, "wdm-planned");
      EXPECT_LE(result.time_s, (expected + 0.0006) * 1e-3) << bytes << " " << overhead;
      EXPECT_EQ(result.algorithm, "wdm-planned");
    }
}

TEST(WdmPlanned, MeetsTheBoundWithoutStepOverheadAndCloses) {
  const auto result = ask({{"nodes", "1024"}}, 249.2e6, "wdm-planned", {}, true);
  EXPECT_LT(result.bound_ratio, 1.001);
  EXPECT_TRUE(result.verified);
  bool closes = false;
  for (const Fact& fact : result.facts)
    if (fact.name == "closes_passively") closes = std::get<bool>(fact.value);
  EXPECT_TRUE(closes);
  // WRHT as published takes 3 (249.2 MB / 5 GB/s + 25 us) = 149.6 ms and is listed
  bool listed = false;
  for (const auto& other : result.alternatives)
    if (other.algorithm.starts_with("wrht as published")) {
      listed = true;
      EXPECT_NEAR(other.time->to_seconds(), 3 * (249.2e6 / 5e9 + 25e-6), 1e-9);
    }
  EXPECT_TRUE(listed);
}

// Nowhere slower than the best of the baselines, each at stripe 1 and as wide as it goes.
RC_GTEST_PROP(WdmPlanned, IsNeverSlowerThanTheBaselines, ()) {
  const int nodes = *rc::gen::inRange(2, 80), wavelengths = *rc::gen::element(1, 2, 4, 16, 64);
  const double bytes = *rc::gen::element(1.0, 1e4, 1e6, 3e7, 1e9);
  const std::string overhead = *rc::gen::element<std::string>("0 us", "1 us", "10 us");
  const std::map<std::string, std::string> fabric = {
      {"nodes", fmt::format("{}", nodes)},
      {"wavelengths", fmt::format("{}", wavelengths)},
      {"step_overhead", overhead},
      {"latency", *rc::gen::element<std::string>("0 s", "0 s", "1 us")},
      {"drive", fmt::format("{}", *rc::gen::element(2 * wavelengths, 2 * wavelengths, wavelengths, 4))},
      {"light", "generous"},  // baselines are run whether they close or not
      {"retune_rule", *rc::gen::element<std::string>("changed", "changed", "every-step")}};
  const auto planned = ask(fabric, bytes, "wdm-planned", {}, true);
  RC_ASSERT(planned.verified);
  RC_ASSERT(planned.time_s >= planned.bound_s * (1 - 1e-12));
  const auto compare = [&](const std::string& algorithm, const std::map<std::string, std::string>& settings) {
    pipeline::Result other;
    try {
      other = ask(fabric, bytes, algorithm, settings);
    } catch (const Error& error) {
      RC_ASSERT(error.kind() == ErrorKind::kInfeasible);
      return;
    }
    if (planned.time_s > other.time_s * (1 + 1e-9))
      RC_FAIL(fmt::format("{} nodes, {} wavelengths, {} bytes, {}: planned {} s, {} {} s", nodes, wavelengths, bytes,
                          overhead, planned.time_s, algorithm, other.time_s));
  };
  for (const std::string& stripe : {std::string("1"), fmt::format("{}", wavelengths)}) {
    for (const char* algorithm : {"ring", "bidirectional-ring", "halving-doubling", "binary-tree"})
      compare(algorithm, {{"stripe", stripe}});
    compare("recursive-doubling", {{"stripe", stripe}});
    compare("wrht", {{"stripe", stripe},
                     {"group", stripe == "1" ? fmt::format("{}", std::min(2 * wavelengths + 1, nodes)) : "3"}});
  }
}

// papers/wrht.md 6.6 leaves the drive open: with 32 of 64 wavelengths for a node each way, half the rate is left, and the plan is
// at that bound: two directions of 16 each.
TEST(WdmPlanned, GoesAsWideAsANodeMayDrive) {
  const auto result = ask({{"nodes", "1024"}, {"drive", "32"}}, 249.2e6, "wdm-planned");
  EXPECT_LT(result.bound_ratio, 1.01);
}

// What the ring offers is used: on 240 nodes with 4 wavelengths retuning hides behind alternating steps; on 61 with drop and
// continue the broadcast goes on all wavelengths.
TEST(WdmPlanned, UsesWhatTheRingOffers) {
  const std::map<std::string, std::string> ahead = {{"nodes", "240"},
                                                    {"wavelengths", "4"},
                                                    {"step_overhead", "10 us"},
                                                    {"retune_ahead", "true"},
                                                    {"light", "generous"}};
  EXPECT_LE(ask(ahead, 1e4, "wdm-planned").time_s,
            ask(ahead, 1e4, "wrht", {{"group", "5"}, {"alternate", "true"}}).time_s);
  const std::map<std::string, std::string> dropping = {
      {"nodes", "61"}, {"step_overhead", "100 us"}, {"multicast", "true"}, {"light", "generous"}};
  EXPECT_LE(ask(dropping, 1e6, "wdm-planned").time_s,
            ask(dropping, 1e6, "wrht", {{"group", "61"}, {"stripe", "2"}, {"multicast", "true"}}).time_s);
}

void expect_infeasible(const std::map<std::string, std::string>& fabric, const std::string& word) {
  try {
    ask(fabric, 1e6, "wdm-planned");
    FAIL() << "planned";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    EXPECT_NE(error.message().find(word), std::string::npos) << error.message();
  }
}

// Light that reaches no neighbour: nothing can be planned where the budget is kept. With 5 hops at most, the plan keeps within.
TEST(WdmPlanned, KeepsTheBudget) {
  expect_infeasible({{"nodes", "64"}, {"enforce_budget", "true"}, {"laser_power", "-30 dBm"}}, "closes");
  const auto result =
      ask({{"nodes", "1024"}, {"enforce_budget", "true"}, {"step_overhead", "10 us"}, {"through_loss", "0.05 dB"}},
          27.19e6, "wdm-planned");
  for (const Fact& fact : result.facts)
    if (fact.name == "closes_passively") {
      EXPECT_TRUE(std::get<bool>(fact.value));
    }
}

const Fact& fact_of(const pipeline::Result& result, std::string_view name) {
  for (const Fact& fact : result.facts)
    if (fact.name == name) return fact;
  throw std::logic_error("no such fact");
}

// 249.2 MB, 1 us a step. Whether it closes or not 32x32 is fastest (papers/wrht.md 6.6: 1.648 ms), with paths of 32 hops; the default budget bears
// fewer (photonics/link_budget_test). Of the chains with a last stride of up to 8 the fastest is 8x128: 2 (d 7/16/(64 B) + d/8 127/256/(8 B)) =
// 2 (0.340703 + 0.386332) ms, 136 steps of 1 us and 3 retunes of 25 us: 1.665072 ms.
TEST(WdmPlanned, IsTheFastestThatCloses) {
  std::map<std::string, std::string> ring = {{"nodes", "1024"}, {"step_overhead", "1 us"}};
  const auto physical = ask(ring, 249.2e6, "wdm-planned");
  EXPECT_TRUE(std::get<bool>(fact_of(physical, "closes_passively").value));
  EXPECT_EQ(std::get<double>(fact_of(physical, "longest_path_hops").value), 8);
  EXPECT_LT(std::get<double>(fact_of(physical, "reach_hops").value), 16);
  EXPECT_NEAR(physical.time_s, 1.665072e-3, 1e-9);
  // The other stands beside it, and so does WRHT, whose light does not arrive either
  const auto& others = physical.alternatives;
  ASSERT_FALSE(others.empty());
  EXPECT_EQ(others.front().algorithm, "whether it closes or not: circulant (radices 32x32)");
  EXPECT_EQ(others.front().verdict, "infeasible");
  EXPECT_NEAR(others.front().time->to_seconds(), 1.648e-3, 0.6e-6);
  EXPECT_NE(others.front().reason.find("32 hops"), std::string::npos) << others.front().reason;
  EXPECT_EQ(std::ranges::count_if(others, [](const auto& other) { return other.algorithm.ends_with("32x32)"); }), 1);

  // On demand the budget is left open; with amplifiers more of them close, with regenerators all
  const auto time_with = [&](const char* name, const char* value) {
    auto changed = ring;
    changed[name] = value;
    return ask(changed, 249.2e6, "wdm-planned").time_s;
  };
  EXPECT_EQ(time_with("enforce_budget", "false"), others.front().time->to_seconds());
  EXPECT_EQ(time_with("light", "generous"), others.front().time->to_seconds());
  EXPECT_LE(time_with("amplifiers", "true"), physical.time_s);
  EXPECT_LT(time_with("regenerators", "true"), physical.time_s);
}

// 1,024 wavelengths on a bus of 20 dBm have -10 dBm each, and a hop costs 5 dB: not one closes. On 32 fibres of 32 all is well.
TEST(WdmPlanned, SaysWhenNothingCloses) {
  expect_infeasible({{"nodes", "64"}, {"wavelengths", "1024"}}, "nothing closes");
  EXPECT_LT(ask({{"nodes", "64"}, {"wavelengths", "32"}, {"fibres", "32"}}, 249.2e6, "wdm-planned").bound_ratio, 1.01);
}

// Dataflow order and drive exclude each other on this ring, whatever the schedule: what helps is said, not what was tried.
TEST(WdmPlanned, KeepsTheAdviceOfARefusal) {
  try {
    ask({{"nodes", "16"}, {"drive", "1"}}, 1e6, "wdm-planned", {}, false, schedule::Order::kDataflow);
    FAIL() << "planned";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    EXPECT_NE(error.message().find("rounds run into each other"), std::string::npos) << error.message();
    EXPECT_NE(error.advice().find("sync=step"), std::string::npos) << error.advice();
  }
}

// A static ring on all wavelengths of all segments, which nobody takes apart: the bound, at any size, and comparisons by closed form.
TEST(WdmPlanned, LargeRings) {
  const auto result =
      ask({{"nodes", "4096"}, {"wavelengths", "1024"}, {"light", "generous"}}, 249.2e6, "wdm-planned", {}, true);
  EXPECT_TRUE(result.verified);
  EXPECT_LT(result.bound_ratio, 1.001);
  EXPECT_EQ(result.steps, 4096u);  // of 2 x 2048; bidirectional-ring takes 2 x 4095 for the same time
  EXPECT_EQ(result.wavelengths_used, 1024u);
  EXPECT_NE(result.bottleneck.find("(like 8388607 more)"), std::string::npos) << result.bottleneck;  // 2 x 2^12 x 2^10
  for (const auto& other : result.alternatives)
    if (other.algorithm.starts_with("wrht as published")) {
      EXPECT_NE(other.reason.find("closed form"), std::string::npos);
    }
}

// Wavelengths that a schedule never takes apart are one resource, and nothing tells. With a remedy allowed, which might take them
// apart, each is its own.
RC_GTEST_PROP(WdmPlanned, BundlesOfWavelengthsChangeNothing, ()) {
  const int nodes = *rc::gen::inRange(2, 40), stripe = *rc::gen::element(2, 4, 6);
  pipeline::Experiment experiment;
  experiment.fabric = {"wdm-ring", "", {}};
  for (const auto& [name, text] :
       std::map<std::string, std::string>{{"nodes", fmt::format("{}", nodes)},
                                          {"wavelengths", fmt::format("{}", stripe * *rc::gen::inRange(1, 6))},
                                          {"latency", *rc::gen::element<std::string>("0 s", "1 us")},
                                          {"retune_rule", *rc::gen::element<std::string>("changed", "every-step")}})
    experiment.fabric.settings[name] = {text, ""};
  pipeline::Collective collective;
  collective.bytes.value = Bytes{1e6};
  collective.algorithm = {
      *rc::gen::element<std::string>("ring", "bidirectional-ring", "halving-doubling", "circulant"), "", {}};
  collective.algorithm.settings["stripe"] = {fmt::format("{}", stripe), ""};
  collective.sync.value = *rc::gen::element(schedule::Order::kStep, schedule::Order::kDataflow);
  const auto bundled = answer(experiment, collective, {.picture = true});
  collective.remedies.value = {fabric::Remedy::kBlock};
  const auto apart = answer(experiment, collective, {.picture = true});
  RC_ASSERT(bundled.time == apart.time);
  RC_ASSERT(bundled.steps == apart.steps);
  RC_ASSERT(bundled.wavelengths_used == apart.wavelengths_used);
  RC_ASSERT(bundled.bottleneck == apart.bottleneck);
  RC_ASSERT(std::abs(bundled.traffic.value - apart.traffic.value) <= 1e-12 * apart.traffic.value);
  const auto& seen = std::get<fabric::LitRing>(bundled.picture);
  const auto& expected = std::get<fabric::LitRing>(apart.picture);
  RC_ASSERT(seen.steps.size() == expected.steps.size());
  for (std::size_t i = 0; i < seen.steps.size(); ++i)
    RC_ASSERT(std::ranges::equal(seen.steps[i].paths, expected.steps[i].paths, [](const auto& a, const auto& b) {
      return std::tie(a.source, a.destination, a.direction, a.first, a.width) ==
             std::tie(b.source, b.destination, b.direction, b.first, b.width);
    }));
}

TEST(WdmPlanned, ChoosesItsParametersItself) {
  EXPECT_THROW(ask({{"nodes", "8"}}, 1e6, "wdm-planned", {{"group", "3"}}), Error);
}

TEST(WdmPlanned, OneNodeHasItsResult) { EXPECT_EQ(ask({{"nodes", "1"}}, 1e6, "wdm-planned").time_s, 0); }

}  // namespace
}  // namespace helio::plan
