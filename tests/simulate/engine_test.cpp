// SPDX-License-Identifier: Apache-2.0
#include "simulate/engine.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "simulate/programs.h"

namespace helio::simulate {
namespace {

using W = ProgramWriter;

TEST(Engine, AnEmptyProgramTakesNoTime) {
  W w;
  const Timeline t = w.run(w.body("empty", {}));
  EXPECT_EQ(t.end, Time());
  EXPECT_EQ(t.steps, 0u);
}

// Sums that the clock does not hold (1e16 s) are refused, whether they are walked or leapt over; below it they are right.
TEST(Engine, LongerThanTheClockIsRefused) {
  for (const bool jump : {true, false}) {
    W w;
    const auto round = w.body("round", {W::delay(s(4e14))});
    const auto most = w.body("most", {W::call(round, 20)}), more = w.body("more", {W::call(round, 30)});
    EXPECT_EQ(w.run(most, jump).end, s(8e15));
    EXPECT_THROW(w.run(more, jump), Error);
  }
  // 2^63 rounds of 1000 s: 9.2e21 s
  W w;
  const auto round = w.body("round", {W::delay(s(1000))});
  EXPECT_THROW(w.run(w.body("endless", {W::call(round, std::uint64_t{1} << 63)})), Error);
}

TEST(Engine, OverheadLatencyAndBytesFollowEachOther) {
  W w;
  // 100 B at 10 B/s after 1 s of overhead and 2 s of latency: 1 + 2 + 10 = 13 s.
  const auto body = w.body("one", {W::transfer(w.route({w.link(10)}, {}, s(2)), 100, 0, s(1))});
  const Timeline t = w.run(body);
  EXPECT_EQ(t.end, s(13));
  EXPECT_EQ(t.critical.overhead, s(1));
  EXPECT_EQ(t.critical.latency, s(2));
  EXPECT_EQ(t.critical.transmission, s(10));
  EXPECT_EQ(t.critical.total(), t.end);
  EXPECT_EQ(t.steps, 1u);
}

TEST(Engine, SharesDivideALink) {
  W w;
  // 12 B each over 4 B/s with shares 3 and 1: at 3 and 1 B/s the first is done after 4 s; the other has 8 B left, alone: 6 s.
  const auto way = w.route({w.link(4)});
  auto large = W::transfer(way, 12), small = W::transfer(way, 12);
  large.share = 3;
  const auto body = w.body("two", {large, small});
  const Timeline t = w.run(body);
  EXPECT_EQ(end_of(t, body, 0), s(4));
  EXPECT_EQ(end_of(t, body, 1), s(6));
}

TEST(Engine, ARouteIsCutThrough) {
  W w;
  // 100 B over links of 10, 5 and 20 B/s flow at 5 B/s over all of them at once: 20 s, not 10 + 20 + 5.
  const auto body = w.body("one", {W::transfer(w.route({w.link(10), w.link(5), w.link(20)}), 100)});
  EXPECT_EQ(w.run(body).end, s(20));
}

TEST(Engine, EqualTransfersShareALink) {
  W w;
  const auto l = w.link(10);
  // A: 50 B, B: 100 B at 5 B/s each. A ends at 10 s; B then has 50 B left at 10 B/s: 15 s.
  const auto body = w.body("two", {W::transfer(w.route({l}), 50), W::transfer(w.route({l}), 100)});
  const Timeline t = w.run(body);
  EXPECT_EQ(end_of(t, body, 0), s(10));
  EXPECT_EQ(end_of(t, body, 1), s(15));
}

// Three set out alone at 0, 10 B each at 1 B/s. At 4 s the second is joined by 3 B on its link: half of it each, so these end at 10 s and
// leave the second with 10 - 4 - 3 = 3 B, until 13 s. The third is joined on a link of 4 B/s by who has 1 B/s anyway: both have room,
// and it ends with the first, to whom nobody came, at 10 s. Twice: who is remembered, or leapt over, ends at the same times.
TEST(Engine, WhoSetsOutAloneSharesFromWhenHeIsJoined) {
  for (const bool jump : {true, false}) {
    W w;
    const auto a = w.link(1), b = w.link(1), c = w.link(1), wide = w.link(4), narrow = w.link(1);
    const auto apart = w.body(
        "apart", {W::transfer(w.route({a}), 10), W::transfer(w.route({b}), 10), W::transfer(w.route({c, wide}), 10)});
    const auto once = w.body(
        "once",
        {W::call(apart, 1), W::delay(s(4)), W::transfer(w.route({b}), 3), W::transfer(w.route({wide, narrow}), 2)},
        {{1, 2}, {1, 3}});
    const Timeline t = w.run(w.body("twice", {W::call(once, 2)}), jump);
    EXPECT_EQ(end_of(t, apart, 0), s(10));
    EXPECT_EQ(end_of(t, apart, 1), s(13));
    EXPECT_EQ(end_of(t, apart, 2), s(10));
    EXPECT_EQ(end_of(t, once, 2), s(10));
    EXPECT_EQ(end_of(t, once, 3), s(6));
    EXPECT_EQ(t.end, s(26));
    EXPECT_EQ(t.critical.transmission, s(26));
  }
}

// 40 B after 2 s and 20 B after 5 s over 10 B/s: the first is alone for 3 s and has 10 B left, which take 2 s beside the second; that
// has 10 B left then, for 1 s.
TEST(Engine, WavesOfOneRoundMeet) {
  W w;
  const auto l = w.link(10);
  const auto round =
      w.body("round", {W::transfer(w.route({l}, {}, s(2)), 40), W::transfer(w.route({l}, {}, s(5)), 20)});
  const Timeline t = w.run(round);
  EXPECT_EQ(end_of(t, round, 0), s(7));
  EXPECT_EQ(end_of(t, round, 1), s(8));
}

TEST(Engine, TheUrgentClassComesFirst) {
  W w;
  const auto l = w.link(10);
  // Urgent: 50 B alone, 5 s. The other is stalled until then and needs 100 B / 10 B/s more: 15 s.
  const auto body = w.body("two", {W::transfer(w.route({l}), 100, 1), W::transfer(w.route({l}), 50, 0)});
  const Timeline t = w.run(body);
  EXPECT_EQ(end_of(t, body, 1), s(5));
  EXPECT_EQ(end_of(t, body, 0), s(15));
}

TEST(Engine, APreemptedTransferKeepsWhatItMoved) {
  W w;
  const auto l = w.link(10);
  // The slow class moves 30 B in 3 s, stands still while the urgent one (starts at 3 s) moves 50 B until 8 s, then moves
  // its last 70 B until 15 s.
  const auto body =
      w.body("two", {W::transfer(w.route({l}), 100, 1), W::delay(s(3)), W::transfer(w.route({l}), 50, 0)}, {{1, 2}});
  const Timeline t = w.run(body);
  EXPECT_EQ(end_of(t, body, 2), s(8));
  EXPECT_EQ(end_of(t, body, 0), s(15));
}

TEST(Engine, DependenciesMakeThePath) {
  W w;
  const auto l = w.link(10);
  //   0: 2 s ─▶ 1: 10 B (1 s) ─▶ 3: 1 s        the path is 0,1,3: 4 s, one step
  //   2: 3 s ────────────────▲ (also waited for by 3, ends at the same time as 1 and has fewer steps)
  const auto body = w.body("path", {W::delay(s(2)), W::transfer(w.route({l}), 10), W::delay(s(3)), W::delay(s(1))},
                           {{0, 1}, {1, 3}, {2, 3}});
  const Timeline t = w.run(body);
  EXPECT_EQ(t.end, s(4));
  EXPECT_EQ(t.steps, 1u);
  EXPECT_EQ(t.critical.transmission, s(1));
  EXPECT_EQ(t.critical.compute, s(3));
}

TEST(Engine, InstancesFollowEachOtherAndEdgesNameThem) {
  W w;
  const auto a = w.link(10), b = w.link(5);
  // A pipeline: operation 0 sends 4 pieces of 10 B at 10 B/s (1 s each), operation 1 hands each on at 5 B/s (2 s each).
  // Piece i is there at i+1; the second stage is the slower one: 1 + 4*2 = 9 s, five steps on the path (one of stage 0,
  // four of stage 1).
  flow::Operation first = W::transfer(w.route({a}), 10), second = W::transfer(w.route({b}), 10);
  first.repeat = second.repeat = 4;
  const auto body = w.body("pipeline", {first, second}, {{0, 1, 0, 0, 4}});
  const Timeline t = w.run(body);
  EXPECT_EQ(t.end, s(9));
  EXPECT_EQ(t.steps, 5u);
  EXPECT_EQ(t.critical.total(), t.end);
}

TEST(Engine, AnEdgeMayWaitForAnEarlierInstance) {
  W w;
  const auto a = w.link(10), b = w.link(10);
  // Two buffers: instance i of the sender waits until instance i-2 of the receiver has been consumed (3 s each).
  // Sender 1 s a piece. Pieces arrive at 1, 2; piece 2 is sent when consumption 0 ends (4 s), arrives at 5; piece 3 after
  // consumption 1 (7 s) arrives at 8. Consumption: 1-4, 4-7, 7-10, 10-13.
  flow::Operation send = W::transfer(w.route({a}), 10), use = W::transfer(w.route({b}), 30);
  send.repeat = use.repeat = 4;
  const auto body = w.body("window", {send, use}, {{0, 1, 0, 0, 4}, {1, 0, -2, 2, 4}});
  const Timeline t = w.run(body);
  EXPECT_EQ(t.end, s(13));
  EXPECT_EQ(end_of(t, body, 0, 3), s(8));
}

TEST(Engine, CallsNestAndCountTheirSteps) {
  W w;
  const auto l = w.link(10);
  const auto round = w.body("round", {W::transfer(w.route({l}), 10)});                // 1 s
  const auto twice = w.body("twice", {W::call(round, 3), W::delay(s(1))}, {{0, 1}});  // 4 s
  const auto entry = w.body("entry", {W::call(twice, 5)});                            // 20 s
  for (const bool jump : {true, false}) {
    const Timeline t = w.run(entry, jump);
    EXPECT_EQ(t.end, s(20));
    EXPECT_EQ(t.steps, 15u);
    EXPECT_EQ(t.critical.transmission, s(15));
    EXPECT_EQ(t.critical.compute, s(5));
  }
}

TEST(Engine, WhatNobodyCanServeIsReportedNotWaitedFor) {
  W w;
  // Operation 1 waits for instance 0 of operation 0 and operation 0 (twice) for instance 0 of operation 1 before its first.
  flow::Operation a = W::delay(s(1)), b = W::delay(s(1));
  a.repeat = b.repeat = 2;
  const auto body = w.body("stuck", {a, b}, {{0, 1, 0, 0, 2}, {1, 0, 0, 0, 2}});
  try {
    w.run(body);
    FAIL() << "a circle must be reported";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
  }
}

TEST(Engine, TheEventLimitIsAnError) {
  W w;
  const auto round = w.body("round", {W::delay(s(1))});
  w.program.entry = w.body("entry", {W::call(round, 1000)});
  Options options;
  options.jump = false;
  options.event_limit = 10;
  EXPECT_THROW(simulate(w.program, options), Error);
}

TEST(Engine, LinkBusynessIsBytesOverRate) {
  W w;
  const auto l = w.link(10);
  const auto round = w.body("round", {W::transfer(w.route({l}, {}, s(1)), 10)});
  const Timeline t = w.run(w.body("entry", {W::call(round, 7)}));
  EXPECT_EQ(t.end, s(14));  // (1 s latency + 1 s of bytes) * 7
  EXPECT_DOUBLE_EQ(t.busy_seconds[l.value], 7.0);
}

}  // namespace
}  // namespace helio::simulate
