// SPDX-License-Identifier: Apache-2.0
#include "simulate/course.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/random.h"
#include "simulate/programs.h"

namespace helio::simulate {
namespace {

using W = ProgramWriter;

std::vector<Time> ends(const flow::Program& program, flow::TemplateId id) {
  const flow::Template& body = program.templates[id.value];
  Course course(program, body);
  std::vector<Time> all(body.operations.size(), Time::max());
  while (!course.done()) {
    if (!course.advance()) break;
    for (const std::uint32_t i : course.ended()) all[i] = course.now();
    course.share();
  }
  return all;
}

bool near(Time a, Time b) { return std::abs(a.to_seconds() - b.to_seconds()) <= 1e-9 * b.to_seconds(); }

// A of 10 B/s carries four, B of 4 B/s one of them. 2.5 B/s each, B has room. The three short ones, 5 B, end at 2 s; the long one has 15 of its
// 20 B left and B lets it have 4 B/s: 3.75 s more.
TEST(Course, WhomOneLinkHeldBackAnotherHoldsBackNext) {
  W w;
  const auto a = w.link(10), b = w.link(4);
  const auto both = w.route({a, b}), alone = w.route({a});
  const auto body =
      w.body("four", {W::transfer(both, 20), W::transfer(alone, 5), W::transfer(alone, 5), W::transfer(alone, 5)});
  const std::vector<Time> all = ends(w.program, body);
  EXPECT_TRUE(near(all[0], s(5.75)));
  for (int i = 1; i < 4; ++i) EXPECT_TRUE(near(all[static_cast<std::size_t>(i)], s(2)));
}

// A of 12 B/s with x, y; B of 4 B/s with y, z: B holds back y and z at 2, x has 10. z, of 4 B, ends at 2 s; then B gives y 4, and A gives
// x 8. x has 40 - 20 = 20 B left: 2.5 s more. y, of 40 B, has 36 left at 2 s: 9 s more at 4 B/s.
TEST(Course, ALevelThatRisesTakesFromOthers) {
  W w;
  const auto a = w.link(12), b = w.link(4);
  const auto body =
      w.body("three", {W::transfer(w.route({a}), 40), W::transfer(w.route({a, b}), 40), W::transfer(w.route({b}), 4)});
  const std::vector<Time> all = ends(w.program, body);
  EXPECT_TRUE(near(all[2], s(2)));
  EXPECT_TRUE(near(all[0], s(4.5)));
  EXPECT_TRUE(near(all[1], s(11)));
}

// One link of 10 B/s. 40 B with share 3 are alone until 1 s; then 7.5 and 2.5 B/s beside 5 B with share 1: these end at 3 s, 15 B were sent
// beside them, and 15 are left at 10 B/s.
TEST(Course, SharesAndStarts) {
  W w;
  const auto link = w.link(10);
  flow::Operation large = W::transfer(w.route({link}), 40);
  large.share = 3;
  const auto body = w.body("two", {large, W::transfer(w.route({link}, {}, s(1)), 5)});
  const std::vector<Time> all = ends(w.program, body);
  EXPECT_TRUE(near(all[1], s(3)));
  EXPECT_TRUE(near(all[0], s(4.5)));
}

TEST(Course, NothingToCarryEndsAsItStarts) {
  W w;
  const auto way = w.route({w.link(10)}, {}, s(2));
  EXPECT_EQ(ends(w.program, w.body("empty", {W::transfer(way, 0)})).front(), s(2));
}

// Exchanges over links of few or many rates, with weights, shares and starts that are drawn: every end is that of the engine, which shares
// links flow by flow.
RC_GTEST_PROP(Course, EveryEndIsTheEngines, (std::uint32_t seed)) {
  Random random(seed);
  const auto below = [&](std::uint64_t n) { return random.below(n); };
  W w;
  const std::uint64_t links = 1 + below(24), rates = 1 + below(4), flows = 1 + below(120), sizes = 1 + below(5),
                      longest = 1 + below(std::min<std::uint64_t>(links, 6)), starts = 1 + below(4);
  const bool shares = below(3) == 0, weights = below(3) == 0, uneven = below(2) == 0;
  std::vector<flow::ResourceId> all;
  for (std::uint64_t i = 0; i < links; ++i) all.push_back(w.link(static_cast<double>(10 * (1 + below(rates)))));
  std::vector<flow::Operation> round;
  for (std::uint64_t i = 0; i < flows; ++i) {
    std::vector<flow::LinkUse> way;
    for (std::uint64_t k = 0, hops = 1 + below(longest); k < hops; ++k) {
      const flow::ResourceId link = all[below(links)];
      if (std::ranges::find(way, link, &flow::LinkUse::link) == way.end())
        way.push_back({link, weights ? static_cast<float>(1 + below(3)) / 2 : 1});
    }
    const double bytes = uneven ? 10 + 90 * random.uniform() : static_cast<double>(10 * (1 + below(sizes)));
    round.push_back(W::transfer(w.program.routes.add(way, {}, s(0.1 * static_cast<double>(below(starts)))), bytes));
    if (shares) round.back().share = static_cast<float>(1 + below(4));
  }
  const auto body = w.body("exchange", round);
  const std::vector<Time> found = ends(w.program, body);
  const Timeline whole = w.run(body, false, true);
  RC_ASSERT(whole.spans.size() == round.size());
  for (const Span& span : whole.spans) RC_ASSERT(near(found[span.operation], span.end));
}

// A round of 1,100 transfers by itself, recorded, is told by its links; a call beside it that meets it makes it run. Spans are the same.
RC_GTEST_PROP(Course, RecordsTheSame, (std::uint32_t seed)) {
  Random random(seed);
  const auto below = [&](std::uint64_t n) { return random.below(n); };
  W w;
  std::vector<flow::ResourceId> out, in;
  for (int i = 0; i < 34; ++i) out.push_back(w.link(10)), in.push_back(w.link(static_cast<double>(10 + below(3))));
  std::vector<double> popular;
  for (int j = 0; j < 34; ++j) popular.push_back(static_cast<double>(1 + below(9)));
  std::vector<flow::Operation> round;
  for (std::size_t i = 0; i < 34; ++i)
    for (std::size_t j = 0; j < 34; ++j)
      if (i != j) round.push_back(W::transfer(w.route({out[i], in[j]}), popular[j]));
  const auto body = w.body("exchange", round);
  std::vector<flow::Operation> entry{W::call(body, 1 + below(2))};
  if (below(2) == 0) {
    entry.push_back(W::delay(s(1 + random.uniform() * 100)));
    entry.push_back(W::transfer(w.route({out[0]}), 50));
  }
  std::vector<flow::Edge> edges;
  if (entry.size() > 1) edges.push_back({1, 2});
  const auto top = w.body("entry", entry, edges);
  const Timeline leapt = w.run(top, true, true), walked = w.run(top, false, true);
  RC_ASSERT(near(leapt.end, walked.end));
  using Key = std::pair<std::uint32_t, std::uint32_t>;
  const auto by_operation = [](const Timeline& timeline) {
    std::map<Key, std::vector<Time>> sorted;
    for (const Span& span : timeline.spans)
      for (std::uint64_t r = 0; r < span.rounds; ++r)
        sorted[{span.where.value, span.operation}].push_back(span.end + span.period * static_cast<std::int64_t>(r));
    for (auto& [key, times] : sorted) std::ranges::sort(times);
    return sorted;
  };
  const auto one = by_operation(leapt), other = by_operation(walked);
  RC_ASSERT(one.size() == other.size());
  for (const auto& [key, times] : one) {
    const std::vector<Time>& same = other.at(key);
    RC_ASSERT(times.size() == same.size());
    for (std::size_t i = 0; i < times.size(); ++i) RC_ASSERT(near(times[i], same[i]));
  }
}

}  // namespace
}  // namespace helio::simulate
