// SPDX-License-Identifier: Apache-2.0
#include "simulate/classes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/random.h"
#include "simulate/programs.h"

namespace helio::simulate {
namespace {

using W = ProgramWriter;

// A ring of links: link i from node i to node i + 1.
struct Ring {
  explicit Ring(std::uint32_t nodes, double rate = 1) {
    for (std::uint32_t i = 0; i < nodes; ++i) links.push_back(w.link(rate));
  }
  // From a node `hops` links on.
  flow::Operation transfer(std::uint32_t from, std::uint32_t hops, double bytes, Time latency = {}) {
    std::vector<flow::ResourceId> way;
    for (std::uint32_t h = 0; h < hops; ++h) way.push_back(links[(from + h) % links.size()]);
    return W::transfer(w.route(way, {}, latency), bytes);
  }
  W w;
  std::vector<flow::ResourceId> links;
};

void expect_same(const flow::Program& program, const flow::Program& classes) {
  Options plain;
  plain.jump = false;
  const Timeline all = simulate(program, plain), few = simulate(classes, plain);
  EXPECT_NEAR(few.end.to_seconds(), all.end.to_seconds(), 1e-9 * all.end.to_seconds());
  EXPECT_EQ(few.steps, all.steps);
}

// 100 nodes, each to the next and to the one after. Every link carries one transfer of one hop and two of two hops, so both kinds run at a
// third: those of 1 byte end at 3 s, and those of 3 bytes have 2 left then, at a half: 3 + 4 = 7 s.
TEST(Classes, AnExchangeOnARingIsOneTransferForEachDistance) {
  Ring ring(100);
  std::vector<flow::Operation> operations;
  for (std::uint32_t i = 0; i < 100; ++i) {
    operations.push_back(ring.transfer(i, 1, 1));
    operations.push_back(ring.transfer(i, 2, 3));
  }
  const auto body = ring.w.body("exchange", operations);
  const auto classes = by_classes(ring.w.program, body);
  ASSERT_TRUE(classes);
  const flow::Template& few = classes->templates[classes->entry.value];
  ASSERT_EQ(few.operations.size(), 2u);
  EXPECT_EQ(classes->resources.size(), 1u);
  EXPECT_EQ(classes->routes.links(few.operations[0].route)[0].weight, 1);
  EXPECT_EQ(classes->routes.links(few.operations[1].route)[0].weight, 2);
  EXPECT_EQ(simulate(*classes).end, s(7));
}

// Two links are slower, each in its own way (with one, or with equal ones, a ring still has a mirror). What crosses them is alike no more, nor
// is what meets that, and so on round the ring.
TEST(Classes, SlowLinksTellAllApart) {
  Ring ring(100);
  ring.w.program.resources.set_rate(ring.links[17], BitRate{4});
  ring.w.program.resources.set_rate(ring.links[30], BitRate{2});
  std::vector<flow::Operation> operations;
  for (std::uint32_t i = 0; i < 100; ++i) operations.push_back(ring.transfer(i, 2, 1));
  EXPECT_FALSE(by_classes(ring.w.program, ring.w.body("exchange", operations)));
}

// Two hundred chains of two calls, each chain on a link of its own: one chain is simulated. The second call of a chain runs the template of the
// first again.
TEST(Classes, GroupsThatDoTheSameAreOneGroup) {
  W w;
  std::vector<flow::Operation> calls;
  std::vector<flow::Edge> edges;
  for (std::uint32_t g = 0; g < 200; ++g) {
    const auto route = w.route({w.link(2)}, {}, s(1));
    const auto round = w.body("round", {W::transfer(route, 6), W::transfer(route, 2)});
    calls.push_back(W::call(round, 3));
    calls.push_back(W::call(round, 1));
    edges.push_back({2 * g, 2 * g + 1});
  }
  const auto entry = w.body("groups", calls, edges);
  const auto classes = by_classes(w.program, entry);
  ASSERT_TRUE(classes);
  EXPECT_EQ(classes->templates.size(), 2u);
  EXPECT_EQ(classes->templates[classes->entry.value].operations.size(), 2u);
  // A round: 1 s of latency, 8 bytes over 2 bytes per second; four of them
  EXPECT_EQ(simulate(*classes).end, s(20));
}

// What holds a channel, is shown, or is decided at run time is left to the engine.
TEST(Classes, NotOfChannelsNorOfWhatIsShown) {
  W w;
  std::vector<flow::Operation> held, plain;
  for (int i = 0; i < 100; ++i) {
    held.push_back(W::transfer(w.route({}, {w.channel(1)}), 1));
    plain.push_back(W::transfer(w.route({w.link(1)}), 1));
  }
  EXPECT_FALSE(by_classes(w.program, w.body("held", held)));
  const auto shown = w.body("shown", plain);
  EXPECT_TRUE(by_classes(w.program, shown));
  w.program.templates[shown.value].visible = true;
  EXPECT_FALSE(by_classes(w.program, shown));
}

// Exchanges that look the same from every node, on rings and on two rings side by side of different rates, with latencies, weights, shares
// and classes of priority; as one template or as a chain of calls with rounds; and the same with something added that breaks the pattern.
RC_GTEST_PROP(Classes, TakeAsLongAsTheWhole, (std::uint64_t seed)) {
  Random random(seed);
  const auto nodes = static_cast<std::uint32_t>(8 + random.below(25));
  Ring ring(nodes, 1 + static_cast<double>(random.below(5)));
  for (std::uint32_t i = 0; i < nodes; ++i) ring.links.push_back(ring.w.link(2.5));
  const auto pattern = [&] {
    std::vector<flow::Operation> operations;
    for (std::uint64_t k = 0, kinds = 1 + random.below(6); k < kinds; ++k) {
      const bool other = random.below(3) == 0;
      const auto hops = static_cast<std::uint32_t>(1 + random.below(nodes - 1));
      const double bytes = 1 + static_cast<double>(random.below(20));
      const Time latency = s(static_cast<double>(random.below(4)));
      const auto priority = static_cast<std::uint8_t>(random.below(2));
      const float share = random.below(3) == 0 ? 3.0f : 1.0f, weight = random.below(4) == 0 ? 0.5f : 1.0f;
      for (std::uint32_t i = 0; i < nodes; ++i) {
        std::vector<flow::LinkUse> way;
        for (std::uint32_t h = 0; h < hops; ++h)
          way.push_back({ring.links[(other ? nodes : 0) + (i + h) % nodes], weight});
        operations.push_back(W::transfer(ring.w.program.routes.add(way, {}, latency), bytes, priority));
        operations.back().share = share;
      }
    }
    random.shuffle(operations);
    return operations;
  };
  std::vector<flow::Operation> calls;
  std::vector<flow::Edge> edges;
  for (std::uint32_t c = 0, count = static_cast<std::uint32_t>(1 + random.below(3)); c < count; ++c) {
    auto operations = pattern();
    if (random.below(4) == 0) operations.push_back(operations.front());
    calls.push_back(W::call(ring.w.body("round", operations), 1 + random.below(3)));
    if (c > 0 && random.below(2) == 0) edges.push_back({c - 1, c});
  }
  ring.w.program.entry = ring.w.body("entry", calls, edges);
  flow::check(ring.w.program);
  const auto classes = by_classes(ring.w.program, ring.w.program.entry);
  RC_CLASSIFY(classes.has_value());
  if (!classes) return;
  flow::check(*classes);
  expect_same(ring.w.program, *classes);
}

// In dataflow order each node waits for its neighbour's instance before: the classes wait for each other as their members do.
RC_GTEST_PROP(Classes, WaitAsTheirMembersDo, (std::uint64_t seed)) {
  Random random(seed);
  const auto nodes = static_cast<std::uint32_t>(64 + random.below(20));
  Ring ring(nodes);
  std::vector<flow::Operation> operations;
  std::vector<flow::Edge> edges;
  const auto repeat = static_cast<std::uint32_t>(2 + random.below(4));
  const auto far = static_cast<std::uint32_t>(1 + random.below(5));
  for (std::uint32_t i = 0; i < nodes; ++i) operations.push_back(ring.transfer(i, 1, 2, s(1)));
  for (std::uint32_t i = 0; i < nodes; ++i) operations.push_back(ring.transfer(i, far, 3));
  for (flow::Operation& op : operations) op.repeat = repeat;
  for (std::uint32_t i = 0; i < nodes; ++i) {
    edges.push_back({i, (i + 1) % nodes, -1, 1, repeat});
    edges.push_back({i, nodes + (i + 1) % nodes, 0, 0, repeat});
  }
  ring.w.program.entry = ring.w.body("dataflow", operations, edges);
  flow::check(ring.w.program);
  const auto classes = by_classes(ring.w.program, ring.w.program.entry);
  RC_ASSERT(classes.has_value());
  RC_ASSERT(classes->templates[classes->entry.value].operations.size() == 2u);
  expect_same(ring.w.program, *classes);
}

// A large exchange runs by its classes, and in full when somebody comes into its way: the result is the same.
TEST(Classes, ABrokenOneIsSimulatedInFull) {
  for (const double begin : {1.5, 3.0, 100.0}) {
    Ring ring(400);
    std::vector<flow::Operation> operations;
    for (std::uint32_t i = 0; i < 400; ++i)
      for (std::uint32_t hops = 1; hops <= 3; ++hops) operations.push_back(ring.transfer(i, hops, 2 * hops));
    const auto exchange = ring.w.body("exchange", operations);
    const auto entry =
        ring.w.body("entry", {W::call(exchange, 2), W::delay(s(begin)), ring.transfer(7, 5, 4)}, {{1, 2}});
    const Timeline jumping = ring.w.run(entry, true, false), walking = ring.w.run(entry, false, false);
    EXPECT_NEAR(jumping.end.to_seconds(), walking.end.to_seconds(), 1e-9 * walking.end.to_seconds()) << begin;
    if (begin == 100) {  // nobody came before its end
      EXPECT_LT(jumping.events, walking.events / 100);
    }
  }
}

}  // namespace
}  // namespace helio::simulate
