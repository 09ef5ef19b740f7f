// SPDX-License-Identifier: Apache-2.0
#include "schedule/pipelined.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "schedule/cases.h"

namespace helio::schedule {
namespace {

constexpr VerifyMethod kMethodsOfPieces[] = {VerifyMethod::kChoose, VerifyMethod::kExplicitSets,
                                             VerifyMethod::kFingerprints, VerifyMethod::kOnePiece};

void expect_proven(const Schedule& schedule, const std::string& what) {
  ASSERT_NO_THROW(check(schedule)) << what;
  for (const VerifyMethod method : kMethodsOfPieces) {
    const Verification proof = verify(schedule, {.method = method});
    EXPECT_TRUE(proof.verified) << what << ": " << proof.method << ": " << proof.failure;
  }
  const std::size_t odd = schedule.kind == Kind::kAllToAll ? 0 : 3;
  EXPECT_TRUE(executes_correctly(schedule, schedule.chunks + odd, 5)) << what;
}

// Every algorithm, also those that have no parameter for it: each stage takes each piece once, so rounds are R - 1 + K, and
// everyone sends as many bytes as before, in slots of 1/K.
TEST(Pipelined, EveryAlgorithmInPiecesIsProvenByEveryMethodAndByRealNumbers) {
  Random random(3);
  for_every_case({2, 3, 4, 5, 6, 7, 8, 9, 12}, [&](const Schedule& base) {
    const auto pieces = static_cast<std::uint32_t>(2 + random.below(6));
    const Schedule schedule = pipelined(base, pieces);
    const std::string what = fmt::format("{} in {} pieces", describe(base), pieces);
    EXPECT_EQ(schedule.pieces, pieces);
    EXPECT_EQ(schedule.chunks, pieces * base.chunks);
    EXPECT_EQ(rounds(schedule), rounds(base) - 1 + pieces);
    for (Position p = 0; p < base.ranks; ++p) EXPECT_EQ(slots_sent(schedule, p), pieces * slots_sent(base, p)) << what;
    EXPECT_EQ(pieces_fault(schedule), "") << what;
    expect_proven(schedule, what);
  });
}

// Scratch of 2 slots beside a vector of 2, and of 3 beside 2: 3 slots are two blocks, so that scratch advances as data does.
TEST(Pipelined, ScratchIsCutAlike) {
  Schedule base = relayed_all_reduce();
  EXPECT_EQ(pipelined(base, 3).scratch, 6u);
  expect_proven(pipelined(base, 3), "relayed");
  base.scratch = 3;
  for (Phase& phase : base.phases)
    for (Move& move : phase.moves) {
      if (move.source_buffer == Buffer::kScratch) ++move.source_slot;
      if (move.destination_buffer == Buffer::kScratch) ++move.destination_slot;
    }
  EXPECT_EQ(pipelined(base, 5).scratch, 20u);
  expect_proven(pipelined(base, 5), "relayed, scratch of three");
}

// All-gather of 3 ranks with 2 slots each, K = 4: w = 2, block b starts at slot 8b, and the slot advances by 2. A move of 3
// slots from slot 4 on goes around the end: slots 4, 5 of block 2, then slot 0 of block 0. With stride -1 it takes slots 3 of
// block 1 and 4, 5 of block 2 in its second round, which is stage 1.
TEST(Pipelined, MovesOverSeveralBlocksAreCut) {
  Schedule base{.algorithm = "by hand", .kind = Kind::kAllGather, .ranks = 3, .chunks = 6};
  base.phases = {
      {.name = "one",
       .repeat = 2,
       .moves = {{.source = 0, .destination = 1, .source_slot = 4, .destination_slot = 4, .count = 3, .stride = -1}}}};
  const Schedule schedule = pipelined(base, 4);
  ASSERT_EQ(schedule.phases.size(), 1u);
  EXPECT_EQ(schedule.phases[0].repeat, 5u);
  const auto& moves = schedule.phases[0].moves;
  const std::uint32_t expected[][3] = {{16, 2, 0}, {0, 1, 0}, {9, 1, 1}, {16, 2, 1}};  // slot, count, first round
  ASSERT_EQ(moves.size(), std::size(expected));
  for (std::size_t m = 0; m < moves.size(); ++m) {
    EXPECT_EQ(moves[m].source_slot, expected[m][0]);
    EXPECT_EQ(moves[m].destination_slot, expected[m][0]);
    EXPECT_EQ(moves[m].count, expected[m][1]);
    EXPECT_EQ(moves[m].first_round, expected[m][2]);
    EXPECT_EQ(moves[m].last_round, expected[m][2] + 4);
    EXPECT_EQ(moves[m].stride, 2);
  }
}

// Two slots from slots 1, 2 to slots 0, 1: the source is in two blocks, the destination in one.
TEST(Pipelined, MovesAreCutAtTheBlocksOfBothSides) {
  Schedule base{.algorithm = "by hand", .kind = Kind::kAllToAll, .ranks = 3, .chunks = 6};
  for (const bool swapped : {false, true}) {
    const std::uint32_t from = swapped ? 0 : 1, to = 1 - from;
    base.phases = {
        {.moves = {{.source = 0, .destination = 1, .source_slot = from, .destination_slot = to, .count = 2}}}};
    const auto moves = pipelined(base, 4).phases[0].moves;
    ASSERT_EQ(moves.size(), 2u);
    EXPECT_EQ(swapped ? moves[0].destination_slot : moves[0].source_slot, 1u);
    EXPECT_EQ(swapped ? moves[0].source_slot : moves[0].destination_slot, 0u);
    EXPECT_EQ(swapped ? moves[1].destination_slot : moves[1].source_slot, 8u);
    EXPECT_EQ(swapped ? moves[1].source_slot : moves[1].destination_slot, 1u);
  }
}

TEST(Pipelined, TheFirstPieceIsTheBaseRoundByRound) {
  const Schedule base = build_case("hierarchical-ring", Kind::kAllReduce, 12);
  const Schedule piece = first_piece(pipelined(base, 7));
  EXPECT_EQ(piece.chunks, base.chunks);
  EXPECT_EQ(rounds(piece), rounds(base));
  EXPECT_EQ(piece.pieces, 1u);
  EXPECT_TRUE(verify(piece, {.method = VerifyMethod::kExplicitSets}).verified);
}

TEST(Pipelined, ThousandsOfPiecesAreProvenByOne) {
  // 16 ranks: exact. 256 ranks: one slot of one piece, because the ring's rotation is kept within a piece.
  const Verification some = verify(pipelined(build_case("two-level", Kind::kAllReduce, 16), 16384));
  EXPECT_TRUE(some.verified) << some.failure;
  EXPECT_EQ(some.method, "one-piece-of-many+explicit-sets");
  const Verification many = verify(pipelined(build_case("ring", Kind::kAllReduce, 256), 64));
  EXPECT_TRUE(many.verified) << many.failure;
  EXPECT_EQ(many.method, "one-piece-of-many+one-slot-per-orbit");
  for (const Kind kind : {Kind::kReduceScatter, Kind::kAllGather})
    EXPECT_TRUE(verify(pipelined(build_case("halving-doubling", kind, 24), 16384)).verified);
}

struct Damage {
  const char* name;
  bool breaks_claim;
  void (*inflict)(Move&);
};

// What the claim does not cover the first piece must show, and what it covers must not be believed.
TEST(Pipelined, DamageIsFound) {
  const Damage damages[] = {
      {"one slot further", false, [](Move& m) { ++m.source_slot, ++m.destination_slot; }},
      {"one round later", false, [](Move& m) { ++m.first_round, ++m.last_round; }},
      {"the last piece missing", true, [](Move& m) { --m.last_round; }},
      {"the first piece missing", true, [](Move& m) { ++m.first_round; }},
      {"a piece skipped", true, [](Move& m) { m.stride *= 2; }},
      {"the pieces backwards", true, [](Move& m) { m.stride = -m.stride; }},
      {"the second piece first", true, [](Move& m) { m.source_slot += 8, m.destination_slot += 8; }},
      {"the store of another", true, [](Move& m) { m.destination_slot += 8; }},
      {"two pieces at once", true, [](Move& m) { m.count = 9; }},
      {"a store for a reduce", false, [](Move& m) { m.action = Action::kStore; }},
  };
  for (const std::uint32_t pieces : {4u, 512u})
    for (const Damage& damage : damages) {
      Schedule schedule = pipelined(build_case("ring", Kind::kAllReduce, 8), pieces);  // w = 8 slots of one block each
      damage.inflict(schedule.phases[0].moves[2]);
      check(schedule);
      EXPECT_EQ(pieces_fault(schedule) != "", damage.breaks_claim) << damage.name << ": " << pieces_fault(schedule);
      for (const VerifyMethod method : {VerifyMethod::kChoose, VerifyMethod::kOnePiece}) {
        const Verification proof = verify(schedule, {.method = method});
        EXPECT_FALSE(proof.verified) << damage.name << ": " << proof.method;
        EXPECT_NE(proof.method, "work-limit") << damage.name;
        EXPECT_NE(proof.failure, "") << damage.name;
      }
    }
}

TEST(Pipelined, AFalseNumberOfPiecesIsNotBelieved) {
  Schedule schedule = pipelined(build_case("ring", Kind::kAllReduce, 8), 6);
  schedule.pieces = 3;
  EXPECT_NE(pieces_fault(schedule), "");
  EXPECT_TRUE(verify(schedule).verified);  // it is right, for other reasons
  EXPECT_FALSE(verify(schedule, {.method = VerifyMethod::kOnePiece}).verified);
  schedule.pieces = 5;  // does not divide the slots
  EXPECT_NE(pieces_fault(schedule), "");
  EXPECT_FALSE(verify(build_case("ring", Kind::kAllReduce, 8), {.method = VerifyMethod::kOnePiece}).verified);
}

// A random field of a random move becomes something else: where the claim still holds, the first piece has the verdict of
// the exact method; where it does not, another method is chosen and has it.
RC_GTEST_PROP(Pipelined, MutationsAreJudgedAsByTheExactMethod, ()) {
  const auto& entries = algorithms().entries();
  const AlgorithmEntry& entry = entries[*rc::gen::inRange<std::size_t>(0, entries.size())];
  const Kind kind = *rc::gen::elementOf(entry.factory.kinds);
  const Position n = *rc::gen::inRange<Position>(2, 9);
  Schedule schedule = pipelined(build_case(entry.description.name, kind, n, *rc::gen::inRange<Position>(0, n)),
                                *rc::gen::inRange(2u, 6u));
  Phase& phase = schedule.phases[0];
  Move& move = phase.moves[*rc::gen::inRange<std::size_t>(0, phase.moves.size())];
  const auto slot = *rc::gen::inRange<std::uint32_t>(0, schedule.chunks);
  const auto shift = *rc::gen::inRange<std::uint32_t>(0, 3);
  switch (*rc::gen::inRange(0, 8)) {
    case 0: move.destination = *rc::gen::inRange<Position>(0, n); break;
    case 1: move.source_slot = slot; break;
    case 2: move.source_slot = move.destination_slot = slot; break;
    case 3: move.first_round += shift, move.last_round += shift; break;
    case 4: move.last_round -= shift; break;
    case 5: move.stride += *rc::gen::inRange(-2, 3); break;
    case 6: move.action = move.action == Action::kStore ? Action::kReduce : Action::kStore; break;
    case 7: move.count = 1 + slot % 4; break;
  }
  try {
    check(schedule);
  } catch (const Error&) {
    RC_DISCARD("refused by check");
  }
  const bool right = verify(schedule, {.method = VerifyMethod::kExplicitSets}).verified;
  RC_CLASSIFY(right, "harmless");
  RC_CLASSIFY(pieces_fault(schedule).empty(), "the claim holds");
  RC_ASSERT(verify(schedule).verified == right);
  if (pieces_fault(schedule).empty())
    RC_ASSERT(verify(schedule, {.method = VerifyMethod::kOnePiece}).verified == right);
  else
    RC_ASSERT(!verify(schedule, {.method = VerifyMethod::kOnePiece}).verified);
}

TEST(Pipelined, WhatIsTooMuchIsInfeasibleAndSaysWhy) {
  const auto reason = [](const Schedule& base, std::uint32_t pieces) -> std::string {
    try {
      pipelined(base, pieces);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
      return error.message();
    }
    return "";
  };
  // 4096 slots in 2^20 pieces are 2^32; a ring of 4096 takes 2 x 4095 x 4096 = 3.4e7 moves, one of 256 takes 510 x 256 =
  // 130,560 moves in 510 stages, 6.7e7 in the rounds that fill and drain it.
  EXPECT_NE(reason(build_case("ring", Kind::kAllReduce, 4096), 1u << 20).find("slots"), std::string::npos);
  EXPECT_NE(reason(build_case("ring", Kind::kAllReduce, 4096), 2).find("more than 4194304 moves"), std::string::npos);
  EXPECT_NE(reason(build_case("ring", Kind::kAllReduce, 256), 1024).find("510 stages that take 6.7e+07 moves"),
            std::string::npos);
}

TEST(Pipelined, TheParameterCutsTheScheduleAndSaysSo) {
  std::vector<std::string> names;
  for (const AlgorithmEntry& entry : algorithms().entries())
    for (const Parameter& parameter : entry.description.parameters)
      if (parameter.name == "pieces" && entry.description.name != "fitted")  // whose pieces have a tree each
        names.push_back(entry.description.name);
  EXPECT_EQ(names, (std::vector<std::string>{"ring", "bidirectional-ring", "recursive-doubling", "halving-doubling",
                                             "binary-tree", "double-binary-tree", "hierarchical-ring", "two-level",
                                             "direct", "dimension-ordered"}));
  for (const std::string& name : names) {
    const CollectiveRequest request = request_on_all(Kind::kAllReduce, Bytes{1e6}, 8);
    const Schedule whole = build(name, request, some_grid(8));
    const Schedule cut = build(name, request, some_grid(8), {{"pieces", {"3", ""}}});
    EXPECT_EQ(cut.algorithm, name);
    EXPECT_EQ(cut.pieces, 3u);
    EXPECT_EQ(rounds(cut), rounds(whole) + 2);
    EXPECT_EQ(cut.facts.back(), (Fact{{"pieces"}, 3.0}));
    for (const Fact& fact : whole.facts) EXPECT_NE(fact.name, "pieces");
  }
}

TEST(Pipelined, LanesStay) {
  const Schedule schedule = build("ring", request_on_all(Kind::kAllReduce, Bytes{1}, 6), able_fabric(),
                                  {{"stripe", {"3", ""}}, {"pieces", {"4", ""}}});
  for (const Move& move : schedule.phases[0].moves) EXPECT_EQ(move.lane.width, 3);
}

}  // namespace
}  // namespace helio::schedule
