// SPDX-License-Identifier: Apache-2.0
#include "simulate/fold.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/random.h"
#include "simulate/programs.h"

namespace helio::simulate {
namespace {

using W = ProgramWriter;

std::size_t operations(const flow::Program& program) {
  std::size_t count = 0;
  for (const flow::Template& body : program.templates) count += body.operations.size();
  return count;
}

Timeline run(const flow::Program& program, bool fold, bool jump, bool record = true) {
  Options options;
  options.fold = fold;
  options.jump = jump;
  options.record = record;
  return simulate(program, options);
}

// Four flows on two links of 6 B/s, two on each: 12 B at 3 B/s are 4 s. One flow is left, with weight 2 on one link.
TEST(Fold, FlowsThatLoadLinksAlikeAreOne) {
  W w;
  const auto one = w.link(6), other = w.link(6);
  const auto a = w.route({one}), b = w.route({other});
  w.program.entry = w.body("four", {W::transfer(a, 12), W::transfer(b, 12), W::transfer(a, 12), W::transfer(b, 12)});
  flow::check(w.program);
  const auto folded = fold(w.program, w.program.entry);
  ASSERT_TRUE(folded);
  flow::check(folded->program);
  ASSERT_EQ(operations(folded->program), 1u);
  const auto uses = folded->program.routes.links(folded->program.templates[0].operations[0].route);
  ASSERT_EQ(uses.size(), 1u);
  EXPECT_EQ(uses[0].weight, 2.0f);
  const Timeline timeline = run(w.program, true, true);
  EXPECT_EQ(timeline.end, s(4));
  ASSERT_EQ(timeline.spans.size(), 4u);  // of all four
  EXPECT_EQ(timeline.busy_seconds[0], 4);
  EXPECT_EQ(timeline.busy_seconds[1], 4);
}

// A program that is given away says the same, whether it is kept or not.
TEST(Fold, WhatRunsForTheLastTimeSaysTheSame) {
  W w;
  const auto one = w.link(6), other = w.link(6);
  const auto a = w.route({one}), b = w.route({other});
  w.program.entry = w.body("two alike, twice", {W::transfer(a, 12), W::transfer(b, 12)});
  flow::check(w.program);
  for (const bool fold : {false, true}) {
    const Timeline kept = run(w.program, fold, true);
    flow::Program given = w.program;
    const Timeline last = simulate(std::move(given), {.fold = fold, .record = true});
    EXPECT_EQ(last.end, s(2));  // 12 B at 6 B/s
    EXPECT_EQ(last.busy_seconds, kept.busy_seconds);
    EXPECT_EQ(last.spans.size(), kept.spans.size());
    EXPECT_EQ(given.templates.empty(), fold);  // what was folded is gone
    EXPECT_EQ(given.resources.size(), 2u);
  }
}

// Six links, each with one flow, and a seventh flow beside the third: three classes, five that are alone, one that shares its link,
// and the one beside it.
TEST(Fold, WhatIsDifferentStaysApart) {
  W w;
  std::vector<flow::Operation> round;
  for (int i = 0; i < 6; ++i) round.push_back(W::transfer(w.route({w.link(2)}), 10));
  round.push_back(W::transfer(round[2].route, 5));
  w.program.entry = w.body("ring and one more", round);
  const auto folded = fold(w.program, w.program.entry);
  ASSERT_TRUE(folded);
  EXPECT_EQ(operations(folded->program), 3u);
  const Timeline timeline = run(w.program, true, true);
  // 5 B at 1 B/s beside 10 B at 1 B/s; after 5 s the other 5 B take 2.5 s
  EXPECT_EQ(end_of(timeline, w.program.entry, 6), s(5));
  EXPECT_EQ(end_of(timeline, w.program.entry, 2), s(7.5));
  for (const std::uint32_t i : {0u, 1u, 3u, 4u, 5u}) EXPECT_EQ(end_of(timeline, w.program.entry, i), s(5));
  EXPECT_EQ(timeline.end, s(7.5));
}

// Equal operations that wait for different ones start at different times.
TEST(Fold, WhoWaitsLongerIsAnother) {
  W w;
  const std::vector<flow::Operation> round = {W::delay(s(1)), W::delay(s(2)), W::delay(s(3)), W::delay(s(3)),
                                              W::delay(s(1)), W::delay(s(2)), W::delay(s(3)), W::delay(s(3))};
  w.program.entry = w.body("two chains, twice", round, {{0, 2}, {1, 3}, {4, 6}, {5, 7}});
  const auto folded = fold(w.program, w.program.entry);
  ASSERT_TRUE(folded);
  EXPECT_EQ(operations(folded->program), 4u);
  const Timeline timeline = run(w.program, true, true);
  EXPECT_EQ(end_of(timeline, w.program.entry, 6), s(4));
  EXPECT_EQ(end_of(timeline, w.program.entry, 7), s(5));
}

// On channels somebody is first, however equal they are; and a template that two equal operations call runs twice at a time.
TEST(Fold, NotWhereSomebodyIsFirst) {
  W w;
  const auto route = w.route({}, {w.channel(1)});
  w.program.entry = w.body("in turn", {W::transfer(route, 1), W::transfer(route, 1)});
  EXPECT_FALSE(fold(w.program, w.program.entry));
  EXPECT_EQ(run(w.program, true, true).end, s(2));

  W v;
  const auto body = v.body("one", {W::transfer(v.route({v.link(1)}), 1)});
  v.program.entry = v.body("twice at a time", {W::call(body, 1), W::call(body, 1), W::call(body, 1), W::call(body, 1)});
  EXPECT_FALSE(fold(v.program, v.program.entry));
  EXPECT_EQ(run(v.program, true, true).end, s(4));
}

// Replicas of a random program, each on links of its own, on those of the next replica, and on links that all share; sometimes one
// of them is a little different. Folded or not, with jumps or without, everything ends at the same time.
class Replicas {
 public:
  Replicas(std::uint64_t seed, bool alike) : random_(seed), count_(2 + below(4)), alike_(alike) {
    for (std::uint32_t j = 0, n = 1 + below(3); j < n; ++j) {
      own_.emplace_back();
      const double rate = 1 + below(5);
      for (std::uint32_t b = 0; b < count_; ++b) own_.back().push_back(w_.link(different() ? rate / 2 : rate));
    }
    for (std::uint32_t j = 0, n = below(3); j < n; ++j) shared_.push_back(w_.link(1 + below(5)));
  }

