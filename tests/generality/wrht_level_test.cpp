// SPDX-License-Identifier: Apache-2.0
// Proof (a): WRHT on 15 nodes with 2 wavelengths and groups of 5 (papers/wrht.md §2.2, §2.3, §6.2). Lanes are fixed by the
// schedule, wavelengths on segments are channels, and a step that changes lightpaths retunes.
//
//      step 1   0 ─λ1─▶ ╮             step 2   2 ⇄ 7 ⇄ 12 ⇄ 2, λ0 in both       step 3   step 1 with its arrows
//               1 ─λ0─▶ 2 ◀─λ0─ 3               directions, five segments each            turned round
//                       ╰ ◀─λ1─ 4
//               and the same around 7 and 12
//
// A vector of 48 MB at 40 Gb/s (5 GB/s) takes 9.6 ms; a retune takes 25 us.
#include <gtest/gtest.h>

#include "generality/proving.h"
#include "generality/wavelength_ring.h"

namespace helio::generality {
namespace {

using schedule::Action;
using schedule::Kind;
using schedule::Lane;
using schedule::Move;
using schedule::Phase;
using schedule::Position;
using schedule::Schedule;

constexpr Bytes kVector{48e6};
constexpr BitRate kRate{40e9};
constexpr double kSend = 9.6e-3, kRetune = 25e-6;

WavelengthRing ring_of_15(RetuneRule rule) { return {15, 2, kRate, Time::seconds(kRetune), rule}; }

Lane lane(int wavelength, bool clockwise) {
  Lane result;
  result.wavelength = wavelength;
  result.direction = clockwise ? 0 : 1;
  return result;
}

// The four members of the group of five whose middle is `middle`: towards it, or back from it.
void add_group(Phase& phase, Position middle, bool back) {
  for (const Position distance : {-2, -1, 1, 2}) {
    const int wavelength = std::abs(distance) - 1;
    Move move{.source = middle + distance, .destination = middle, .action = Action::kReduce};
    move.lane = lane(wavelength, distance < 0);
    if (back) {
      std::swap(move.source, move.destination);
      move.action = Action::kStore;
      move.lane = lane(wavelength, distance > 0);
    }
    phase.moves.push_back(move);
  }
}

// One level as a pattern on five positions; a request with three groups runs it around 2, 7 and 12 at once.
Schedule one_level() {
  Schedule s{.algorithm = "one level", .kind = Kind::kReduce, .ranks = 5, .root = 2};
  s.phases.push_back({.name = "gather"});
  add_group(s.phases.back(), 2, false);
  return s;
}

// Down again in a second step. `buckets` cuts the vector and does both steps for each piece in turn.
Schedule there_and_back(std::uint32_t buckets) {
  Schedule s{.algorithm = "there and back", .kind = Kind::kAllReduce, .ranks = 5, .chunks = buckets};
  for (std::uint32_t b = 0; b < buckets; ++b)
    for (const bool back : {false, true}) {
      Phase phase{.name = back ? "broadcast" : "gather"};
      add_group(phase, 2, back);
      for (Move& move : phase.moves) move.source_slot = move.destination_slot = b;
      s.phases.push_back(std::move(phase));
    }
  return s;
}

schedule::CollectiveRequest three_groups(Kind kind) {
  return {kind, kVector, {nodes(0, 5), nodes(5, 5), nodes(10, 5)}, 2};
}

// The whole all-reduce: three steps.
Schedule wrht_15() {
  Schedule s{.algorithm = "wrht", .kind = Kind::kAllReduce, .ranks = 15};
  Phase gather{.name = "gather"}, exchange{.name = "all-to-all"}, broadcast{.name = "broadcast"};
  const Position middles[] = {2, 7, 12};
  for (const Position middle : middles) add_group(gather, middle, false);
  // Three representatives are an odd list: one circle each way, 2>7>12>2 and 2>12>7>2, both on wavelength 0 (§2.3).
  for (int i = 0; i < 3; ++i)
    for (const bool clockwise : {true, false}) {
      Move move{.source = middles[i], .destination = middles[(i + (clockwise ? 1 : 2)) % 3], .action = Action::kReduce};
      move.lane = lane(0, clockwise);
      exchange.moves.push_back(move);
    }
  for (const Position middle : middles) add_group(broadcast, middle, true);
  s.phases = {gather, exchange, broadcast};
  return s;
}

constexpr RetuneRule kRules[] = {RetuneRule::kMemory, RetuneRule::kChanged, RetuneRule::kEveryStep};

TEST(WrhtLevel, ThreeGroupsShareTwoWavelengths) {
  expect_verified(one_level());
  WavelengthRing ring = ring_of_15(RetuneRule::kChanged);
  fabric::Lowered lowered;
  const flow::Program program = carried(ring, one_level(), three_groups(Kind::kReduce), {}, &lowered);
  EXPECT_FALSE(flow::find_conflict(program, program.entry).found);
  EXPECT_EQ(lowered.wavelengths_used, 2u);

  // The ring starts dark: one retune, then all twelve lightpaths at once.
  const simulate::Timeline t = timed(program);
  expect_time(t.end, kRetune + kSend);
  expect_time(t.critical.setup, kRetune);
  EXPECT_EQ(t.steps, 1u);

  // Each group lights 2 + 1 segments on either side: 6 channels, 18 in all, each held for the whole step.
  int used = 0;
  for (const double busy : t.busy_seconds)
    if (busy > 0) {
      ++used;
      EXPECT_NEAR(busy, kRetune + kSend, 1e-12);
    }
  EXPECT_EQ(used, 18);
}

TEST(WrhtLevel, ALaneThatClashesIsFoundAndALaneThatIsNotThereIsRefused) {
  // 0 -> 2 moves to wavelength 0, which 1 -> 2 has on segment 1-2.
  Schedule clash = one_level();
  clash.phases[0].moves[0].lane.wavelength = 0;
  expect_verified(clash);  // the sums are still right: who may use which light is not their business
  WavelengthRing ring = ring_of_15(RetuneRule::kChanged);
  flow::Program program;
  const auto carrier = ring.install(program);
  const fabric::LowerResult result = carrier->lower(clash, three_groups(Kind::kReduce), {});
  ASSERT_TRUE(std::holds_alternative<fabric::Refusal>(result));
  EXPECT_NE(std::get<fabric::Refusal>(result).reason.find("clockwise on segment 1-2, wavelength 0"), std::string::npos);

  Schedule beyond = one_level();
  beyond.phases[0].moves[0].lane.wavelength = 2;
  const fabric::LowerResult refused = carrier->lower(beyond, three_groups(Kind::kReduce), {});
  ASSERT_TRUE(std::holds_alternative<fabric::Refusal>(refused));
  EXPECT_EQ(std::get<fabric::Refusal>(refused).moves, std::vector<std::uint32_t>{0});
}

TEST(WrhtLevel, TheSecondStepRetunes) {
  // Back from the middle every lightpath is new, so each step pays under every rule: 2 * (25 us + 9.6 ms).
  expect_verified(there_and_back(1));
  expect_all_reduced_on_integers(there_and_back(1));
  for (const RetuneRule rule : kRules) {
    WavelengthRing ring = ring_of_15(rule);
    const flow::Program program = carried(ring, there_and_back(1), three_groups(Kind::kAllReduce));
    EXPECT_FALSE(flow::find_conflict(program, program.entry).found);
    const simulate::Timeline t = timed(program);
    expect_time(t.end, 2 * (kRetune + kSend));
    EXPECT_EQ(t.steps, 2u);
  }
}

TEST(WrhtLevel, WhatTheStepBeforeDidNotHavePays) {
  // Two buckets of 24 MB (4.8 ms): gather, broadcast, gather, broadcast; transmission 4 * 4.8 ms under every rule.
  //   changed, every-step   the second gather follows a broadcast, whose lightpaths are others: 4 retunes
  //   memory                no broadcast touches a gather's channels, so all are still tuned: 2 retunes
  expect_verified(there_and_back(2));
  const double send = 4 * 4.8e-3;
  const double retunes[] = {2, 4, 4};
  for (int i = 0; i < 3; ++i) {
    WavelengthRing ring = ring_of_15(kRules[i]);
    const simulate::Timeline t = timed(carried(ring, there_and_back(2), three_groups(Kind::kAllReduce)));
    expect_time(t.critical.transmission, send);
    expect_time(t.end, send + retunes[i] * kRetune);
  }
}

TEST(WrhtLevel, LightpathsThatStayAreRetunedOnlyByTheRuleThatAlwaysCharges) {
  // The level in three pieces of 16 MB (3.2 ms), one phase with three rounds:
  //   changed, memory   lit once: 25 us + 3 * 3.2 ms
  //   every-step        3 * (25 us + 3.2 ms)
  Schedule pieces = one_level();
  pieces.chunks = 3;
  pieces.phases[0].repeat = 3;
  for (Move& move : pieces.phases[0].moves) move.stride = 1;
  expect_verified(pieces);
  const double retunes[] = {1, 1, 3};
  for (int i = 0; i < 3; ++i) {
    WavelengthRing ring = ring_of_15(kRules[i]);
    const simulate::Timeline t = timed(carried(ring, pieces, three_groups(Kind::kReduce)));
    expect_time(t.end, kSend + retunes[i] * kRetune);
    EXPECT_EQ(t.steps, 3u);
  }
}

TEST(WrhtLevel, TheWholeAllReduceTakesThreeSteps) {
  const Schedule s = wrht_15();
  expect_verified(s);
  expect_all_reduced_on_integers(s);
  // Step 2 lights five-hop paths where step 1 had short ones, step 3 turns step 1 round: nothing stays, so the paper's
  // theta (d/B + a) with theta = 3 holds under every rule: 3 * 9.625 ms.
  for (const RetuneRule rule : kRules) {
    WavelengthRing ring = ring_of_15(rule);
    fabric::Lowered lowered;
    const flow::Program program =
        carried(ring, s, schedule::request_on_all(Kind::kAllReduce, kVector, 15), {}, &lowered);
    EXPECT_FALSE(flow::find_conflict(program, program.entry).found);
    EXPECT_EQ(lowered.wavelengths_used, 2u);
    const simulate::Timeline t = timed(program);
    expect_time(t.end, 3 * (kSend + kRetune));
    EXPECT_EQ(t.steps, 3u);

    // The longest lightpath crosses five segments.
    std::size_t longest = 0;
    for (std::uint32_t r = 0; r < program.routes.size(); ++r)
      longest = std::max(longest, program.routes.channels({r}).size());
    EXPECT_EQ(longest, 5u);
  }
}

TEST(WrhtLevel, LanesThatAreFreeInStepOrderNeedNotBeInDataflowOrder) {
  // In dataflow order the broadcast 2 -> 3 waits for what 2 hears from 7 and 12, not for 2 -> 7, which only reads what it reads
  // too; both want wavelength 0 on segment 2-3. The check says so, although by symmetry all of step 2 ends at one time and the
  // result is the same: 3 * 9.625 ms. (The channels' memory is the rule here: there is no step before.)
  WavelengthRing ring = ring_of_15(RetuneRule::kMemory);
  const flow::Program program = carried(ring, wrht_15(), schedule::request_on_all(Kind::kAllReduce, kVector, 15),
                                        {.order = schedule::Order::kDataflow});
  const flow::ConflictReport report = flow::find_conflict(program, program.entry);
  ASSERT_TRUE(report.found);
  EXPECT_EQ(program.resources.name(report.conflict.channel), "clockwise on segment 2-3, wavelength 0");
  const simulate::Timeline t = timed(program);
  expect_time(t.end, 3 * (kSend + kRetune));
  EXPECT_EQ(t.steps, 3u);
}

TEST(WrhtLevel, AStripeIsAWiderLane) {
  // 0 -> 1 on both wavelengths at once: half the bytes on each, 25 us + 4.8 ms.
  Schedule s{.algorithm = "stripe", .kind = Kind::kBroadcast, .ranks = 2};
  Move move{.source = 0, .destination = 1};
  move.lane = lane(0, true);
  move.lane.width = 2;
  s.phases.push_back({.name = "send", .moves = {move}});
  expect_verified(s);
  WavelengthRing ring = ring_of_15(RetuneRule::kChanged);
  expect_time(timed(carried(ring, s, schedule::request_on_all(Kind::kBroadcast, kVector, 2))).end, kRetune + kSend / 2);
}

}  // namespace
}  // namespace helio::generality
