// SPDX-License-Identifier: Apache-2.0
// Proof (e): a dataflow program with queues and scratch slots, as an MSCCL file would give. It is the two-step all-to-all
// (msccl-tools, alltoall_a100_two_step.py): four ranks on two nodes {0,1} and {2,3}; what is for the other node's odd or even rank goes
// first to one's own odd or even rank, and crosses from there.
//
//        node 0      node 1        rank r, its buddy b = r^1, its counterpart c = r^2; x(r,q) is for q
//        0 ── 1      2 ── 3        queue 0   r ─ x(r,c') ─▶ b   scratch, c' = b^2      then   r ─ x(r,b) ─▶ b   output
//        ╰─────┼─────╯    │        queue 1   r ─ x(r,c) ──▶ c   output                 then   r ─ scratch ─▶ c   output
//              ╰──────────╯
//
// Four slots of m = 90 B, lines of 30 B/s, 1 s a hop.
#include <gtest/gtest.h>

#include "generality/proving.h"

namespace helio::generality {
namespace {

using schedule::Buffer;
using schedule::Kind;
using schedule::Move;
using schedule::Order;
using schedule::Phase;
using schedule::Position;
using schedule::Schedule;

// The four moves of rank r, each over `pieces` rounds: x(r,q) is slots [q*pieces, (q+1)*pieces).
struct Program {
  Move to_scratch, cross, within, relay;
};

Program program_of(Position r, std::uint32_t pieces) {
  const Position b = r ^ 1, c = r ^ 2;
  const auto slot = [pieces](Position q) { return static_cast<std::uint32_t>(q) * pieces; };
  Program p;
  p.to_scratch = {.source = r,
                  .destination = b,
                  .source_slot = slot(b ^ 2),
                  .destination_slot = 0,
                  .stride = 1,
                  .queue = 0,
                  .destination_buffer = Buffer::kScratch};
  p.cross = {.source = r,
             .destination = c,
             .source_slot = slot(c),
             .destination_slot = slot(r),
             .stride = 1,
             .queue = 1,
             .destination_buffer = Buffer::kOutput};
  p.within = {.source = r,
              .destination = b,
              .source_slot = slot(b),
              .destination_slot = slot(r),
              .stride = 1,
              .queue = 0,
              .destination_buffer = Buffer::kOutput};
  p.relay = {.source = r,
             .destination = c,
             .source_slot = 0,
             .destination_slot = slot(b),
             .stride = 1,
             .queue = 1,
             .source_buffer = Buffer::kScratch,
             .destination_buffer = Buffer::kOutput};
  return p;
}

Schedule blank(std::uint32_t pieces, std::uint32_t scratch) {
  return {.algorithm = "two-step all-to-all",
          .kind = Kind::kAllToAll,
          .ranks = 4,
          .chunks = 4 * pieces,
          .scratch = scratch,
          .result = Buffer::kOutput,
          .order = Order::kDataflow};
}

Schedule two_steps() {
  Schedule s = blank(1, 1);
  s.phases = {{.name = "first"}, {.name = "second"}};
  for (Position r = 0; r < 4; ++r) {
    const Program p = program_of(r, 1);
    for (const Move& move : {p.to_scratch, p.cross}) s.phases[0].moves.push_back(move);
    for (const Move& move : {p.within, p.relay}) s.phases[1].moves.push_back(move);
  }
  return s;
}

// The file's loop over pieces of the buffer: one phase, in which the second half runs one round behind the first. Two slots
// of scratch, used in turn.
Schedule looped(std::uint32_t pieces) {
  Schedule s = blank(pieces, 2);
  s.phases = {{.name = "loop", .repeat = pieces + 1}};
  for (Position r = 0; r < 4; ++r) {
    Program p = program_of(r, pieces);
    p.to_scratch.last_round = p.cross.last_round = pieces;
    p.within.first_round = p.relay.first_round = 1;
    for (const Move& move : {p.to_scratch, p.cross, p.within, p.relay}) s.phases[0].moves.push_back(move);
  }
  return s;
}

// Element e of x(r,q) is 1000 r + 10 q + e, and must be found at rank q in block r.
void expect_exchanged(const Schedule& s) {
  const int each = 2 * static_cast<int>(s.chunks) / 4;
  std::vector<std::vector<std::int64_t>> buffers(4), wanted(4);
  for (int r = 0; r < 4; ++r)
    for (int q = 0; q < 4; ++q)
      for (int e = 0; e < each; ++e) {
        buffers[static_cast<std::size_t>(r)].push_back(1000 * r + 10 * q + e);
        wanted[static_cast<std::size_t>(r)].push_back(1000 * q + 10 * r + e);
      }
  emulate::execute(s, buffers);
  EXPECT_EQ(buffers, wanted);
}

simulate::Timeline on(const char* fabric, const char* latency, const Schedule& s, Order order) {
  const auto made = fabric::make(fabric, settings({{"nodes", "4"}, {"rate", "240 b/s"}, {"latency", latency}}));
  return timed(carried(*made, s, schedule::request_on_all(Kind::kAllToAll, Bytes{360}, 4), {.order = order}));
}

TEST(Queues, TheProgramIsProvenAndRuns) {
  expect_verified(two_steps());
  expect_exchanged(two_steps());
}

TEST(Queues, OnASwitchBothOrdersTakeTheSame) {
  // Both queues of every rank share its line up, and every line down has two senders: 15 B/s each. A round is 2 hops and
  // 90 / 15 s = 8 s; all moves of the first end together, so nothing is gained by not waiting: 16 s in either order.
  for (const Order order : {Order::kStep, Order::kDataflow}) {
    const simulate::Timeline t = on("switch", "1 s", two_steps(), order);
    expect_time(t.end, 16);
    EXPECT_EQ(t.steps, 2u);
  }
}

TEST(Queues, OnARingDataflowGainsWhatStepOrderLeavesIdle) {
  // Counterparts are two hops apart and go clockwise; buddies are neighbours, 0 -> 1 and 2 -> 3 clockwise, 1 -> 0 and 3 -> 2
  // against it and alone. By symmetry it is enough to look at the clockwise line 0 to 1, which carries 0 -> 1, 0 -> 2 and 3 -> 1
  // and binds them all.
  //
  //   step, one round   1 s    0 -> 1 begins, alone at 30 B/s
  //                     2 s    0 -> 2 and 3 -> 1 come in, 10 B/s each; 0 -> 1 has 60 B left: until 8 s
  //                     8 s    the other two have 30 B left, at 15 B/s: until 10 s
  //                     and the second round has the same load: 20 s.
  expect_time(on("ring", "1 s", two_steps(), Order::kStep).end, 20);
  //
  //   dataflow    8 s    queue 0 of rank 0 goes on: within (0 -> 1) is on its way
  //               9 s    it comes in; 0 -> 2 and 3 -> 1 have 15 B left; 10 B/s each
  //            10.5 s    those two are done; within has 75 B left and 30 B/s; the relays are on their way, for queue 1 is free
  //                      and scratch was written at 8 s (at 4 s against the clock)
  //            12.5 s    the relays come in; within has 15 B left; 10 B/s each
  //              14 s    within is done; the relays have 75 B left at 15 B/s
  //              19 s    done
  const simulate::Timeline t = on("ring", "1 s", two_steps(), Order::kDataflow);
  expect_time(t.end, 19);
  EXPECT_EQ(t.steps, 2u);
}

TEST(Queues, ALoopOverPiecesUsesScratchInTurn) {
  // Three pieces of 30 B. Without latency the line up of a rank never rests: 4 * 90 B at 30 B/s = 12 s in either order.
  const Schedule s = looped(3);
  expect_verified(s);
  expect_exchanged(s);
  expect_time(on("switch", "0 s", s, Order::kStep).end, 12);
  expect_time(on("switch", "0 s", s, Order::kDataflow).end, 12);

  // With 1 s a hop, step order pays 2 s in each of its four rounds: 20 s. A queue starts its next move when the last has
  // arrived, so it pays 2 s for each of its six moves, of 30 B at 15 B/s: 6 * (2 + 2) = 24 s. Dataflow order waits for less, but
  // a queue is one thing at a time, and the rounds of step order are not.
  expect_time(on("switch", "1 s", s, Order::kStep).end, 20);
  expect_time(on("switch", "1 s", s, Order::kDataflow).end, 24);
}

TEST(Queues, WithoutTheQueueAMoveWouldNotWait) {
  // Two messages that share nothing but their sender's queue, 0 -> 1 and 0 -> 2 (90 B, no latency). In one queue they follow each
  // other at 30 B/s: the first at 3 s, the second at 6 s. In two queues they share the line: both at 6 s.
  Schedule s{.algorithm = "two sends", .kind = Kind::kBroadcast, .ranks = 3, .order = Order::kDataflow};
  s.phases = {{.name = "first", .moves = {{.source = 0, .destination = 1, .queue = 0}}},
              {.name = "second", .moves = {{.source = 0, .destination = 2, .queue = 0}}}};
  expect_verified(s);
  const auto ends = [&] {
    const auto fabric = fabric::make("switch", settings({{"nodes", "3"}, {"rate", "240 b/s"}, {"latency", "0 s"}}));
    const flow::Program program =
        carried(*fabric, s, schedule::request_on_all(Kind::kBroadcast, Bytes{90}, 3), {.order = s.order});
    std::vector<Time> list;
    for (const simulate::Span& span : timed(program).spans) list.push_back(span.end);
    return list;
  };
  EXPECT_EQ(ends(), (std::vector<Time>{Time::seconds(3), Time::seconds(6)}));
  s.phases[1].moves[0].queue = 1;
  EXPECT_EQ(ends(), (std::vector<Time>{Time::seconds(6), Time::seconds(6)}));
}

}  // namespace
}  // namespace helio::generality