  flow::Program program() {
    std::vector<std::vector<flow::TemplateId>> bodies;  // by kind, by replica
    for (std::uint32_t level = 0; level < 3; ++level)
      for (int k = 0; k < 2; ++k) bodies.push_back(body(level, bodies));
    std::vector<flow::Operation> all;
    std::vector<flow::Edge> edges;
    for (std::uint32_t b = 0; b < count_; ++b) {
      for (const std::size_t kind : {4u, 5u, 0u}) all.push_back(W::call(bodies[kind][b], 1 + kind % 4));
      edges.push_back({3 * b, 3 * b + 2});
      edges.push_back({3 * ((b + 1) % count_) + 1, 3 * b + 2});  // waits for the next replica, too
    }
    w_.program.entry = w_.body("all", all, edges);
    w_.program.templates.back().visible = true;
    return w_.program;
  }

 private:
  std::uint32_t below(std::uint64_t bound) { return static_cast<std::uint32_t>(random_.below(bound)); }
  bool different() { return !alike_ && below(12) == 0; }

  // One operation of every replica.
  std::vector<flow::Operation> operation(std::uint32_t level,
                                         const std::vector<std::vector<flow::TemplateId>>& bodies) {
    std::vector<flow::Operation> made;
    const std::uint32_t what = below(5), kind = bodies.empty() ? 0 : below(bodies.size()), rounds = 1 + below(3);
    const std::uint32_t link = below(own_.size()), next = below(2), extra = below(2) * below(shared_.size() + 1);
    const double bytes = 1 + below(10), weight = 1 + below(2);
    const std::uint8_t priority = static_cast<std::uint8_t>(below(2));
    const Time duration = s(below(3)), latency = s(below(2) / 2.0);
    const float share = static_cast<float>(1 + below(3)) / 2;
    for (std::uint32_t b = 0; b < count_; ++b) {
      if (what == 0) made.push_back(W::delay(different() ? duration + s(1) : duration));
      if (what == 1 && level > 0) made.push_back(W::call(bodies[kind][b], rounds));
      if (!made.empty() && made.size() == b + 1) continue;
      std::vector<flow::LinkUse> uses{{own_[link][b], static_cast<float>(weight)}};
      if (next > 0) uses.push_back({own_[link][(b + 1) % count_], 1});
      if (extra > 0) uses.push_back({shared_[extra - 1], 1});
      made.push_back(
          W::transfer(w_.program.routes.add(uses, {}, latency), different() ? bytes + 1 : bytes, priority, duration));
      made.back().share = share;
    }
    return made;
  }

