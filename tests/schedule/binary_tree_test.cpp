// SPDX-License-Identifier: Apache-2.0
#include "schedule/binary_tree.h"

#include <bit>

#include <gtest/gtest.h>

#include "schedule/cases.h"

namespace helio::schedule {
namespace {

std::uint64_t ceil_log2(Position n) {
  return static_cast<std::uint64_t>(std::bit_width(static_cast<std::uint32_t>(n - 1)));
}

Schedule in_pieces(Kind kind, Position n, Position root, const std::string& pieces) {
  return build("binary-tree", request_on_all(kind, Bytes{1e6}, n, root), {}, {{"chunks", {pieces, "test"}}});
}

TEST(BinaryTree, TheStepsThatTheWrhtPaperCounts) {
  // 2 ceil(log2 N) steps with the whole vector each: 20, 22, 24, 24 for N = 1024, 2048, 3072, 4096.
  EXPECT_EQ(rounds(build_case("binary-tree", Kind::kAllReduce, 1024)), 20u);
  EXPECT_EQ(rounds(build_case("binary-tree", Kind::kAllReduce, 2048)), 22u);
  EXPECT_EQ(rounds(build_case("binary-tree", Kind::kAllReduce, 3072)), 24u);
  EXPECT_EQ(rounds(build_case("binary-tree", Kind::kAllReduce, 4096)), 24u);
  for (const Position n : two_to_forty_and_some()) {
    EXPECT_EQ(rounds(build_case("binary-tree", Kind::kAllReduce, n)), 2 * ceil_log2(n));
    EXPECT_EQ(rounds(build_case("binary-tree", Kind::kReduce, n)), ceil_log2(n));
    EXPECT_EQ(rounds(build_case("binary-tree", Kind::kBroadcast, n)), ceil_log2(n));
    EXPECT_EQ(build_case("binary-tree", Kind::kAllReduce, n).chunks, 1u);
  }
}

TEST(BinaryTree, BytesGoWithTheChildren) {
  // Broadcast: the root has L children; n-1 vectors in all. Reduce: every rank but the root sends one.
  for (const Position n : two_to_forty_and_some()) {
    const Position root = n / 3;
    const Schedule broadcast = build_case("binary-tree", Kind::kBroadcast, n, root);
    const Schedule reduce = build_case("binary-tree", Kind::kReduce, n, root);
    const Schedule both = build_case("binary-tree", Kind::kAllReduce, n);
    std::uint64_t sent = 0;
    for (Position p = 0; p < n; ++p) {
      sent += slots_sent(broadcast, p);
      EXPECT_EQ(slots_sent(reduce, p), p == root ? 0u : 1u);
      EXPECT_LE(slots_sent(both, p), ceil_log2(n));
    }
    EXPECT_EQ(sent, static_cast<std::uint64_t>(n - 1));
    EXPECT_EQ(slots_sent(broadcast, root), ceil_log2(n));
  }
}

TEST(BinaryTree, ARankSendsOnceAndReceivesOnceInEveryPlainStep) {
  for (const Kind kind : {Kind::kBroadcast, Kind::kReduce, Kind::kAllReduce}) {
    const Schedule schedule = build_case("binary-tree", kind, 37, 0);
    const Phase& phase = schedule.phases.at(0);
    for (std::uint32_t round = 0; round < phase.repeat; ++round) {
      std::vector<int> sends(37), receives(37);
      for (const Move& move : phase.moves)
        if (const Window active = window(move, phase); active.first <= round && round < active.last) {
          EXPECT_EQ(sends[static_cast<std::size_t>(move.source)]++, 0);
          EXPECT_EQ(receives[static_cast<std::size_t>(move.destination)]++, 0);
        }
    }
  }
}

TEST(BinaryTree, PiecesFollowEachOther) {
  // K + L - 1 rounds, all-reduce K + 2L - 1; the bytes are the same: K slots of M/K where there was one of M.
  for (const Position n : {2, 3, 8, 21, 33})
    for (const Kind kind : {Kind::kBroadcast, Kind::kReduce, Kind::kAllReduce})
      for (const int pieces : {1, 2, 7}) {
        const Position root = has_root(kind) ? n - 1 : 0;
        const Schedule schedule = in_pieces(kind, n, root, std::to_string(pieces));
        const std::uint64_t levels = (kind == Kind::kAllReduce ? 2 : 1) * ceil_log2(n);
        EXPECT_EQ(rounds(schedule), static_cast<std::uint64_t>(pieces) + levels - 1);
        const Schedule plain = build_case("binary-tree", kind, n, root);
        for (Position p = 0; p < n; ++p)
          EXPECT_EQ(slots_sent(schedule, p), static_cast<std::uint64_t>(pieces) * slots_sent(plain, p));
        for (const VerifyMethod method : applicable_methods(schedule))
          EXPECT_TRUE(verify(schedule, {.method = method}).verified) << describe(schedule);
        EXPECT_TRUE(executes_correctly(schedule, 2 * schedule.chunks + 1, 5));
      }
}

}  // namespace
}  // namespace helio::schedule
