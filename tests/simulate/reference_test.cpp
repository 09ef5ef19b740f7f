// SPDX-License-Identifier: Apache-2.0
// The engine against the plain one (reference.h), on programs of everything at once: links with weights, priorities and
// shares, channels with circuits, setup, rates and pre-emption, calls with rounds, operations with instances and edges between them.
#include "simulate/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "simulate/programs.h"

namespace helio::simulate {
namespace {

using W = ProgramWriter;

// Small programs. With `round` numbers many things happen at the same time; with others hardly any.
class Generator {
 public:
  Generator(std::uint64_t seed, bool round) : random_(seed), round_(round) {
    for (std::uint32_t i = 0, n = 1 + below(3); i < n; ++i) links_.push_back(w_.link(number(1, 5) * kUnit));
    for (std::uint32_t i = 0, n = below(4); i < n; ++i) {
      const bool preemptive = below(2) == 0;
      const double rate = below(3) == 0 ? 0 : number(1, 4) * kUnit / 2;
      channels_.push_back(w_.channel(rate, s(below(2) == 0 ? 0 : number(0, 3)), preemptive));
      if (!preemptive) patient_.push_back(channels_.back());
    }
  }

  flow::Program program() {
    std::vector<flow::TemplateId> bodies;
    for (std::uint32_t level = 0; level < 3; ++level)
      for (int k = 0; k < 2; ++k) bodies.push_back(body(level, bodies));
    w_.program.entry = body(3, bodies);
    return w_.program;
  }

 private:
  static constexpr double kUnit = 2520;  // bytes; divisible by 1..10, so that shares of links are round too

  std::uint32_t below(std::uint64_t bound) { return static_cast<std::uint32_t>(random_.below(bound)); }
  double number(double low, double high) {
    const double x = low + (high - low) * random_.uniform();
    return round_ ? std::floor(x) : x;
  }

  flow::RouteId route(bool with_links, const std::vector<flow::ResourceId>& from) {
    std::vector<flow::LinkUse> links;
    std::vector<flow::ResourceId> channels;
    for (flow::ResourceId link : links_)
      if (with_links && below(2) == 0) links.push_back({link, below(4) == 0 ? 2.0f : 1.0f});
    for (flow::ResourceId channel : from)
      if (below(3) == 0) channels.push_back(channel);
    random_.shuffle(channels);
    if (links.empty() && channels.empty()) return {};
    return w_.program.routes.add(links, channels, s(below(2) == 0 ? 0 : number(0, 2)));
  }

  flow::Operation leaf() {
    const auto priority = static_cast<std::uint8_t>(below(3));
    flow::Operation op;
    if (below(6) == 0)
      op = W::delay(s(number(0, 5)));
    else if (below(5) == 0)
      op = W::compute(route(false, channels_), s(number(1, 5)), priority);
    else
      op = W::transfer(route(true, channels_), number(1, 10) * kUnit, priority, s(below(2) == 0 ? 0 : number(0, 3)));
    if (below(3) == 0) op.share = static_cast<float>(round_ ? 1 + below(3) : number(0.1, 10));
    if (below(6) == 0) op.circuit = 1000 + below(2);
    op.always_setup = below(8) == 0;
    return op;
  }

  flow::TemplateId body(std::uint32_t level, const std::vector<flow::TemplateId>& callees) {
    std::vector<flow::Operation> operations;
    std::vector<flow::Edge> edges;
    for (std::uint32_t i = 0, n = 1 + below(4); i < n; ++i) {
      flow::Operation op = leaf();
      if (level > 0 && below(2) == 0) {
        op = W::call(callees[below(callees.size())], 1 + below(level == 1 ? 8 : 4));
        op.priority = static_cast<std::uint8_t>(below(3));
        if (below(4) == 0) op.route = route(false, patient_);
      }
      if (below(3) == 0) op.repeat = 1 + below(5);
      operations.push_back(op);
    }
    // Later operations wait for the same or earlier instances of earlier ones, earlier ones for earlier instances of later.
    for (std::uint32_t to = 0; to < operations.size(); ++to)
      for (std::uint32_t from = 0; from < operations.size(); ++from) {
        if (from == to || below(4) != 0) continue;
        const std::int32_t offset = -static_cast<std::int32_t>(below(3)) - (from > to ? 1 : 0);
        const auto first = static_cast<std::uint32_t>(-offset);
        const std::uint32_t last = std::min(operations[to].repeat, operations[from].repeat + first);
        if (first < last) edges.push_back({from, to, offset, first, last});
      }
    return w_.body("body", operations, edges);
  }

