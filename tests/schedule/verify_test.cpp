// SPDX-License-Identifier: Apache-2.0
#include "schedule/verify.h"

#include <functional>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "schedule/cases.h"

namespace helio::schedule {
namespace {

constexpr VerifyMethod kEveryMethod[] = {VerifyMethod::kChoose, VerifyMethod::kExplicitSets,
                                         VerifyMethod::kOneSlotPerOrbit, VerifyMethod::kSlotBySlot,
                                         VerifyMethod::kFingerprints};

struct Damage {
  const char* name;
  std::function<void(Schedule&)> inflict;
};

void expect_rejected(const std::string& algorithm, const Damage& damage) {
  Schedule schedule = build_case(algorithm, Kind::kAllReduce, 8);
  damage.inflict(schedule);
  ASSERT_NO_THROW(check(schedule)) << damage.name;
  ASSERT_TRUE(keeps_slots(schedule)) << damage.name;
  for (const VerifyMethod method : kEveryMethod) {
    const Verification result = verify(schedule, {.method = method});
    EXPECT_FALSE(result.verified) << algorithm << ", " << damage.name << ", " << result.method;
    EXPECT_NE(result.failure, "") << algorithm << ", " << damage.name << ", " << result.method;
  }
}

TEST(Verify, OneDamagedMoveIsRejectedByEveryMethod) {
  const Damage damages[] = {
      {"a dropped move", [](Schedule& s) { s.phases[0].moves.list().erase(s.phases[0].moves.begin() + 3); }},
      {"a reduce twice", [](Schedule& s) { s.phases[0].moves.push_back(s.phases[0].moves[2]); }},
      {"a store twice: a race", [](Schedule& s) { s.phases.back().moves.push_back(s.phases.back().moves[2]); }},
      {"a wrong slot",
       [](Schedule& s) {
         Move& move = s.phases[0].moves[5];
         move.source_slot = move.destination_slot = (move.source_slot + 1) % s.chunks;
       }},
      {"a store for a reduce", [](Schedule& s) { s.phases[0].moves[1].action = Action::kStore; }},
      {"a reduce for a store", [](Schedule& s) { s.phases.back().moves[1].action = Action::kReduce; }},
      {"a wrong destination", [](Schedule& s) { s.phases[0].moves[0].destination = 2; }},
      {"a wrong buffer", [](Schedule& s) { s.phases[0].moves[0].destination_buffer = Buffer::kOutput; }},
  };
  for (const std::string algorithm : {"ring", "halving-doubling", "direct"})
    for (const Damage& damage : damages) expect_rejected(algorithm, damage);
}

TEST(Verify, DamageThatKeepsTheSymmetryIsRejectedByEveryMethod) {
  // The claim still holds, so one slot per orbit has to see the fault in the slot that it follows.
  const auto all_moves = [](Schedule& s, auto change) {
    for (Phase& phase : s.phases)
      for (Move& move : phase.moves) change(move);
  };
  const Damage damages[] = {
      {"swapped phases", [](Schedule& s) { std::swap(s.phases.front(), s.phases.back()); }},
      {"a missing phase", [](Schedule& s) { s.phases.pop_back(); }},
      {"stores everywhere", [&](Schedule& s) { all_moves(s, [](Move& move) { move.action = Action::kStore; }); }},
      {"reduces everywhere", [&](Schedule& s) { all_moves(s, [](Move& move) { move.action = Action::kReduce; }); }},
      {"a phase twice", [](Schedule& s) { s.phases.insert(s.phases.begin(), s.phases.front()); }},
      {"every move twice",
       [](Schedule& s) {
         std::vector<Move>& moves = s.phases[0].moves.list();
         const std::vector<Move> copy = moves;
         moves.insert(moves.end(), copy.begin(), copy.end());
       }},
  };
  for (const std::string algorithm : {"ring", "bidirectional-ring", "halving-doubling", "direct"})
    for (const Damage& damage : damages) {
      Schedule schedule = build_case(algorithm, Kind::kAllReduce, 8);
      damage.inflict(schedule);
      EXPECT_EQ(symmetry_fault(schedule), "") << algorithm << ", " << damage.name;
      expect_rejected(algorithm, damage);
    }
  expect_rejected("ring", {"one round less", [](Schedule& s) { --s.phases[1].repeat; }});
  expect_rejected("ring",
                  {"the wrong way round", [&](Schedule& s) { all_moves(s, [](Move& move) { move.stride = 1; }); }});
}

TEST(Verify, AFalseClaimIsNoErrorButIsNotUsed) {
  // Correct, but turned into a claim that the moves do not bear out: every other method still proves it.
  Schedule schedule = build_case("ring", Kind::kAllReduce, 256);
  EXPECT_EQ(verify(schedule).method, "one-slot-per-orbit");
  schedule.symmetry = Symmetry::kXor;
  EXPECT_TRUE(verify(schedule).verified);
  EXPECT_EQ(verify(schedule).method, "slot-by-slot");
  const Verification forced = verify(schedule, {.method = VerifyMethod::kOneSlotPerOrbit});
  EXPECT_FALSE(forced.verified);
  EXPECT_NE(forced.failure.find("the claimed symmetry does not hold"), std::string::npos);
}

TEST(Verify, AFaultOutsideTheFollowedSlotIsNotHiddenByAClaim) {
  // Only slot 200 is wrong; following slot 0 alone would not see it.
  Schedule schedule = build_case("direct", Kind::kReduceScatter, 256);
  for (Move& move : schedule.phases[0].moves)
    if (move.destination == 200 && move.source == 7) move.source = 8;
  EXPECT_FALSE(verify(schedule).verified);
}

TEST(Verify, FailuresSayWhatAndWhere) {
  Schedule schedule = build_case("ring", Kind::kAllReduce, 4);
  schedule.phases[0].moves[1].action = Action::kStore;  // 1 -> 2, slots 0, 3, 2: in round 0 x(2,0) is lost
  EXPECT_EQ(
      verify(schedule).failure,
      "data slot 0 of rank 0 holds x(2,0) 0 times instead of 1 (last written in phase 0 'reduce-scatter', round 2)");
  schedule = build_case("direct", Kind::kReduceScatter, 4);
  schedule.phases[0].moves[0].action = Action::kStore;  // 0 -> 1, slot 1, where 2 and 3 also add
  EXPECT_EQ(verify(schedule).failure,
            "phase 0 'reduce-scatter', round 0: data slot 1 of rank 1 is stored to and written by "
            "another move in the same round");
}

TEST(Verify, PastTheLimitNothingIsShown) {
  for (const VerifyMethod method : kEveryMethod) {
    const Verification result = verify(build_case("ring", Kind::kAllReduce, 64), {.method = method, .work_limit = 50});
    EXPECT_FALSE(result.verified);
    EXPECT_EQ(result.method, "work-limit");
  }
  // 16,384 ranks with 16,384 slots each would be 5.4 GB of fingerprints.
  const Schedule large = build_case("ring", Kind::kAllReduce, 16'384);
  EXPECT_EQ(verify(large, {.method = VerifyMethod::kFingerprints, .work_limit = ~0ull}).method, "work-limit");
}

TEST(Verify, AHostileScheduleIsTurnedDownAndNotRun) {
  // Two billion rounds of one move that stays: no method may try to walk them.
  Schedule schedule{.ranks = 2};
  schedule.phases = {{.name = "for ever", .repeat = 2'000'000'000u, .moves = {{.source = 0, .destination = 1}}}};
  for (const VerifyMethod method : kEveryMethod)
    EXPECT_FALSE(verify(schedule, {.method = method, .work_limit = 1'000'000}).verified);
  schedule.phases.push_back(schedule.phases[0]);
  schedule.phases.push_back(schedule.phases[0]);
  EXPECT_EQ(verify(schedule).method, "work-limit");
}

TEST(Verify, LargeRingsAreFollowedInOneSlot) {
  const Verification result = verify(build_case("ring", Kind::kAllReduce, 1 << 17));
  EXPECT_TRUE(result.verified) << result.failure;
  EXPECT_EQ(result.method, "one-slot-per-orbit");
}

TEST(Verify, ADataflowProgramWithScratchAndQueues) {
  const Schedule schedule = relayed_all_reduce();
  EXPECT_NO_THROW(check(schedule));
  for (const VerifyMethod method : applicable_methods(schedule)) {
    const Verification result = verify(schedule, {.method = method});
    EXPECT_TRUE(result.verified) << result.failure;
  }
  EXPECT_TRUE(executes_correctly(schedule, 7, 3));
}

TEST(Verify, ARelayThatForwardsTooEarlyForwardsSomethingUndefined) {
  Schedule schedule = relayed_all_reduce();
  std::swap(schedule.phases[1], schedule.phases[2]);
  for (const VerifyMethod method : {VerifyMethod::kExplicitSets, VerifyMethod::kFingerprints})
    EXPECT_NE(verify(schedule, {.method = method}).failure.find("undefined"), std::string::npos);
}

TEST(Verify, UndefinedValuesMayTravelIfTheyReachNoResult) {
  Schedule schedule = relayed_all_reduce();
  schedule.phases.insert(schedule.phases.begin(), {.name = "noise",
                                                   .moves = {{.source = 3,
                                                              .destination = 1,
                                                              .source_buffer = Buffer::kScratch,
                                                              .destination_buffer = Buffer::kScratch}}});
  EXPECT_TRUE(verify(schedule).verified);
}

// A random field of a random move becomes something else. All methods agree on the verdict, and real numbers agree with it.
RC_GTEST_PROP(Verify, MutationsAreJudgedAlikeByEveryMethodAndByRealNumbers, ()) {
  const auto& entries = algorithms().entries();
  const AlgorithmEntry& entry = entries[*rc::gen::inRange<std::size_t>(0, entries.size())];
  const Kind kind = *rc::gen::elementOf(entry.factory.kinds);
  const Position n = *rc::gen::inRange<Position>(2, 10);
  Schedule schedule = build_case(entry.description.name, kind, n, *rc::gen::inRange<Position>(0, n));

  Phase& phase = schedule.phases[*rc::gen::inRange<std::size_t>(0, schedule.phases.size())];
  Move& move = phase.moves[*rc::gen::inRange<std::size_t>(0, phase.moves.size())];
  const auto slot = *rc::gen::inRange<std::uint32_t>(0, schedule.chunks);
  const Position rank = *rc::gen::inRange<Position>(0, n);
  switch (*rc::gen::inRange(0, 11)) {
    case 0: move.source = rank; break;
    case 1: move.destination = rank; break;
    case 2: move.source_slot = slot; break;
    case 3: move.destination_slot = slot; break;
    case 4: move.source_slot = move.destination_slot = slot; break;
    case 5: move.count = slot + 1; break;
    case 6: move.stride += *rc::gen::inRange(-2, 3); break;
    case 7: move.action = move.action == Action::kStore ? Action::kReduce : Action::kStore; break;
    case 8: move.first_round = *rc::gen::inRange<std::uint32_t>(0, phase.repeat); break;
    case 9: move.destination_buffer = *rc::gen::element(Buffer::kData, Buffer::kOutput); break;
    case 10: phase.repeat += 1; break;
  }
  try {
    check(schedule);
  } catch (const Error&) {
    RC_DISCARD("refused by check");
  }

  const Verification exact = verify(schedule, {.method = VerifyMethod::kExplicitSets});
  RC_CLASSIFY(exact.verified, "harmless");
  for (const VerifyMethod method : applicable_methods(schedule)) {
    if (method == VerifyMethod::kOneSlotPerOrbit && symmetry_fault(schedule) != "") continue;
    RC_ASSERT(verify(schedule, {.method = method}).verified == exact.verified);
  }
  const std::size_t elements = kind == Kind::kAllToAll ? 2 * schedule.chunks : 2 * schedule.chunks + 1;
  const bool race = exact.failure.find("in the same round") != std::string::npos;
  if (!race) RC_ASSERT(executes_correctly(schedule, elements, 7) == exact.verified);
}

}  // namespace
}  // namespace helio::schedule
