// SPDX-License-Identifier: Apache-2.0
// Dataflow order: leaping over periods changes no result.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "simulate/programs.h"

namespace helio::simulate {
namespace {

using W = ProgramWriter;

// Operation i hands instance k on when it got instance k-1 of its predecessor, around a circle: a ring in dataflow order.
flow::TemplateId circle(W& w, const std::vector<flow::RouteId>& routes, std::uint32_t instances) {
  std::vector<flow::Operation> operations;
  std::vector<flow::Edge> edges;
  const std::uint32_t n = static_cast<std::uint32_t>(routes.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    operations.push_back(W::transfer(routes[i], 10));
    operations.back().repeat = instances;
    edges.push_back({(i + n - 1) % n, i, -1, 1, instances});
  }
  return w.body("circle", operations, edges);
}

TEST(Cycle, AMillionInstancesOfAnEvenCircle) {
  W w;
  std::vector<flow::RouteId> routes;
  for (int i = 0; i < 8; ++i) routes.push_back(w.route({w.link(3)}, {}, Time::picoseconds(1907.35)));
  const Timeline t = w.run(circle(w, routes, 1'000'000), true, false);
  const double expected = (1907.35e-12 + 10.0 / 3) * 1e6;
  EXPECT_NEAR(t.end.to_seconds(), expected, 1e-12 * expected);
  EXPECT_EQ(t.steps, 1'000'000u);
  EXPECT_LT(t.events, 1000u);
}

TEST(Cycle, AnUnevenCircleFindsItsRhythm) {
  // Links of 1 and 2 s a piece: an operation waits for its predecessor's last piece and for its own last piece, so the slow
  // one, 2 s a piece, sets the pace of all: piece k of operation 0 (slow) ends at 2(k+1); the fast one follows 1 s later for
  // every piece but the first, so the end is 2 n for the slow and 2 (n-1) + 1 for the fast.
  W w;
  const std::uint32_t n = 100'000;
  const auto body = circle(w, {w.route({w.link(5)}), w.route({w.link(10)})}, n);
  const Timeline t = w.run(body, true, false);
  EXPECT_EQ(t.end, s(2.0 * n));
  EXPECT_EQ(t.steps, n);
  EXPECT_LT(t.events, 1000u);
}

TEST(Cycle, SomebodyInBetweenIsNoticed) {
  W w;
  const auto l = w.link(10);
  const auto ring = circle(w, {w.route({l}), w.route({w.link(10)})}, 1000);
  const auto entry = w.body("entry", {W::call(ring, 1), W::delay(s(200.25)), W::transfer(w.route({l}), 7)}, {{1, 2}});
  const Timeline fast = w.run(entry, true, false), slow = w.run(entry, false, false);
  EXPECT_EQ(fast.end, slow.end);
  EXPECT_GT(fast.end, s(1000));
  EXPECT_LT(fast.events, slow.events / 10);
}

// Random loops: operations with instances, edges of constant distance over ranges, links shared between them, a channel or
// two, and a call beside that disturbs.
// A walks 100 instances of 1 ms over L (2 GB/s) and K (1 GB/s). When its checkpoint is set B is already on L, so L's user is their
// common caller, and C, who joins them at 1.2 ms, more urgent, would not be noticed by A: it takes all of L for 0.2 ms, once.
// Together 100.2 ms, and not a period of 1.2 ms 98 times over.
TEST(Cycle, WhoJoinsAStrangerIsNoticed) {
  W w;
  const auto l = w.link(2e9), k = w.link(1e9), m = w.link(1e8);
  flow::Operation walk = W::transfer(w.route({l, k}), 1e6, 1);
  walk.repeat = 100;
  const auto a = w.body("a", {walk});
  const auto b = w.body("b", {W::delay(s(0.5e-3)), W::transfer(w.route({l, m}), 8e4, 1)}, {{0, 1}});
  const auto c = w.body("c", {W::delay(s(1.2e-3)), W::transfer(w.route({l}), 4e5, 0)}, {{0, 1}});
  const auto entry = w.body("entry", {W::call(a, 1), W::call(b, 1), W::call(c, 1)});
  for (const bool jump : {true, false}) EXPECT_NEAR(w.run(entry, jump).end.to_seconds(), 0.1002, 1e-9);
}

RC_GTEST_PROP(Cycle, TurningItOffChangesNothing, (std::uint64_t seed)) {
  Random random(seed);
  W w;
  std::vector<flow::ResourceId> links, channels;
  for (int i = 0; i < 3; ++i) links.push_back(w.link(static_cast<double>(1 + random.below(4))));
  for (int i = 0; i < 2; ++i)
    channels.push_back(w.channel(static_cast<double>(1 + random.below(4)), s(static_cast<double>(random.below(2)))));
  const std::uint32_t count = 1 + static_cast<std::uint32_t>(random.below(5));
  const std::uint32_t instances = 20 + static_cast<std::uint32_t>(random.below(60));
  std::vector<flow::Operation> operations;
  std::vector<flow::Edge> edges;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::vector<flow::ResourceId> l, c;
    if (random.below(4) != 0) l.push_back(links[random.below(3)]);
    if (l.empty() || random.below(6) == 0) c.push_back(channels[random.below(2)]);
    operations.push_back(
        W::transfer(w.route(l, c, s(static_cast<double>(random.below(3)))), static_cast<double>(1 + random.below(5))));
    operations.back().repeat = random.below(6) == 0 ? 1 + static_cast<std::uint32_t>(random.below(10)) : instances;
    operations.back().step = random.below(4) != 0;
    if (random.below(3) == 0) operations.back().share = static_cast<float>(1 + random.below(5)) / 2;
  }
  for (std::uint64_t k = 0, edges_wanted = random.below(2 * count + 1); k < edges_wanted; ++k) {
    const std::uint32_t from = static_cast<std::uint32_t>(random.below(count)),
                        to = static_cast<std::uint32_t>(random.below(count));
    const std::int32_t offset =
        from < to ? -static_cast<std::int32_t>(random.below(3)) : -1 - static_cast<std::int32_t>(random.below(3));
    std::uint32_t first = static_cast<std::uint32_t>(-offset), last = operations[to].repeat;
    if (random.below(3) == 0) first += static_cast<std::uint32_t>(random.below(10));
    last = std::min<std::uint32_t>(
        last, static_cast<std::uint32_t>(static_cast<std::int64_t>(operations[from].repeat) - offset));
    if (random.below(3) == 0 && last > 10) last -= static_cast<std::uint32_t>(random.below(10));
    if (from != to && first < last) edges.push_back({from, to, offset, first, last});
  }
  const auto loop = w.body("loop", operations, edges);
  const auto beside = w.body("beside", {W::transfer(w.route({links[0]}), 3)});
  const auto entry =
      random.below(2) == 0
          ? w.body("alone", {W::call(loop, 1 + random.below(3))})
          : w.body("beside",
                   {W::call(loop, 1 + random.below(3)), W::delay(s(static_cast<double>(random.below(100)))),
                    W::call(beside, 1 + random.below(10))},
                   {{1, 2}});
  const Timeline fast = w.run(entry, true, false), slow = w.run(entry, false, false);
  RC_ASSERT(fast.end == slow.end);
  RC_ASSERT(fast.steps == slow.steps);
  RC_ASSERT(fast.critical.total() == fast.end);
  for (std::size_t i = 0; i < fast.busy_seconds.size(); ++i)
    RC_ASSERT(std::abs(fast.busy_seconds[i] - slow.busy_seconds[i]) <= 1e-9 * (1 + slow.busy_seconds[i]));
  RC_CLASSIFY(fast.rounds_jumped > 0);
}

}  // namespace
}  // namespace helio::simulate
