// SPDX-License-Identifier: Apache-2.0
#include "pipeline/traffic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "pipeline/asking.h"

namespace helio::pipeline {
namespace {

// 8 MB at 64 Gb/s, so that all of a node's tokens take 1 ms.
constexpr double kBytes = 8e6, kAll = 1e-3;
const Texts kIdealSwitch = {{"nodes", "8"}, {"rate", "64 Gb/s"}, {"latency", "0 s"}, {"step_overhead", "0 s"}};

TrafficQuestion asking_for(const std::string& fabric, const Texts& settings, double skew,
                           std::uint32_t iterations = 3) {
  return {.fabric = {fabric, "--fabric", settings_of(settings, "fabric.")},
          .bytes = {Bytes{kBytes}, "--bytes"},
          .iterations = iterations,
          .skew = skew};
}

ErrorKind kind_of_error(const TrafficQuestion& question) {
  try {
    run_traffic(question);
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "accepted";
  return ErrorKind::kUsage;
}

TEST(Traffic, PopularityIsDrawnAnewAndSumsToOne) {
  for (const double skew : {0.0, 0.5, 3.0, 8.0}) {
    const std::vector<double> first = popularity(16, skew, 7, 0), second = popularity(16, skew, 7, 1);
    EXPECT_NEAR(std::accumulate(first.begin(), first.end(), 0.0), 1, 1e-12);
    EXPECT_EQ(first, popularity(16, skew, 7, 0));
    if (skew == 0) {
      for (const double part : first) EXPECT_EQ(part, 1.0 / 16);
    } else {
      EXPECT_NE(first, second);
      EXPECT_NE(first, popularity(16, skew, 8, 0));
    }
  }
  // The same draws, exponentiated further: the hottest part can only grow.
  EXPECT_LT(std::ranges::max(popularity(16, 1, 7, 0)), std::ranges::max(popularity(16, 2, 7, 0)));
}

// Parts that are whole numbers of slots are met exactly; what arrives at one node lies side by side.
TEST(Traffic, AnExchangeMovesThePartsAndNoSlotIsWrittenTwice) {
  const std::vector<double> parts = {0.5, 0.25, 0.125, 0.125};
  const schedule::Schedule schedule = exchange(parts);
  EXPECT_NO_THROW(schedule::check(schedule));
  EXPECT_EQ(schedule.kind, schedule::Kind::kAllToAll);
  ASSERT_EQ(schedule.phases.size(), 1u);
  EXPECT_EQ(schedule.phases[0].moves.size(), 12u);
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> arrived(4);
  for (const schedule::Move& move : schedule.phases[0].moves) {
    const auto to = static_cast<std::size_t>(move.destination);
    EXPECT_EQ(move.count, parts[to] * schedule.chunks);
    EXPECT_LE(std::uint64_t{move.source_slot} + move.count, schedule.chunks);
    EXPECT_LE(std::uint64_t{move.destination_slot} + move.count, schedule.scratch);
    arrived[to].push_back({move.destination_slot, move.destination_slot + move.count});
  }
  for (auto& ranges : arrived) {
    std::ranges::sort(ranges);
    for (std::size_t i = 1; i < ranges.size(); ++i) EXPECT_LE(ranges[i - 1].second, ranges[i].first);
  }
}

// A fifth of 3·⌊2^31/9⌋ is no whole number of slots: the row is still complete, and nobody is off by more than one.
TEST(Traffic, RoundedPartsAreStillTheWholeRow) {
  const schedule::Schedule schedule = exchange({1.0 / 3, 1.0 / 5, 1 - 1.0 / 3 - 1.0 / 5});
  std::vector<std::uint64_t> from_0(3, 0);
  std::uint64_t own = 0;
  for (const schedule::Move& move : schedule.phases[0].moves) {
    if (move.source == 0) from_0[static_cast<std::size_t>(move.destination)] = move.count;
    if (move.source == 1 && move.destination == 0) own = move.count;  // what 0 would send to itself
  }
  EXPECT_NEAR(static_cast<double>(from_0[1]), schedule.chunks / 5.0, 1);
  EXPECT_NEAR(static_cast<double>(own), schedule.chunks / 3.0, 1);
  ASSERT_NE(schedule.chunks % 5, 0u);
  EXPECT_EQ(own + from_0[1] + from_0[2], schedule.chunks);
}

// Each node sends 7/8 of its bytes and receives as much; all links are full all the time, and all flows end together.
TEST(Traffic, AnEvenExchangeFillsAnIdealSwitch) {
  const TrafficResult result = run_traffic(asking_for("switch", kIdealSwitch, 0));
  const double each = 7.0 / 8 * kAll;
  EXPECT_NEAR(result.time.to_seconds(), 3 * each, 1e-12);
  EXPECT_NEAR(result.mean.to_seconds(), each, 1e-12);
  EXPECT_NEAR(result.utilisation, 1, 1e-9);
  EXPECT_EQ(result.flows, 3u * 8 * 7);
  EXPECT_NEAR(result.moved.value, 3 * 7 * kBytes, 1);  // 8 nodes, 7/8 each
  for (const TrafficIteration& iteration : result.iterations) {
    EXPECT_NEAR(iteration.bound_s, each, 1e-12);
    for (const Time latency : {iteration.p50, iteration.p99, iteration.slowest})
      EXPECT_NEAR(latency.to_seconds(), each, 1e-12);
  }
}

// Expert j receives p_j·bytes from 7 nodes. A sender has 7 flows at most, so that each flow may have 1/7 of its port, which is
// the share of a flow at the hottest receiver: that one is full to the end, and nobody ends later. Slots are 2^-28 of a row.
TEST(Traffic, TheHottestReceiverBoundsASkewedExchange) {
  const TrafficResult result = run_traffic(asking_for("switch", kIdealSwitch, 1.5, 4));
  double sum = 0;
  for (std::uint32_t k = 0; k < 4; ++k) {
    const double hottest = std::ranges::max(popularity(8, 1.5, 1, k));
    ASSERT_GT(7 * hottest, 1);  // more than any sender has
    const double expected = 7 * hottest * kAll;
    EXPECT_NEAR(result.iterations[k].time.to_seconds(), expected, 1e-6 * expected);
    EXPECT_NEAR(result.iterations[k].bound_s, expected, 1e-6 * expected);
    EXPECT_EQ(result.iterations[k].hottest, hottest);
    EXPECT_EQ(result.iterations[k].slowest, result.iterations[k].time);
    sum += expected;
  }
  EXPECT_NEAR(result.time.to_seconds(), sum, 1e-6 * sum);
  EXPECT_NEAR(result.mean.to_seconds(), sum / 4, 1e-6 * sum);
  // Whatever is popular, the nodes together keep one row at home: 7 rows move, and 8 nodes could inject.
  EXPECT_NEAR(result.utilisation, 4 * 7 * kAll / (8 * sum), 1e-6);
}

// On a full mesh every pair has a link of its own, so that a flow to expert j takes p_j·bytes / rate. Of 4 nodes' 12 flows the
// 6th in order goes to the second least popular expert, and the 12th (0.99·12 = 11.88) to the most popular.
TEST(Traffic, LatenciesAreThoseOfTheNearestRank) {
  Texts mesh = kIdealSwitch;
  mesh["nodes"] = "4";
  const TrafficResult result = run_traffic(asking_for("full-mesh", mesh, 1, 1));
  std::vector<double> parts = popularity(4, 1, 1, 0);
  std::ranges::sort(parts);
  EXPECT_NEAR(result.p50.to_seconds(), parts[1] * kAll, 1e-6 * kAll);
  EXPECT_NEAR(result.p99.to_seconds(), parts[3] * kAll, 1e-6 * kAll);
  EXPECT_EQ(result.p99, result.slowest);

  // Of two flows the first is the median, and 0.99·2 = 1.98 is met by the second only
  mesh["nodes"] = "2";
  const TrafficResult two = run_traffic(asking_for("full-mesh", mesh, 1, 1));
  const auto [less, more] = std::ranges::minmax(popularity(2, 1, 1, 0));
  EXPECT_NEAR(two.p50.to_seconds(), less * kAll, 1e-6 * kAll);
  EXPECT_NEAR(two.p99.to_seconds(), more * kAll, 1e-6 * kAll);
}

TEST(Traffic, TheSameSeedGivesTheSameAnswer) {
  TrafficQuestion question = asking_for("torus", {{"dimensions", "3x3"}}, 1);
  const TrafficResult first = run_traffic(question), again = run_traffic(question);
  EXPECT_EQ(first.time, again.time);
  EXPECT_EQ(first.p50, again.p50);
  EXPECT_EQ(first.p99, again.p99);
  question.seed = 2;
  EXPECT_NE(run_traffic(question).time, first.time);
}

// Compute stands before each exchange and changes none of them.
TEST(Traffic, ComputeIsAddedBetweenExchanges) {
  TrafficQuestion question = asking_for("switch", kIdealSwitch, 1);
  const TrafficResult without = run_traffic(question);
  question.compute = Time::milliseconds(2);
  const TrafficResult with = run_traffic(question);
  EXPECT_EQ(with.time, without.time + 3 * question.compute);
  EXPECT_EQ(with.mean, without.mean);
  EXPECT_EQ(with.p99, without.p99);
  EXPECT_NEAR(with.utilisation * with.time.to_seconds(), without.utilisation * without.time.to_seconds(), 1e-12);
}

// An ideal switch meets the bound of ports alone; ODDL has the same ports, one circuit at a time and dark times on top.
TEST(Traffic, OddlIsNoFasterThanTheIdealSwitch) {
  for (const double skew : {0.0, 1.0, 2.0}) {
    const Time ideal = run_traffic(asking_for("switch", kIdealSwitch, skew)).time;
    const TrafficResult oddl =
        run_traffic(asking_for("oddl", {{"nodes", "8"}, {"nodes_per_group", "4"}, {"rate", "64 Gb/s"}}, skew));
    EXPECT_GT(oddl.time, ideal) << skew;
    EXPECT_LT(oddl.utilisation, 1);
  }
}

// On every fabric: as many flows as pairs, no exchange below its bound, and its last flow ends it.
TEST(Traffic, EveryFabricCarriesIt) {
  const std::vector<std::pair<std::string, Texts>> fabrics = {{"ring", {{"nodes", "8"}}},
                                                              {"switch", {{"nodes", "8"}}},
                                                              {"full-mesh", {{"nodes", "8"}}},
                                                              {"mesh", {{"dimensions", "4x2"}}},
                                                              {"torus", {{"dimensions", "4x2"}}},
                                                              {"fat-tree", {{"nodes", "8"}}},
                                                              {"cluster", {{"nodes", "16"}}},
                                                              {"wdm-ring", {{"nodes", "8"}}},
                                                              {"sip-ring", {{"nodes", "8"}}},
                                                              {"oddl", {{"nodes", "8"}}},
                                                              {"fred", {}}};
  for (const auto& [name, settings] : fabrics) {
    SCOPED_TRACE(name);
    const TrafficResult result = run_traffic(asking_for(name, settings, 1));
    EXPECT_EQ(result.flows, 3 * result.nodes * (result.nodes - 1));
    Time sum;
    for (const TrafficIteration& iteration : result.iterations) {
      EXPECT_GE(iteration.time.to_seconds(), iteration.bound_s * (1 - 1e-9));
      EXPECT_EQ(iteration.slowest, iteration.time);
      EXPECT_LE(iteration.p50, iteration.p99);
      EXPECT_LE(iteration.p99, iteration.slowest);
      sum += iteration.time;
    }
    EXPECT_EQ(sum, result.time);
    EXPECT_GT(result.utilisation, 0);
    EXPECT_LE(result.utilisation, 1);
  }
}

TEST(Traffic, WhatCannotBeAskedIsRefused) {
  EXPECT_EQ(kind_of_error(asking_for("switch", {{"nodes", "1"}}, 1)), ErrorKind::kInput);
  EXPECT_EQ(kind_of_error(asking_for("switch", {{"nodes", "4097"}}, 1, 1)), ErrorKind::kInfeasible);
  EXPECT_EQ(kind_of_error(asking_for("switch", {{"nodes", "2048"}}, 1, 100)), ErrorKind::kInfeasible);
  // One plane of 96 channels does not lead to 128 nodes at once.
  EXPECT_EQ(kind_of_error(asking_for("oddl", {{"nodes", "128"}, {"planes", "1"}}, 1, 1)), ErrorKind::kInfeasible);
}

}  // namespace
}  // namespace helio::pipeline