  Random random_;
  bool round_;
  W w_;
  std::vector<flow::ResourceId> links_, channels_, patient_;
};

std::uint64_t instances(const flow::Program& program, flow::TemplateId where) {
  std::uint64_t sum = 0;
  for (const flow::Operation& op : program.templates[where.value].operations)
    sum += op.repeat * (1 + (op.kind == flow::OperationKind::kCall ? op.rounds * instances(program, op.callee) : 0));
  return sum;
}

bool near(Time a, Time b) { return std::abs(a.to_seconds() - b.to_seconds()) <= 1e-9 * (1 + std::abs(b.to_seconds())); }

void compare(const flow::Program& program, std::uint64_t seed) {
  Reference reference(program);
  reference.run();
  for (const bool jump : {false, true}) {
    SCOPED_TRACE("seed " + std::to_string(seed) + (jump ? ", with jumps" : ", without jumps"));
    Options options;
    options.jump = jump;
    options.record = true;
    bool finished = true;
    Timeline timeline;
    try {
      timeline = simulate(program, options);
    } catch (const Error&) {
      finished = false;
    }
    ASSERT_EQ(finished, reference.finished);
    if (!finished) continue;
    ASSERT_TRUE(near(timeline.end, reference.end))
        << timeline.end.to_seconds() << " is not " << reference.end.to_seconds();
    ASSERT_EQ(timeline.critical.total(), timeline.end);
    for (std::uint32_t i = 0; i < program.resources.size(); ++i) {
      if (!program.resources.is_channel(flow::ResourceId{i})) continue;
      const double held = reference.held[i].to_seconds();
      ASSERT_NEAR(timeline.busy_seconds[i], held, 1e-9 * (1 + held)) << "channel " << i;
    }
    if (jump) continue;

    // Every run of every operation
    std::vector<Reference::Run> runs;
    for (const Span& span : timeline.spans) runs.push_back({span.where, span.operation, span.start, span.end});
    std::sort(runs.begin(), runs.end());
    ASSERT_EQ(runs.size(), reference.runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const Reference::Run &run = runs[i], &expected = reference.runs[i];
      ASSERT_EQ(run.where, expected.where);
      ASSERT_EQ(run.operation, expected.operation);
      ASSERT_TRUE(near(run.start, expected.start) && near(run.end, expected.end))
          << "template " << run.where.value << ", operation " << run.operation << ": " << run.start.to_seconds()
          << " to " << run.end.to_seconds() << ", not " << expected.start.to_seconds() << " to "
          << expected.end.to_seconds();
    }
  }
}

// Fixed seeds, so that a failure is the same everywhere.
void compare_programs(std::uint64_t first, std::uint64_t last, bool round) {
  for (std::uint64_t seed = first; seed < last; ++seed) {
    const flow::Program program = Generator(seed, round).program();
    if (instances(program, program.entry) > 1000) continue;
    flow::check(program);
    compare(program, seed);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(Reference, AgreesWhereMuchHappensAtOnce) { compare_programs(0, 1500, true); }
TEST(Reference, AgreesWhereNothingDoes) { compare_programs(0, 1500, false); }

// An urgent transfer wants a channel that it may take away and one that it may not; when the second becomes free, it goes.
//     a (pre-emptive)   0 ─ less urgent, 10 s ───┤ suspended at 5 ├─ goes on at 6 ─ 11
//     b                 0 ─ 5 s ─┤
TEST(Reference, WhoCouldPushAsideIsNotForgotten) {
  W w;
  const auto a = w.channel(10, {}, true), b = w.channel(10);
  const auto body = w.body("push", {W::transfer(w.route({}, {a}), 100, 2), W::transfer(w.route({}, {b}), 50),
                                    W::transfer(w.route({}, {a, b}), 10, 0, s(1))});
  const Timeline t = w.run(body);
  EXPECT_EQ(end_of(t, body, 2), s(6));
  EXPECT_EQ(end_of(t, body, 0), s(11));
}

// The one that is suspended lets go of a channel which its rival does not want; the more urgent of those who wait gets it.
//     x (pre-emptive)  least urgent until 1, then the urgent one, 1 to 2
//     y                least urgent until 1, then class 2 (asked at 0.5), then class 3 (asked at 1)
TEST(Reference, WhatIsLetGoGoesToTheMostUrgent) {
  W w;
  const auto x = w.channel(10, {}, true), y = w.channel(10);
  const auto body =
      w.body("let go", {W::transfer(w.route({}, {x, y}), 1000, 4), W::transfer(w.route({}, {y}), 10, 2, s(0.5)),
                        W::transfer(w.route({}, {x}), 10, 0, s(1)), W::transfer(w.route({}, {y}), 10, 3, s(1))});
  const Timeline t = w.run(body);
  EXPECT_EQ(end_of(t, body, 2), s(2));
  EXPECT_EQ(end_of(t, body, 1), s(2));
  EXPECT_EQ(end_of(t, body, 3), s(3));
}

}  // namespace
}  // namespace helio::simulate
