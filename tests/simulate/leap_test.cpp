// SPDX-License-Identifier: Apache-2.0
// Jumping over rounds changes no result, whoever comes in between.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "simulate/programs.h"

namespace helio::simulate {
namespace {

using W = ProgramWriter;

TEST(Leap, AMillionRoundsCostTwo) {
  W w;
  const auto round = w.body("round", {W::transfer(w.route({w.link(3)}, {}, Time::picoseconds(1907.35)), 1)});
  const Timeline t = w.run(w.body("entry", {W::call(round, 1'000'000)}), true, false);
  const double expected = (1907.35e-12 + 1.0 / 3) * 1e6;
  EXPECT_NEAR(t.end.to_seconds(), expected, 1e-12 * expected);
  EXPECT_EQ(t.steps, 1'000'000u);
  EXPECT_GE(t.rounds_jumped, 999'998u);
  EXPECT_LT(t.events, 20u);
}

TEST(Leap, ADarkChannelIsLitFirst) {
  W w;
  const auto round = w.body("round", {W::transfer(w.route({}, {w.channel(10, s(3))}), 10)});
  const auto entry = w.body("entry", {W::call(round, 1000)});
  const Timeline t = w.run(entry);
  EXPECT_EQ(t.end, s(3 + 1000));  // one setup, 1000 rounds of 1 s
  EXPECT_EQ(t.critical.setup, s(3));
  EXPECT_DOUBLE_EQ(t.busy_seconds[0], 1003.0);
  EXPECT_GE(t.rounds_jumped, 997u);
}

TEST(Leap, SomebodyInBetweenIsNoticed) {
  // A call of 100 rounds of 1 s on a link; at 10.5 s a transfer of 20 B comes to the same link of 10 B/s.
  // Round 11 (10-11 s) has 5 B left at 10.5 and shares: 5 B/s each, ends at 11.5, the other has 15 B left. Round 12: 10 B at
  // 5 B/s, 11.5-13.5, the other has 5 B left; round 13: 5 B in 1 s until 14.5, the other is done; 5 B left, 15.0. Then 87
  // rounds of 1 s: 102 s.
  W w;
  const auto l = w.link(10);
  const auto round = w.body("round", {W::transfer(w.route({l}), 10)});
  const auto entry = w.body("entry", {W::call(round, 100), W::delay(s(10.5)), W::transfer(w.route({l}), 20)}, {{1, 2}});
  for (const bool jump : {true, false}) {
    const Timeline t = w.run(entry, jump);
    EXPECT_EQ(end_of(t, entry, 2), s(14.5)) << jump;
    EXPECT_EQ(t.end, s(102)) << jump;
  }
}

TEST(Leap, WhoAsksAtTheEndOfARoundIsServedAsIfNothingWereSkipped) {
  // Rounds of 1 s of overhead and a transfer that no rate limits, so that it holds c for its setup (1 s) or for an instant.
  // Round 1 ends at 2 (c was dark), round 2 at 3. At 4 the third transfer and a compute of 2 s ask for c; the compute stands
  // in the outer template, which comes first: setup 4-5, compute 5-7, then the transfer pays setup again: 8 s.
  W w;
  const auto c = w.channel(0, s(1));
  const auto round = w.body("round", {W::transfer(w.route({}, {c}), 2520, 0, s(1))});
  const auto entry = w.body("entry", {W::call(round, 3), W::delay(s(4)), W::compute(w.route({}, {c}), s(2))}, {{1, 2}});
  for (const bool jump : {true, false}) EXPECT_EQ(w.run(entry, jump).end, s(8)) << jump;
}

// What the links of the critical path add up to, calls and rounds by what is inside them where that is visible.
Time length_of_path(const Timeline& timeline, std::uint32_t last) {
  Time sum;
  for (std::uint32_t at = last; at != Link::kNone; at = timeline.links[at].previous) {
    const Link& link = timeline.links[at];
    const Time own = link.end - link.start;
    if (link.inner == Link::kNone) {
      sum += own * static_cast<std::int64_t>(link.rounds);
    } else {
      const Time inside = length_of_path(timeline, link.inner);
      if (link.operation == Link::kNone)
        EXPECT_EQ(inside, own);
      else
        EXPECT_LE(inside, own);  // a call may wait for its channels first
      sum += (link.operation == Link::kNone ? inside : own) * static_cast<std::int64_t>(link.rounds);
    }
  }
  return sum;
}

// 60,000 rounds of 2 s, each with a delay of 2 s and one of 1 s beside it, none leapt over: three links a round, of which the shorter delay's is
// nobody's past as soon as the round ends. 180,000 links would be; those of the path are two a round and one of the call.
TEST(Leap, LinksThatNothingFollowsFromAreForgotten) {
  W w;
  const auto round = w.body("round", {W::delay(s(1)), W::delay(s(2))});
  const auto entry = w.body("entry", {W::call(round, 60'000)});
  for (const auto id : {round, entry}) w.program.templates[id.value].visible = true;
  const Timeline timeline = w.run(entry, false);
  EXPECT_EQ(timeline.end, s(120'000));
  EXPECT_EQ(length_of_path(timeline, timeline.last_link), s(120'000));
  EXPECT_LT(timeline.links.size(), 170'000u);
  EXPECT_GE(timeline.links.size(), 120'001u);
}

// One template, called 1000 times in a chain and once more beside it on other links: the first call is simulated, all others
// are one event each. Every call takes 3 s (10 bytes at 5 a second, then a delay of 1 s).
TEST(Leap, ACallIsTimedOnce) {
  W w;
  const auto a = w.body("a", {W::transfer(w.route({w.link(5)}), 10), W::delay(s(1))}, {{0, 1}});
  std::vector<flow::Operation> calls;
  std::vector<flow::Edge> edges;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    calls.push_back(W::call(a, 1));
    if (i > 0) edges.push_back({i - 1, i});
  }
  const auto entry = w.body("entry", calls, edges);
  w.program.templates[entry.value].visible = true;
  for (const bool jump : {true, false}) {
    const Timeline t = w.run(entry, jump, false);
    EXPECT_EQ(t.end, s(3000));
    EXPECT_EQ(t.critical.compute, s(1000));
    EXPECT_EQ(t.critical.transmission, s(2000));
    EXPECT_EQ(length_of_path(t, t.last_link), s(3000));
    EXPECT_EQ(t.rounds_jumped, jump ? 999u : 0u);
  }
}

// The remembered call (4 s alone: 20 bytes at 5 a second) is met by a transfer of 5 bytes that starts 1 s into it: they share,
// so the transfer ends at 1 + 2 = 3 s into it with 5 bytes moved each, and the call with the last 10 bytes at 5 s.
TEST(Leap, ARememberedCallIsBrokenLikeAnyLeap) {
  W w;
  const auto link = w.link(5);
  const auto a = w.body("a", {W::transfer(w.route({link}), 20)});
  const auto entry = w.body("entry", {W::call(a, 1), W::call(a, 1), W::delay(s(5)), W::transfer(w.route({link}), 5)},
                            {{0, 1}, {2, 3}});
  for (const bool jump : {true, false}) {
    const Timeline t = w.run(entry, jump);
    EXPECT_EQ(t.end, s(9));
    EXPECT_EQ(end_of(t, entry, 3), s(7));
  }
}

TEST(Leap, TwoCallsOnSeparateLinksBothLeap) {
  W w;
  const auto a = w.body("a", {W::transfer(w.route({w.link(10)}), 10)});
  const auto b = w.body("b", {W::transfer(w.route({w.link(7)}), 10)});
  const Timeline t = w.run(w.body("entry", {W::call(a, 100'000), W::call(b, 100'000)}), true, false);
  EXPECT_NEAR(t.end.to_seconds(), 1e6 / 7, 1e-12 * 1e6 / 7);
  EXPECT_LT(t.events, 30u);
}

// Random programs of calls, delays and transfers on a few shared links and channels: with and without jumping, every span
// that is simulated in both, the end, the steps and the split agree to the last digit.
RC_GTEST_PROP(Leap, TurningItOffChangesNothing, (std::uint64_t seed)) {
  Random random(seed);
  W w;
  const bool links_only = random.below(2) == 0;  // then calls are leapt over from memory, too
  std::vector<flow::ResourceId> links, channels;
  for (int i = 0; i < 3; ++i) links.push_back(w.link(1 + static_cast<double>(random.below(5))));
  for (int i = 0; i < 3; ++i)
    channels.push_back(w.channel(1 + static_cast<double>(random.below(5)), s(static_cast<double>(random.below(3))),
                                 random.below(2) == 0));
  const auto random_route = [&] {
    std::vector<flow::ResourceId> l, c;
    if (links_only) return w.route({links[random.below(3)]}, {}, s(static_cast<double>(random.below(3)) / 2));
    if (random.below(2) == 0) l.push_back(links[random.below(3)]);
    if (random.below(3) == 0) c.push_back(channels[random.below(3)]);
    if (l.empty() && c.empty()) l.push_back(links[random.below(3)]);
    return w.route(l, c, s(static_cast<double>(random.below(3)) / 2));
  };
  const auto random_leaf = [&] {
    if (random.below(5) == 0) return W::delay(s(static_cast<double>(random.below(20)) / 4));
    flow::Operation op =
        W::transfer(random_route(), static_cast<double>(1 + random.below(10)),
                    static_cast<std::uint8_t>(random.below(3)), s(static_cast<double>(random.below(2))));
    if (random.below(2) == 0) op.share = static_cast<float>(1 + random.below(5)) / 2;
    return op;
  };
  std::vector<flow::TemplateId> bodies;
  for (int level = 0; level < 3; ++level)
    for (int k = 0; k < 2; ++k) {
      std::vector<flow::Operation> operations;
      std::vector<flow::Edge> edges;
      const std::uint64_t count = 1 + random.below(3);
      for (std::uint32_t i = 0; i < count; ++i) {
        const bool call = level > 0 && random.below(2) == 0;
        operations.push_back(call ? W::call(bodies[random.below(bodies.size())], 1 + random.below(12)) : random_leaf());
        if (i > 0 && random.below(2) == 0) edges.push_back({static_cast<std::uint32_t>(random.below(i)), i});
      }
      bodies.push_back(w.body("b", operations, edges));
      w.program.templates.back().visible = random.below(2) == 0;
    }
  const auto entry =
      w.body("entry", {W::call(bodies[4], 9), W::call(bodies[5], 7), W::call(bodies[0], 30), random_leaf()}, {{3, 2}});
  w.program.templates.back().visible = true;
  const Timeline fast = w.run(entry, true), slow = w.run(entry, false);
  const Timeline remembered = w.run(entry, true, false);  // only where no spans are recorded
  RC_ASSERT(remembered.end == slow.end);
  RC_ASSERT(remembered.critical.total() == slow.end);
  RC_ASSERT(length_of_path(remembered, remembered.last_link) == slow.end);
  for (std::size_t i = 0; i < slow.busy_seconds.size(); ++i)
    RC_ASSERT(std::abs(remembered.busy_seconds[i] - slow.busy_seconds[i]) <= 1e-9 * (1 + slow.busy_seconds[i]));
  RC_ASSERT(fast.end == slow.end);
  RC_ASSERT(fast.critical.total() == fast.end);
  RC_ASSERT(slow.critical.total() == slow.end);
  RC_ASSERT(slow.rounds_jumped == 0u);
  RC_ASSERT(length_of_path(fast, fast.last_link) == fast.end);
  RC_ASSERT(length_of_path(slow, slow.last_link) == slow.end);
  for (std::uint32_t i = 0; i < 4 && !slow.spans_cut; ++i) RC_ASSERT(end_of(fast, entry, i) == end_of(slow, entry, i));
  for (std::size_t i = 0; i < fast.busy_seconds.size(); ++i)
    RC_ASSERT(std::abs(fast.busy_seconds[i] - slow.busy_seconds[i]) <= 1e-9 * (1 + slow.busy_seconds[i]));
}

}  // namespace
}  // namespace helio::simulate
