// SPDX-License-Identifier: Apache-2.0
// Proof (d): a backward pass of two layers whose gradient exchange overlaps compute, and an urgent transfer that pre-empts it.
//
// Layer 2's gradient is ready first, but the next forward pass wants layer 1's first; so its exchange is the more urgent one
// (priority-based parameter propagation: Jayarajan et al., MLSys 2019).
//
//     NPU    B2 ──▶ B1 ────────▶ F1 ──▶ F2          B2, B1: 4 s each      F1, F2: 3 s each
//             ╰────▶ G2 ┄┄┄┄┄┄┄┄┄┄┄┄┄┄▲             G2: 80 B, class 1
//                    ╰▶ G1 ─────▲                   G1: 30 B, class 0     the line: 10 B/s
#include <gtest/gtest.h>

#include "generality/proving.h"
#include "simulate/programs.h"

namespace helio::generality {
namespace {

using W = simulate::ProgramWriter;
using simulate::s;

enum : std::uint32_t { kB2, kB1, kG2, kG1, kF1, kF2 };

// One iteration, `rounds` times. `urgent` is the class of G1.
struct Iteration {
  W writer;
  flow::TemplateId body;

  Iteration(flow::RouteId (*line)(W&), std::uint8_t urgent, std::uint64_t rounds) {
    const flow::RouteId npu = writer.route({}, {writer.channel(0)}), way2 = line(writer);
    // The same line with a circuit of its own for each destination.
    flow::Operation g2 = W::transfer(way2, 80, 1), g1 = W::transfer(way2, 30, urgent);
    g2.circuit = 2;
    g1.circuit = 1;
    body = writer.body(
        "iteration",
        {W::compute(npu, s(4)), W::compute(npu, s(4)), g2, g1, W::compute(npu, s(3)), W::compute(npu, s(3))},
        {{kB2, kB1}, {kB2, kG2}, {kB1, kG1}, {kB1, kF1}, {kG1, kF1}, {kF1, kF2}, {kG2, kF2}});
    writer.program.entry = writer.body("training", {W::call(body, rounds)});
  }
  simulate::Timeline run() const { return timed(writer.program); }
};

flow::RouteId shared_link(W& w) { return w.route({w.link(10)}); }
flow::RouteId preemptive_channel(W& w) { return w.route({}, {w.channel(10, s(1), true)}); }
flow::RouteId patient_channel(W& w) { return w.route({}, {w.channel(10, s(1), false)}); }

TEST(Overlap, TheUrgentGradientTakesTheWholeLink) {
  //  0-4 B2 · 4-8 B1, and G2 moves 40 B · 8-11 G1 alone (30 B) · 11-15 G2's other 40 B · 11-14 F1 · 15-18 F2
  const Iteration iteration(shared_link, 0, 1);
  const simulate::Timeline t = iteration.run();
  EXPECT_EQ(end_of(t, iteration.body, kB1), s(8));
  EXPECT_EQ(end_of(t, iteration.body, kG1), s(11));
  EXPECT_EQ(end_of(t, iteration.body, kF1), s(14));
  EXPECT_EQ(end_of(t, iteration.body, kG2), s(15));
  EXPECT_EQ(t.end, s(18));
}

TEST(Overlap, AsEqualsTheySlowEachOther) {
  //  From 8 s both at 5 B/s: G1 30 B until 14 · G2 has 40 - 30 = 10 B left: 15 · F1 14-17 · F2 17-20: 2 s later.
  const Iteration iteration(shared_link, 1, 1);
  const simulate::Timeline t = iteration.run();
  EXPECT_EQ(end_of(t, iteration.body, kG1), s(14));
  EXPECT_EQ(end_of(t, iteration.body, kG2), s(15));
  EXPECT_EQ(t.end, s(20));
}

TEST(Overlap, OnACircuitTheUrgentGradientTakesTheChannelAndBothPaySetup) {
  //  4-5 setup, 5-8 G2 moves 30 B · 8 G1 takes the channel: setup until 9, 30 B until 12 · G2 again: setup until 13, 50 B until
  //  18 · F1 12-15 · F2 18-21
  const Iteration iteration(preemptive_channel, 0, 1);
  const simulate::Timeline t = iteration.run();
  EXPECT_EQ(end_of(t, iteration.body, kG1), s(12));
  EXPECT_EQ(end_of(t, iteration.body, kF1), s(15));
  EXPECT_EQ(end_of(t, iteration.body, kG2), s(18));
  EXPECT_EQ(t.end, s(21));
  // The way to the end: B2 4 s, then G2: 2 setups, 8 s of bytes, 4 s suspended; then F2 3 s.
  EXPECT_EQ(t.critical.setup, s(2));
  EXPECT_EQ(t.critical.transmission, s(8));
  EXPECT_EQ(t.critical.waiting, s(4));
  EXPECT_EQ(t.critical.compute, s(7));
}

TEST(Overlap, AChannelThatCannotBeTakenAwayMakesTheUrgentWait) {
  //  G2 4-13 · G1: setup until 14, 30 B until 17 · F1 17-20 · F2 20-23: one setup less and 2 s later.
  const Iteration iteration(patient_channel, 0, 1);
  const simulate::Timeline t = iteration.run();
  EXPECT_EQ(end_of(t, iteration.body, kG2), s(13));
  EXPECT_EQ(end_of(t, iteration.body, kG1), s(17));
  EXPECT_EQ(t.end, s(23));
}

TEST(Overlap, AThousandIterations) {
  // On the link each begins as the first: 18 s.
  const simulate::Timeline t = Iteration(shared_link, 0, 1000).run();
  EXPECT_EQ(t.end, s(18'000));
  EXPECT_GT(t.rounds_jumped, 900u);
  // The channel is dark only once. From then on an iteration finds it set to G2's circuit, as the last one left it:
  // G2 moves 40 B from 4 to 8 · G1 8-12 · G2 setup until 13, 40 B until 17 · F2 17-20. So 21 + 999 * 20 s.
  EXPECT_EQ(Iteration(preemptive_channel, 0, 1000).run().end, s(21 + 999 * 20));
}

}  // namespace
}  // namespace helio::generality
