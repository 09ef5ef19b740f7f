// SPDX-License-Identifier: Apache-2.0
// The orders in which flows are served.
#include "fabric/oddl/oddl_policy.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"

namespace helio::fabric {
namespace {

Time us(double t) { return Time::microseconds(t); }

// Takes all, at `now`, and tells their ids; the pointer moves past who was served, as when all accept.
std::vector<std::uint64_t> served(OddlQueue queue, Time now, std::uint32_t pointer = 0) {
  std::vector<std::uint64_t> ids;
  while (!queue.empty()) {
    const OddlWaiting next = queue.take(now, pointer);
    ids.push_back(next.id);
    pointer = next.source + 1;
  }
  return ids;
}

OddlQueue filled(OddlPolicy policy, const std::vector<OddlWaiting>& waiting, Time aging = us(1000)) {
  OddlQueue queue(policy, aging);
  for (const OddlWaiting& w : waiting) queue.insert(w);
  return queue;
}

using Ids = std::vector<std::uint64_t>;

// id, source, class, bytes, since
const std::vector<OddlWaiting> kFive{
    {1, 4, 0, 900, us(1)}, {2, 2, 0, 100, us(3)}, {3, 1, 0, 500, us(2)}, {4, 3, 1, 1, us(0)}, {5, 0, 0, 500, us(2)}};

TEST(OddlQueue, SrptServesTheFewestBytesLeftOfTheMostUrgentClass) {
  // 100 of source 2, then the two of 500 in turn (none from 3 on, so 0, then 1), then 900; class 1 last, though it is smallest.
  EXPECT_EQ(served(filled(OddlPolicy::kSrpt, kFive), us(10)), (Ids{2, 5, 3, 1, 4}));
  EXPECT_EQ(served(filled(OddlPolicy::kCoflow, kFive), us(10)), (Ids{2, 5, 3, 1, 4}));
}

// Equal bytes: sources 1, 2, 3 asked in the order 3, 1, 2. From 2 on: 2, 3, and round again 1; a smaller one goes before all.
TEST(OddlQueue, EqualsTakeTurns) {
  const std::vector<OddlWaiting> equals{
      {1, 3, 0, 7, us(1)}, {2, 1, 0, 7, us(2)}, {3, 2, 0, 7, us(3)}, {4, 0, 0, 5, us(4)}};
  EXPECT_EQ(served(filled(OddlPolicy::kSrpt, equals), us(10), 2), (Ids{4, 2, 3, 1}));  // after source 0 it is 1's turn
  OddlQueue queue = filled(OddlPolicy::kSrpt, {equals[0], equals[1], equals[2]});
  EXPECT_EQ(queue.take(us(10), 2).id, 3u);
  EXPECT_EQ(queue.take(us(10), 3).id, 1u);
  EXPECT_EQ(queue.take(us(10), 4).id, 2u);
}

TEST(OddlQueue, FifoServesWhoAskedFirst) {
  EXPECT_EQ(served(filled(OddlPolicy::kFifo, kFive), us(10)), (Ids{1, 5, 3, 2, 4}));
}

TEST(OddlQueue, RoundRobinGoesOnFromThePointer) {
  // Class 0 has sources 0, 1, 2, 4. From 2: 2, 4, and round again 0, 1; then class 1.
  EXPECT_EQ(served(filled(OddlPolicy::kRoundRobin, kFive), us(10), 2), (Ids{2, 1, 5, 3, 4}));
  EXPECT_EQ(served(filled(OddlPolicy::kRoundRobin, kFive), us(10), 5), (Ids{5, 3, 2, 1, 4}));  // past the last
}

TEST(OddlQueue, WhoHasAgedGoesFirstWhateverItsClass) {
  // At 10 us, aging 8: those since 0, 1 and 2 us have waited 10, 9 and 8 us: 4, 1, then 5 and 3; 2 has not aged and comes last.
  EXPECT_EQ(served(filled(OddlPolicy::kSrpt, kFive, us(8)), us(10)), (Ids{4, 1, 5, 3, 2}));
}

TEST(OddlQueue, KnowsWhetherOthersWait) {
  OddlQueue queue = filled(OddlPolicy::kSrpt, {{1, 4, 0, 9, us(1)}, {2, 4, 0, 8, us(1)}});
  EXPECT_FALSE(queue.others_than(4));
  EXPECT_TRUE(queue.others_than(3));
  queue.insert({3, 3, 0, 9, us(1)});
  EXPECT_TRUE(queue.others_than(4));
}

// Whatever the policy, nobody waits longer than `aging` plus the time to serve those who aged before: with one served per us
// and 20 present at once, all are served within aging + 20 us, although shorter flows keep coming.
TEST(OddlQueue, NobodyStarves) {
  for (const OddlPolicy policy : {OddlPolicy::kSrpt, OddlPolicy::kFifo, OddlPolicy::kRoundRobin, OddlPolicy::kCoflow}) {
    OddlQueue queue(policy, us(100));
    Random random(5);
    std::uint64_t id = 0;
    for (; id < 20; ++id)
      queue.insert({id, static_cast<std::uint32_t>(random.below(30)), 1, 1'000'000 + random.below(1000), Time()});
    std::uint32_t pointer = 0;
    Time last;
    for (int t = 0; t < 1000; ++t) {
      queue.insert({id++, static_cast<std::uint32_t>(random.below(30)), 0, random.below(1000), us(t)});
      const OddlWaiting next = queue.take(us(t), pointer);
      pointer = next.source + 1;
      if (next.id < 20) last = us(t);
    }
    EXPECT_GE(last, us(100));
    EXPECT_LE(last, us(120));
  }
}

TEST(OddlPolicy, NamesAreLegalOrRefused) {
  for (const std::string& name : oddl_policy_names())
    EXPECT_EQ(oddl_policy_names()[static_cast<std::size_t>(oddl_policy(name))], name);
  EXPECT_EQ(oddl_policy("round-robin"), OddlPolicy::kRoundRobin);
  EXPECT_THROW(oddl_policy("srtp"), Error);
}

}  // namespace
}  // namespace helio::fabric
