// SPDX-License-Identifier: Apache-2.0
#include "fabric/wdm/sip_ring.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "fabric/timed.h"
#include "photonics/link_budget.h"

namespace helio::fabric {
namespace {

using schedule::Kind;
using schedule::request_on_all;

// VGG19 in FP32 on 1024 nodes (papers/oddl.md 4.3), 1 us a step: the all-reduce of section 6.
constexpr double kVgg = 574668960;

double vgg(const char* algorithm, const char* interval, const char* retune) {
  return seconds(time_on(
      "sip-ring", settings({{"nodes", "1024"}, {"interval", interval}, {"retune", retune}, {"step_overhead", "1 us"}}),
      algorithm, request_on_all(Kind::kAllReduce, Bytes{kVgg}, 1024)));
}

// papers/oddl.md 7, item 9: one way round a node has half of its 4 x 25 Gb/s, both ways all of it. 2 * 1023 steps of 1 us and
// 561 kB at 50 Gb/s are 185.8 ms (the 223 ms of H1 less 37.3 ms of compute); at 100 Gb/s 93.9 ms.
TEST(SipRing, NeighboursGetHalfTheRateOneWayAndAllOfItBothWays) {
  const double one = 2 * 1023 * (1e-6 + kVgg / 1024 * 8 / 50e9), both = 2 * 1023 * (1e-6 + kVgg / 1024 * 8 / 100e9);
  EXPECT_NEAR(vgg("ring", "100 us", "0 s"), one, 1e-9 * one);
  EXPECT_NEAR(vgg("bidirectional-ring", "100 us", "0 s"), both, 1e-9 * both);
  EXPECT_NEAR(one, 185.8e-3, 0.1e-3);
  EXPECT_NEAR(both, 93.9e-3, 0.05e-3);
}

// H6 (papers/oddl.md 6): 50 Gb/s and 25 us dark for each interval of 300 us: 2 * 1023 steps of 1 us and 561 kB at 50 * 300/325 Gb/s,
// after 25 us: 201.1 ms, which with 59.2 ms of compute is 260 ms.
TEST(SipRing, TheH6Setting) {
  const double expected = 25e-6 + 2 * 1023 * (1e-6 + kVgg / 1024 * 8 / (50e9 * 300 / 325));
  EXPECT_NEAR(vgg("ring", "300 us", "25 us"), expected, 1e-9 * expected);
  EXPECT_NEAR(59.2e-3 + expected, 260e-3, 0.5e-3);
}

// papers/oddl.md 3.1: duty 80 % at 100 and 25 us, 83 % at 100 and 20 us. Two nodes; 8 wavelengths of 1 B/s are 4 each way round, and
// between two nodes both ways are as short: 8 B/s. Broadcast of 80 B: 10 s of light.
TEST(SipRing, Duty) {
  const auto request = request_on_all(Kind::kBroadcast, Bytes{80}, 2);
  const auto with = [&](const char* retune) {
    return seconds(time_on("sip-ring",
                           settings({{"nodes", "2"}, {"wavelengths", "8"}, {"rate", "8 b/s"}, {"retune", retune}}),
                           "direct", request));
  };
  EXPECT_NEAR(with("0 s"), 10, 1e-9);
  EXPECT_NEAR(with("25 us"), 10 / 0.8 + 25e-6, 1e-9);
  EXPECT_NEAR(with("20 us"), 10 / (100.0 / 120) + 20e-6, 1e-9);
}

// Halving-doubling on 4 nodes with 4 wavelengths each way: at distance 1 a pair has a segment of its own each way, at distance 2 the
// four ways of 2 segments share two rings of 4: 4 wavelengths for all. 24 B: 12 and 6 B out and back at 4 B/s, 9 s. The allocation
// is set at the start, changes between the distances, and on the way back: 3 times; in the middle it stays.
TEST(SipRing, AnotherAllocationIsDarkOnceMore) {
  const auto request = request_on_all(Kind::kAllReduce, Bytes{24}, 4);
  const auto with = [&](const char* retune, const char* decisions) {
    return seconds(time_on("sip-ring",
                           settings({{"nodes", "4"},
                                     {"wavelengths", "8"},
                                     {"rate", "8 b/s"},
                                     {"interval", "4 s"},
                                     {"retune", retune},
                                     {"decisions", decisions}}),
                           "halving-doubling", request));
  };
  EXPECT_NEAR(with("0 s", "at-change"), 9, 1e-9);
  EXPECT_NEAR(with("1 s", "at-change"), 9 / 0.8 + 3, 1e-9);
  // A period is 5 s: half of it before each decision
  EXPECT_NEAR(with("1 s", "periodic"), 9 / 0.8 + 3 * 3.5, 1e-9);
}

// Steps by hand, clockwise on 16 nodes with one wavelength each way: (source, slots) to the next node. Slots are 1 B, at 1 B/s; 4 s
// of light and 1 s dark.
double by_hand(const std::vector<std::vector<std::pair<int, std::uint32_t>>>& steps) {
  const auto fabric = make(
      "sip-ring",
      settings({{"nodes", "16"}, {"wavelengths", "2"}, {"rate", "8 b/s"}, {"interval", "4 s"}, {"retune", "1 s"}}));
  flow::Program program;
  const auto carrier = fabric->install(program);
  schedule::Schedule schedule;
  schedule.algorithm = "by hand";
  schedule.ranks = 16;
  schedule.chunks = 16;
  for (const auto& step : steps) {
    schedule.phases.emplace_back();
    for (const auto& [source, slots] : step) {
      schedule::Move move;
      move.source = source;
      move.destination = source + 1;
      move.count = slots;
      move.lane.direction = 0;
      schedule.phases.back().moves.push_back(move);
    }
  }
  const LowerResult result = carrier->lower(schedule, request_on_all(Kind::kAllReduce, Bytes{16}, 16), {});
  program.entry = std::get<Lowered>(result).entry;
  flow::check(program);
  return simulate::simulate(program).end.to_seconds();
}

// The second step keeps 0→1 as it was and adds 4→5: the whole ring is dark again, 0→1 too. 1 s and 1 B, then 1 s and 4 B, at 0.8 B/s.
TEST(SipRing, AChangeAnywhereDarkensAll) { EXPECT_NEAR(by_hand({{{0, 1}}, {{0, 4}, {4, 1}}}), 2 + 5 / 0.8, 1e-9); }

// Nobody else touches the transmitter of 0 in between, but what comes back is another decision all the same: 3 s dark for 3 B.
TEST(SipRing, WhatComesBackIsDarkAgain) {
  EXPECT_NEAR(by_hand({{{0, 1}}, {{4, 1}}, {{0, 1}}}), 3 + 3 / 0.8, 1e-9);
  // What stays is not
  EXPECT_NEAR(by_hand({{{0, 1}}, {{0, 1}}, {{0, 1}}}), 1 + 3 / 0.8, 1e-9);
}

// All-to-all on 4 nodes with one wavelength each way: 8 neighbours of 1 segment and 4 pairs of 2 are 16 of the 8 segments: 2 turns of
// 4 B at 1 B/s. Each turn is another allocation, dark for 1 s; duty 1000/1001.
TEST(SipRing, EveryTurnIsDark) {
  const auto request = request_on_all(Kind::kAllToAll, Bytes{16}, 4);
  const auto with = [&](const char* retune) {
    return time_on(
        "sip-ring",
        settings({{"nodes", "4"}, {"wavelengths", "2"}, {"rate", "8 b/s"}, {"interval", "1000 s"}, {"retune", retune}}),
        "direct", request);
  };
  const Timed light = with("0 s"), dark = with("1 s");
  EXPECT_EQ(light.timeline.steps, 2u);
  EXPECT_NEAR(seconds(light), 8, 1e-9);
  EXPECT_NEAR(seconds(dark), 2 * (4 * 1.001 + 1), 1e-9);
}

// Two groups that interleave: each segment carries one transfer of each, so that each has half of the wavelengths.
TEST(SipRing, GroupsShareTheWavelengths) {
  schedule::CollectiveRequest alone{Kind::kAllReduce, Bytes{32}, {{{0}, {2}, {4}, {6}}}};
  schedule::CollectiveRequest two{Kind::kAllReduce, Bytes{32}, {{{0}, {2}, {4}, {6}}, {{1}, {3}, {5}, {7}}}};
  const auto s = settings({{"nodes", "8"}, {"rate", "8 b/s"}, {"retune", "0 s"}});
  // 6 steps of 8 B at 2 B/s; the long way is 6 segments, 4 of them would need 24 of 8 * 2 free ones
  EXPECT_NEAR(seconds(time_on("sip-ring", s, "ring", alone)), 24, 1e-9);
  EXPECT_NEAR(seconds(time_on("sip-ring", s, "ring", two)), 48, 1e-9);
}

TEST(SipRing, DataflowEqualsStepWhereAllAreAlike) {
  const auto s =
      settings({{"nodes", "8"}, {"rate", "8 b/s"}, {"interval", "4 s"}, {"retune", "1 s"}, {"latency", "1 s"}});
  const auto request = request_on_all(Kind::kAllReduce, Bytes{16}, 8);
  // 14 steps of 1 s and 2 B at 2 * 0.8 B/s, after 1 s
  EXPECT_NEAR(seconds(time_on("sip-ring", s, "ring", request)), 14 * 2.25 + 1, 1e-9);
  EXPECT_NEAR(seconds(time_on("sip-ring", s, "ring", request, schedule::Order::kDataflow)), 14 * 2.25 + 1, 1e-9);
}

// papers/oddl.md 3.1, consequence (b): 4 wavelengths over 5 rings and two directions are none.
TEST(SipRing, WavelengthsThatDoNotGoRound) {
  try {
    make("sip-ring", settings({{"nodes", "8"}, {"wavelengths", "4"}, {"rings", "5"}}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
  }
  EXPECT_THROW(make("sip-ring", settings({{"nodes", "8"}, {"retune", "-1 us"}})), Error);
  EXPECT_THROW(make("sip-ring", settings({{"nodes", "8"}, {"interval", "0 s"}})), Error);
  EXPECT_THROW(make("sip-ring", settings({{"nodes", "1048576"}, {"wavelengths", "4096"}})), Error);
}

TEST(SipRing, WavelengthsThatAScheduleFixesAreRefused) {
  const auto fabric = make("sip-ring", settings({{"nodes", "4"}}));
  flow::Program program;
  const auto carrier = fabric->install(program);
  const auto request = request_on_all(Kind::kAllReduce, Bytes{4}, 4);
  schedule::Schedule schedule = schedule::build("ring", request, fabric->capabilities());
  schedule.phases[1].moves[2].lane.wavelength = 0;
  const LowerResult result = carrier->lower(schedule, request, {});
  const Refusal* refusal = std::get_if<Refusal>(&result);
  ASSERT_NE(refusal, nullptr);
  EXPECT_EQ(refusal->phase, 1u);
  EXPECT_EQ(refusal->moves, (std::vector<std::uint32_t>{2}));
}

// One budget for all rings of light: 64 wavelengths of a direction at 40 Gb/s are wdm-ring's, and neighbours have one hop, 0.322 dB and 5 dB at
// the ends (photonics/link_budget_test). Parallel rings are buses of their own: on 16 of them 4 wavelengths share one, and a hop costs 0.022 dB.
TEST(SipRing, ItsLightIsJudgedLikeThatOfAnyRing) {
  const auto facts_of = [](const char* rings) {
    const auto fabric =
        make("sip-ring", settings({{"nodes", "16"}, {"wavelengths", "128"}, {"rings", rings}, {"rate", "40 Gb/s"}}));
    flow::Program program;
    const auto carrier = fabric->install(program);
    const auto request = request_on_all(Kind::kAllReduce, Bytes{1e6}, 16);
    const LowerResult result =
        carrier->lower(schedule::build("ring", request, fabric->capabilities(), {}), request, {});
    std::map<std::string, double> numbers;
    for (const Fact& fact : std::get<Lowered>(result).facts)
      if (const double* value = std::get_if<double>(&fact.value)) numbers.emplace(fact.name, *value);
    return numbers;
  };
  EXPECT_EQ(facts_of("1").at("longest_path_hops"), 1);
  EXPECT_NEAR(facts_of("1").at("loss_db"), 5.322, 1e-9);
  EXPECT_NEAR(facts_of("1").at("margin_db"), photonics::margin({}, 1, 64).value, 1e-12);
  EXPECT_EQ(facts_of("1").at("reach_hops"), photonics::sure_hops({}, 64));
  EXPECT_NEAR(facts_of("16").at("loss_db"), 5.022, 1e-9);
  EXPECT_EQ(facts_of("16").at("reach_hops"), photonics::sure_hops({}, 4));
}

}  // namespace
}  // namespace helio::fabric
