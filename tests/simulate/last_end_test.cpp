// SPDX-License-Identifier: Apache-2.0
#include "simulate/last_end.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "simulate/programs.h"

namespace helio::simulate {
namespace {

using W = ProgramWriter;

// Event by event, as the engine does.
Timeline in_full(flow::Program program, flow::TemplateId id) {
  program.entry = id;
  flow::check(program);
  Options options;
  options.jump = false;
  return simulate(program, options);
}

// 10, 20 and 30 B over one link of 10 B/s: it is full for 6 s. All three at 10/3 B/s until 3 s, two at 5 B/s until 5 s, then the last alone.
TEST(LastEnd, ALinkThatIsFullAllTheTimeTellsIt) {
  W w;
  const auto way = w.route({w.link(10)});
  const auto last =
      last_end(w.program, w.body("three", {W::transfer(way, 30), W::transfer(way, 20), W::transfer(way, 10)}), {});
  ASSERT_TRUE(last);
  EXPECT_EQ(last->end, s(6));
  EXPECT_EQ(last->operation, 0u);
  EXPECT_EQ(last->events, 0u);  // nobody's end was looked for
}

// The first transfer, 20 B, shares A of 10 B/s with three others of 5 B, 2.5 B/s each, until these end at 2 s; then B lets it have 4 B/s:
// 15 B more are 3.75 s. A alone needs 3.5 s, B 5 s: neither was full all the time.
TEST(LastEnd, WhereNoLinkIsFullAllTheTimeTheyRun) {
  W w;
  const auto a = w.link(10), b = w.link(4);
  const auto both = w.route({a, b}), short_way = w.route({a});
  const auto body = w.body(
      "four", {W::transfer(both, 20), W::transfer(short_way, 5), W::transfer(short_way, 5), W::transfer(short_way, 5)});
  const auto last = last_end(w.program, body, {});
  ASSERT_TRUE(last);
  EXPECT_EQ(last->end, s(5.75));
  EXPECT_EQ(last->operation, 0u);
}

// One starts after 1 s of overhead, one after 2 s of latency: 10 B/s for the first until then, 10 of its 40 B. Both at 5 B/s until the
// second has its 20 B, at 6 s; the first has 10 B left, which take until 7 s. The link was never idle from 1 s on: 60 B are 6 s.
TEST(LastEnd, WhoStartsEarlierIsAhead) {
  W w;
  const auto link = w.link(10);
  const auto body =
      w.body("two", {W::transfer(w.route({link}), 40, 0, s(1)), W::transfer(w.route({link}, {}, s(2)), 20)});
  const auto last = last_end(w.program, body, {});
  ASSERT_TRUE(last);
  EXPECT_EQ(last->end, s(7));
  EXPECT_EQ(last->operation, 0u);
}

TEST(LastEnd, NotWhereSomebodyWaitsOrIsMoreUrgentOrHoldsAChannel) {
  W w;
  const auto way = w.route({w.link(10)});
  const auto held = w.route({}, {w.channel(10)});
  EXPECT_FALSE(last_end(w.program, w.body("edge", {W::transfer(way, 1), W::transfer(way, 1)}, {{0, 1}}), {}));
  EXPECT_FALSE(last_end(w.program, w.body("urgent", {W::transfer(way, 1), W::transfer(way, 1, 1)}), {}));
  EXPECT_FALSE(last_end(w.program, w.body("channel", {W::transfer(way, 1), W::transfer(held, 1)}), {}));
  EXPECT_FALSE(last_end(w.program, w.body("compute", {W::compute(way, s(1))}), {}));
  EXPECT_TRUE(last_end(w.program, w.body("transfers", {W::transfer(way, 1), W::transfer(way, 1)}), {}));
}

TEST(LastEnd, WorkHasALimit) {
  W w;
  const auto a = w.link(10), b = w.link(4);
  std::vector<flow::Operation> round;
  for (int i = 1; i < 50; ++i) round.push_back(W::transfer(w.route({a, b}, {}, s(0.001 * i)), i));
  Options options;
  options.work_limit = 20;
  const auto body = w.body("many", round);
  EXPECT_THROW(last_end(w.program, body, options), WorkLimitError);
}

// Exchanges between nodes with a link in and out, over a few links in between that are drawn: sometimes the bounds meet, at once or
// later, sometimes they do not. The end is that of all events, and who ended last took as long.
RC_GTEST_PROP(LastEnd, IsTheEndOfAllEvents, (std::uint32_t seed)) {
  Random random(seed);
  const auto below = [&](std::uint64_t n) { return random.below(n); };
  W w;
  const std::uint64_t nodes = 2 + below(12), between = 1 + below(8), sizes = 1 + below(3);
  const bool shares = below(4) == 0;
  std::vector<flow::ResourceId> out, in, core;
  for (std::uint64_t i = 0; i < nodes; ++i) {
    out.push_back(w.link(10));
    in.push_back(w.link(10));
  }
  for (std::uint64_t i = 0; i < between; ++i) core.push_back(w.link(static_cast<double>(5 + 10 * below(nodes))));
  std::vector<flow::Operation> round;
  for (std::uint64_t i = 0; i < nodes; ++i)
    for (std::uint64_t j = 0; j < nodes; ++j) {
      if (i == j) continue;
      const std::uint64_t hops = below(3);
      std::vector<flow::ResourceId> way{out[i]};
      for (std::uint64_t k = 0; k < hops; ++k) {
        const flow::ResourceId link = core[below(between)];
        if (std::ranges::find(way, link) == way.end()) way.push_back(link);
      }
      way.push_back(in[j]);
      round.push_back(W::transfer(w.route(way, {}, s(0.01 * static_cast<double>(1 + hops))),
                                  static_cast<double>(100 * (1 + below(sizes)))));
      if (shares) round.back().share = static_cast<float>(1 + below(3));
    }
  const auto body = w.body("exchange", round);
  const auto last = last_end(w.program, body, {});
  RC_ASSERT(last);
  const Timeline whole = in_full(w.program, body);
  RC_ASSERT(std::abs(last->end.to_seconds() / whole.end.to_seconds() - 1) < 1e-9);
  const Time latency = w.program.routes.latency(round[last->operation].route);
  // Others may have ended within rounding of it
  RC_ASSERT(latency == whole.critical.latency || last->end != whole.end);
}

}  // namespace
}  // namespace helio::simulate