  std::vector<flow::TemplateId> body(std::uint32_t level, const std::vector<std::vector<flow::TemplateId>>& bodies) {
    std::vector<std::vector<flow::Operation>> all(count_);
    std::vector<flow::Edge> edges;
    for (std::uint32_t i = 0, n = 1 + below(3); i < n; ++i) {
      const std::vector<flow::Operation> made = operation(level, bodies);
      for (std::uint32_t b = 0; b < count_; ++b) all[b].push_back(made[b]);
      if (i > 0 && below(2) == 0) edges.push_back({below(i), i});
    }
    const bool visible = below(2) == 0;
    std::vector<flow::TemplateId> ids;
    for (std::uint32_t b = 0; b < count_; ++b) {
      ids.push_back(w_.body("b", all[b], edges));
      w_.program.templates.back().visible = visible;
    }
    return ids;
  }

  W w_;
  Random random_;
  std::uint32_t count_;
  bool alike_;
  std::vector<std::vector<flow::ResourceId>> own_;  // by kind, by replica
  std::vector<flow::ResourceId> shared_;
};

// When every operation ended, round by round.
std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<double>> ends(const Timeline& timeline) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<double>> result;
  for (const Span& span : timeline.spans)
    for (std::uint64_t k = 0; k < span.rounds; ++k)
      result[{span.where.value, span.operation}].push_back(
          (span.end + span.period * static_cast<std::int64_t>(k)).to_seconds());
  for (auto& [where, times] : result) std::sort(times.begin(), times.end());
  return result;
}

// Replicas that compete may be unstable: who is ahead by a rounding error gets a link a little earlier, and is ahead by more. Unfolded, some
// programs leave their symmetric course so, from 1e-16 over 1e-12 and 1e-8; after that nothing is to be compared. What a wrong fold
// does comes at once. So the first ends, in the order of time, that differ by more than rounding must do so by little.
RC_GTEST_PROP(Fold, TurningItOffChangesNothing, (std::uint64_t seed, bool alike)) {
  const flow::Program program = Replicas(seed, alike).program();
  flow::check(program);
  RC_CLASSIFY(fold(program, program.entry).has_value(), "folded");
  const Timeline whole = run(program, false, false), folded = run(program, true, false),
                 leapt = run(program, true, true, false);
  const double scale = whole.end.to_seconds();
  const auto mine = ends(folded), theirs = ends(whole);
  RC_ASSERT(mine.size() == theirs.size());
  double drifted = std::numeric_limits<double>::infinity(), by = 0;  // when first, and how far
  for (const auto& [where, times] : theirs) {
    const auto& others = mine.at(where);
    RC_ASSERT(others.size() == times.size());
    for (std::size_t k = 0; k < times.size(); ++k)
      if (const double difference = std::abs(others[k] - times[k]); difference > 1e-11 * scale && times[k] < drifted)
        drifted = times[k], by = difference;
  }
  RC_CLASSIFY(by > 0, "drifted");
  RC_ASSERT(by <= 1e-6 * scale);
  if (by == 0) RC_ASSERT(std::abs(folded.end.to_seconds() - scale) <= 1e-9 * scale);
  RC_ASSERT(leapt.end == folded.end);
  RC_ASSERT(leapt.steps == folded.steps);
  RC_ASSERT(folded.critical.total() == folded.end);
  for (std::size_t i = 0; i < whole.busy_seconds.size(); ++i)
    RC_ASSERT(folded.busy_seconds[i] == whole.busy_seconds[i]);
}

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

void expect_same(const flow::Program& program, const flow::Program& folded) {
  Options plain;
  plain.jump = false;
  const Timeline all = simulate(program, plain), few = simulate(folded, plain);
  EXPECT_NEAR(few.end.to_seconds(), all.end.to_seconds(), 1e-9 * all.end.to_seconds());
  EXPECT_EQ(few.steps, all.steps);
}

// 100 nodes, each to the next and to the one after. Every link carries one transfer of one hop and two of two hops, so both kinds run at a
// third: those of 1 byte end at 3 s, and those of 3 bytes have 2 left then, at a half: 3 + 4 = 7 s.
TEST(Fold, AnExchangeOnARingIsOneTransferForEachDistance) {
  Ring ring(100);
  std::vector<flow::Operation> operations;
  for (std::uint32_t i = 0; i < 100; ++i) {
    operations.push_back(ring.transfer(i, 1, 1));
    operations.push_back(ring.transfer(i, 2, 3));
  }
  const auto body = ring.w.body("exchange", operations);
  const auto folded = fold(ring.w.program, body);
  ASSERT_TRUE(folded);
  const flow::Template& few = folded->program.templates[folded->program.entry.value];
  ASSERT_EQ(few.operations.size(), 2u);
  EXPECT_EQ(folded->program.routes.links(few.operations[0].route)[0].weight, 1);
  EXPECT_EQ(folded->program.routes.links(few.operations[1].route)[0].weight, 2);
  EXPECT_EQ(simulate(folded->program).end, s(7));
}

// Two links are slower, each in its own way (with one, or with equal ones, a ring still has a mirror). What crosses them is alike no more, nor
// is what meets that, and so on round the ring.
TEST(Fold, SlowLinksTellAllApart) {
  Ring ring(100);
  ring.w.program.resources.set_rate(ring.links[17], BitRate{4});
  ring.w.program.resources.set_rate(ring.links[30], BitRate{2});
  std::vector<flow::Operation> operations;
  for (std::uint32_t i = 0; i < 100; ++i) operations.push_back(ring.transfer(i, 2, 1));
  EXPECT_FALSE(fold(ring.w.program, ring.w.body("exchange", operations)));
}

// Two hundred chains of two calls, each chain on a link of its own: one chain is simulated. The second call of a chain runs the template of the
// first again.
TEST(Fold, GroupsThatDoTheSameAreOneGroup) {
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
  const auto folded = fold(w.program, entry);
  ASSERT_TRUE(folded);
  EXPECT_EQ(folded->program.templates.size(), 2u);
  EXPECT_EQ(folded->program.templates[folded->program.entry.value].operations.size(), 2u);
  // A round: 1 s of latency, 8 bytes over 2 bytes per second; four of them
  EXPECT_EQ(simulate(folded->program).end, s(20));
}

// Exchanges that look the same from every node, on rings and on two rings side by side of different rates, with latencies, weights, shares
// and classes of priority; as one template or as a chain of calls with rounds; and the same with something added that breaks the pattern.
RC_GTEST_PROP(Fold, TakeAsLongAsTheWhole, (std::uint64_t seed)) {
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
  const auto folded = fold(ring.w.program, ring.w.program.entry);
  RC_CLASSIFY(folded.has_value());
  if (!folded) return;
  flow::check(folded->program);
  expect_same(ring.w.program, folded->program);
}

// In dataflow order each node waits for its neighbour's instance before: the classes wait for each other as their members do.
RC_GTEST_PROP(Fold, WaitAsTheirMembersDo, (std::uint64_t seed)) {
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
  const auto folded = fold(ring.w.program, ring.w.program.entry);
  RC_ASSERT(folded.has_value());
  RC_ASSERT(folded->program.templates[folded->program.entry.value].operations.size() == 2u);
  expect_same(ring.w.program, folded->program);
}

// A large exchange runs by its classes, and in full when somebody comes into its way: the result is the same.
TEST(Fold, ABrokenOneIsSimulatedInFull) {
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
