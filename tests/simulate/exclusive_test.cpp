// SPDX-License-Identifier: Apache-2.0
// Channels: one at a time, circuits and setup, lines, pre-emption.
#include <gtest/gtest.h>

#include "simulate/programs.h"

namespace helio::simulate {
namespace {

using W = ProgramWriter;

flow::Operation on_circuit(flow::Operation op, flow::Circuit circuit) {
  op.circuit = circuit;
  return op;
}

TEST(Exclusive, OneAtATimeInOrderOfAsking) {
  W w;
  const auto r = w.route({}, {w.channel(10)});
  const auto body = w.body("two", {W::transfer(r, 50), W::transfer(r, 20)});
  const Timeline t = w.run(body);
  EXPECT_EQ(end_of(t, body, 0), s(5));  // 50 B at 10 B/s
  EXPECT_EQ(end_of(t, body, 1), s(7));  // then 20 B
  EXPECT_DOUBLE_EQ(t.busy_seconds[0], 7.0);
  EXPECT_EQ(t.critical.waiting, s(5));
}

TEST(Exclusive, TwoCircuitsAlternatingPaySetupEachTime) {
  W w;
  const auto r = w.route({}, {w.channel(10, s(3))});
  // Setup 3 s + 10 B (1 s), four times, since every transfer changes the circuit: 16 s.
  const auto body = w.body("alternate",
                           {on_circuit(W::transfer(r, 10), 1), on_circuit(W::transfer(r, 10), 2),
                            on_circuit(W::transfer(r, 10), 1), on_circuit(W::transfer(r, 10), 2)},
                           {{0, 1}, {1, 2}, {2, 3}});
  const Timeline t = w.run(body);
  EXPECT_EQ(t.end, s(16));
  EXPECT_EQ(t.critical.setup, s(12));
  EXPECT_EQ(t.critical.total(), t.end);
}

TEST(Exclusive, TheSameCircuitPaysOnceUnlessEveryStepIsCharged) {
  W w;
  const auto r = w.route({}, {w.channel(10, s(3))});
  flow::Operation op = on_circuit(W::transfer(r, 10), 1);
  op.repeat = 4;
  // One setup: 3 + 4*1 = 7 s. Charged every time: 4*(3+1) = 16 s.
  EXPECT_EQ(w.run(w.body("once", {op})).end, s(7));
  op.always_setup = true;
  EXPECT_EQ(w.run(w.body("each", {op})).end, s(16));
}

TEST(Exclusive, AChannelStartsDarkSoTheFirstPays) {
  W w;
  const auto r = w.route({}, {w.channel(10, s(3))});
  EXPECT_EQ(w.run(w.body("first", {W::transfer(r, 10)})).end, s(4));
}

TEST(Exclusive, RetuningAheadHidesSetup) {
  W w;
  const auto c = w.channel(10, s(3));
  const auto r = w.route({}, {c});
  // A transfer of nothing tunes the channel (0-3 s) while a compute of 5 s runs; the transfer that follows pays nothing.
  const auto body = w.body(
      "ahead", {on_circuit(W::transfer(r, 0), 7), W::delay(s(5)), on_circuit(W::transfer(r, 10), 7)}, {{1, 2}, {0, 2}});
  EXPECT_EQ(w.run(body).end, s(6));
}

TEST(Exclusive, AllOrNone) {
  W w;
  const auto a = w.channel(10), b = w.channel(10);
  // 0 holds a until 5 s; 1 wants a and b and must not keep b from 2, which has b from 0 to 2 s.
  const auto body = w.body("all", {W::transfer(w.route({}, {a}), 50), W::transfer(w.route({}, {a, b}), 10),
                                   W::transfer(w.route({}, {b}), 20)});
  const Timeline t = w.run(body);
  EXPECT_EQ(end_of(t, body, 2), s(2));
  EXPECT_EQ(end_of(t, body, 1), s(6));
}

TEST(Exclusive, TheUrgentIsServedBeforeTheEarlier) {
  W w;
  const auto r = w.route({}, {w.channel(10)});
  const auto body = w.body(
      "line", {W::transfer(r, 50, 1), W::delay(s(1)), W::transfer(r, 10, 2), W::delay(s(2)), W::transfer(r, 10, 0)},
      {{1, 2}, {3, 4}});
  const Timeline t = w.run(body);
  EXPECT_EQ(end_of(t, body, 4), s(6));
  EXPECT_EQ(end_of(t, body, 2), s(7));
}

TEST(Exclusive, PreemptionSuspendsAndPaysSetupAgain) {
  W w;
  const auto r = w.route({}, {w.channel(10, s(1), true)});
  // Low: setup 0-1, bytes 1-3 (20 of 100 B). Urgent arrives at 3: setup 3-4, 50 B until 9. Low: setup 9-10, the other 80 B
  // until 18.
  const auto body =
      w.body("preempt", {on_circuit(W::transfer(r, 100, 1), 1), W::delay(s(3)), on_circuit(W::transfer(r, 50, 0), 2)},
             {{1, 2}});
  const Timeline t = w.run(body);
  EXPECT_EQ(end_of(t, body, 2), s(9));
  EXPECT_EQ(end_of(t, body, 0), s(18));
  EXPECT_EQ(t.critical.waiting, s(6));  // from 3 to 9
  EXPECT_EQ(t.critical.setup, s(2));
  EXPECT_EQ(t.critical.transmission, s(10));
}

TEST(Exclusive, APreemptedComputeGoesOnWhereItStopped) {
  W w;
  const auto npu = w.route({}, {w.channel(0, Time(), true)});
  // Low: 0-2 of 10 s. Urgent 2-5. Low resumes with 8 s left: 13 s.
  const auto body = w.body("compute", {W::compute(npu, s(10), 1), W::delay(s(2)), W::compute(npu, s(3), 0)}, {{1, 2}});
  const Timeline t = w.run(body);
  EXPECT_EQ(end_of(t, body, 2), s(5));
  EXPECT_EQ(end_of(t, body, 0), s(13));
}

TEST(Exclusive, PreemptedOnALinkToo) {
  W w;
  const auto l = w.link(5);
  const auto r = w.route({l}, {w.channel(0, Time(), true)});
  // Low: 50 B at 5 B/s, 10 B by 2 s. Urgent 2-4 (10 B). Low has 40 B left: 4 + 8 = 12 s.
  const auto body = w.body("both", {W::transfer(r, 50, 1), W::delay(s(2)), W::transfer(r, 10, 0)}, {{1, 2}});
  const Timeline t = w.run(body);
  EXPECT_EQ(end_of(t, body, 2), s(4));
  EXPECT_EQ(end_of(t, body, 0), s(12));
}

TEST(Exclusive, ACallHoldsItsChannelWhileItRuns) {
  W w;
  const auto c = w.channel(0);
  const auto l = w.link(10);
  const auto round = w.body("round", {W::transfer(w.route({l}), 10)});
  flow::Operation call = W::call(round, 4);
  call.route = w.route({}, {c});
  const auto body = w.body("entry", {call, W::compute(w.route({}, {c}), s(1))});
  const Timeline t = w.run(body);
  EXPECT_EQ(end_of(t, body, 0), s(4));
  EXPECT_EQ(end_of(t, body, 1), s(5));
}

}  // namespace
}  // namespace helio::simulate
