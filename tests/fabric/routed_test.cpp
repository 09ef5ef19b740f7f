// SPDX-License-Identifier: Apache-2.0
#include "fabric/routed.h"

#include <gtest/gtest.h>

#include "fabric/lowering.h"
#include "fabric/timed.h"

namespace helio::fabric {
namespace {

using schedule::Kind;
using schedule::Order;
using schedule::request_on_all;

TEST(Routed, PhasesWithTheSameTrafficShareATemplate) {
  // Both halves of the ring all-reduce put the same load on the ring: one template of 8 transfers, called twice.
  const Timed t = time_on("ring", settings({{"nodes", "8"}}), "ring", request_on_all(Kind::kAllReduce, Bytes{8}, 8));
  ASSERT_EQ(t.program.templates.size(), 2u);
  EXPECT_EQ(t.program.templates[0].operations.size(), 8u);
  ASSERT_EQ(t.program.templates[1].operations.size(), 2u);
  EXPECT_EQ(t.program.templates[1].operations[0].callee, t.program.templates[1].operations[1].callee);
  EXPECT_EQ(t.program.templates[1].operations[0].rounds, 7u);
}

TEST(Routed, APipelineIsCutWhereItsActiveMovesChange) {
  // Chain broadcast on 4 ranks, 5 pieces of 1 B at 1 B/s: 5 + 4 - 2 = 7 rounds of 1 s in step order.
  const auto s = settings({{"nodes", "4"}, {"rate", "8 b/s"}, {"latency", "0 s"}});
  const auto request = request_on_all(Kind::kBroadcast, Bytes{5}, 4);
  const Timed step = time_on("ring", s, "ring", request, Order::kStep, settings({{"chunks", "5"}}));
  EXPECT_NEAR(seconds(step), 7, 1e-9);
  EXPECT_EQ(step.timeline.steps, 7u);
  // In dataflow order nobody waits for a barrier, and the same pipeline comes out.
  const Timed flow = time_on("ring", s, "ring", request, Order::kDataflow, settings({{"chunks", "5"}}));
  EXPECT_NEAR(seconds(flow), 7, 1e-9);
  EXPECT_EQ(flow.timeline.steps, 7u);
  EXPECT_EQ(flow.program.templates.back().operations.size(), 3u);  // one operation per move, not per round
}

TEST(Routed, AMoveThatTakesOverFromOneLikeItIsNoCut) {
  // 0 sends slot 0 to 1 in round 0 and slots 1, 2 in rounds 1, 2, as two moves: the same traffic in all three rounds.
  schedule::Schedule schedule;
  schedule.algorithm = "by hand";
  schedule.kind = Kind::kBroadcast;
  schedule.ranks = 2;
  schedule.chunks = 3;
  schedule::Move first, then;
  first.destination = then.destination = 1;
  first.last_round = then.first_round = 1;
  then.source_slot = then.destination_slot = 1;
  then.stride = 1;
  schedule.phases = {{"two moves", 3, {first, then}}};
  schedule::check(schedule);
  const auto ring = make("ring", settings({{"nodes", "2"}, {"rate", "8 b/s"}, {"latency", "0 s"}}));
  flow::Program program;
  const auto carrier = ring->install(program);
  const LowerResult result = carrier->lower(schedule, request_on_all(Kind::kBroadcast, Bytes{3}, 2), {});
  program.entry = std::get<Lowered>(result).entry;
  ASSERT_EQ(program.templates.back().operations.size(), 1u);
  EXPECT_EQ(program.templates.back().operations[0].rounds, 3u);
  EXPECT_EQ(simulate::simulate(program).end, Time::seconds(3));
}

TEST(Routed, WhatTheFabricCannotDoIsRefused) {
  schedule::Schedule schedule;
  schedule.algorithm = "by hand";
  schedule.kind = Kind::kAllReduce;
  schedule.ranks = 2;
  schedule.sets = {{0, 1}};
  schedule::Move move;
  move.source = move.destination = ~0;
  schedule.phases = {{"reduce", 1, {move}}};
  const auto request = request_on_all(Kind::kAllReduce, Bytes{8}, 2);
  const auto ring = make("ring", settings({{"nodes", "2"}}));
  flow::Program program;
  const auto carrier = ring->install(program);
  EXPECT_TRUE(std::holds_alternative<Refusal>(carrier->lower(schedule, request, {})));

  // A wavelength on a fabric without any.
  schedule.phases[0].moves[0].source = 0;
  schedule.phases[0].moves[0].destination = 1;
  schedule.phases[0].moves[0].lane.wavelength = 3;
  EXPECT_TRUE(std::holds_alternative<Refusal>(carrier->lower(schedule, request, {})));
}

// Two moves of the same traffic that follow each other are one for the links: a single set with the first of them.
TEST(Routed, MovesThatRunTogether) {
  schedule::Phase phase{.name = "p", .repeat = 4, .moves = {}};
  const auto move = [](schedule::Position from, schedule::Position to, std::uint32_t first, std::uint32_t last) {
    schedule::Move m;
    m.source = from, m.destination = to, m.first_round = first, m.last_round = last;
    return m;
  };
  phase.moves = {move(0, 1, 0, 2), move(0, 1, 2, 4)};
  EXPECT_EQ(moves_together(phase), (std::vector<std::vector<std::uint32_t>>{{0}}));
  // Another comes in round 1 and goes after round 2; one is never active
  phase.moves = {move(0, 1, 0, 4), move(1, 2, 1, 3), move(2, 3, 3, 3)};
  EXPECT_EQ(moves_together(phase), (std::vector<std::vector<std::uint32_t>>{{0}, {0, 1}, {0}}));
}

TEST(Routed, AWeightIsNeverLessThanTheShare) {
  for (int i = 1; i < 1000; ++i) {
    EXPECT_GE(static_cast<double>(weight_of(1.0 / i)), 1.0 / i);
    EXPECT_LT(weight_of(1.0 / i), 1.0 / i * (1 + 2e-7));
  }
  EXPECT_EQ(weight_of(0.5), 0.5f);
}

}  // namespace
}  // namespace helio::fabric
