// SPDX-License-Identifier: Apache-2.0
#include "schedule/schedule.h"

#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "base/error.h"

namespace helio::schedule {
namespace {

// Two ranks of two slots: one move between them and one from a set of both.
Schedule small() {
  Schedule schedule{.algorithm = "small", .ranks = 2, .chunks = 2, .scratch = 1};
  schedule.sets = {{0, 1}};
  schedule.phases.push_back(
      {.name = "swap", .repeat = 3, .moves = {{.source = 0, .destination = 1}, {.source = ~0, .destination = 1}}});
  return schedule;
}

std::string refusal(const std::function<void(Schedule&)>& change) {
  Schedule schedule = small();
  change(schedule);
  try {
    check(schedule);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error.message();
  }
  return "";
}

std::string refused_move(const std::function<void(Move&)>& change) {
  return refusal([&](Schedule& schedule) { change(schedule.phases[0].moves[0]); });
}

TEST(Schedule, SlotsWalkByTheStrideModuloTheSize) {
  // first + stride*(i-f) modulo 4 with first 1, stride -1, f 2: 1, 0, 3, 2, 1.
  const Move move{.stride = -1, .first_round = 2};
  const std::uint32_t expected[] = {1, 0, 3, 2, 1};
  for (std::uint32_t i = 0; i < 5; ++i) EXPECT_EQ(slot_in_round(move, 1, 2 + i, 4), expected[i]);
  // The far corner of the types: 0xffff_fff0 rounds of stride -2^31 is a multiple of 2^31, so of 2^31 slots it is slot 0.
  EXPECT_EQ(slot_in_round({.stride = std::numeric_limits<std::int32_t>::min()}, 0, 0xfffffff0u, 1u << 31), 0u);
}

TEST(Schedule, AWindowEndsWithItsPhase) {
  const Phase phase{.repeat = 5};
  EXPECT_EQ(window({}, phase).last, 5u);
  EXPECT_EQ(window({.first_round = 2, .last_round = 4}, phase).first, 2u);
  EXPECT_EQ(window({.first_round = 2, .last_round = 4}, phase).last, 4u);
}

TEST(Schedule, RoundsAddUpOverPhases) {
  Schedule schedule = small();
  schedule.phases.push_back({.repeat = 4'000'000'000u});
  EXPECT_EQ(rounds(schedule), 4'000'000'003u);
}

TEST(Schedule, CheckNamesPhaseAndMove) {
  EXPECT_EQ(refusal([](Schedule&) {}), "");
  EXPECT_EQ(refused_move([](Move& m) { m.destination = 2; }),
            "schedule 'small': phase 0 'swap', move 0 names destination 2 of 2 ranks");
}

TEST(Schedule, CheckRefusesWhatIsOutOfRange) {
  EXPECT_NE(refused_move([](Move& m) { m.destination = 0; }).find("to itself"), std::string::npos);
  EXPECT_NE(refused_move([](Move& m) { m.source = ~1; }), "");
  EXPECT_NE(refused_move([](Move& m) { m.source_slot = 2; }), "");
  EXPECT_NE(refused_move([](Move& m) { m.destination_slot = 2; }), "");
  EXPECT_NE(refused_move([](Move& m) { m.count = 0; }), "");
  EXPECT_NE(refused_move([](Move& m) { m.count = 3; }), "");
  EXPECT_NE(refused_move([](Move& m) {
              m.destination_buffer = Buffer::kScratch;
              m.count = 2;
            }),
            "");
  EXPECT_NE(refused_move([](Move& m) { m.first_round = 3; }).find("never active"), std::string::npos);
  EXPECT_NE(refused_move([](Move& m) { m.queue = -2; }), "");
  EXPECT_NE(refused_move([](Move& m) { m.lane.width = 0; }), "");
  EXPECT_NE(refusal([](Schedule& s) { s.ranks = 0; }), "");
  EXPECT_NE(refusal([](Schedule& s) { s.root = 2; }), "");
  EXPECT_NE(refusal([](Schedule& s) { s.chunks = 0; }), "");
  EXPECT_NE(refusal([](Schedule& s) { s.result = Buffer::kScratch; }), "");
  EXPECT_NE(refusal([](Schedule& s) { s.phases[0].repeat = 0; }), "");
}

TEST(Schedule, CheckRefusesSetsThatAreNotSortedMembers) {
  EXPECT_NE(refusal([](Schedule& s) { s.sets[0] = {1, 0}; }), "");
  EXPECT_NE(refusal([](Schedule& s) { s.sets[0] = {1, 1}; }), "");
  EXPECT_NE(refusal([](Schedule& s) { s.sets[0] = {0, 2}; }), "");
  EXPECT_NE(refusal([](Schedule& s) { s.sets[0] = {-1, 0}; }), "");
  EXPECT_NE(refusal([](Schedule& s) { s.sets[0] = {}; }), "");
  EXPECT_NE(refusal([](Schedule& s) { s.sets[0] = {1}; }).find("to itself"), std::string::npos);
}

TEST(Schedule, BlocksOfRankIndexedKindsAreWhole) {
  for (const Kind kind : {Kind::kReduceScatter, Kind::kAllGather, Kind::kAllToAll})
    EXPECT_NE(refusal([&](Schedule& s) {
                s.kind = kind;
                s.chunks = 3;
              }).find("multiple of 2"),
              std::string::npos);
  EXPECT_EQ(refusal([](Schedule& s) { s.chunks = 3; }), "");
}

}  // namespace
}  // namespace helio::schedule
