// SPDX-License-Identifier: Apache-2.0
#include "pipeline/trace.h"

#include <gtest/gtest.h>

#include "pipeline/asking.h"

namespace helio::pipeline {
namespace {

// Three spans at one depth: [0,2), [1,3), [2,4). The third reuses the row of the first.
TEST(Trace, BarsOfARowDoNotOverlap) {
  flow::Program program;
  program.add({.name = "body", .operations = {flow::Operation{}}});
  simulate::Timeline timeline;
  for (int start : {2, 0, 1})
    timeline.spans.push_back(
        {.where = flow::TemplateId{0}, .start = Time::seconds(start), .end = Time::seconds(start + 2)});
  const auto bars = trace_of(timeline, program);
  ASSERT_EQ(bars.size(), 3u);
  EXPECT_EQ(bars[0].row, 0u);
  EXPECT_EQ(bars[1].row, 1u);
  EXPECT_EQ(bars[2].row, 0u);
  EXPECT_EQ(bars[0].name, "delay");
}

// Five rounds of 2 s, 3 s apart: the bar reaches from the first start to the last end, 4 x 3 + 2 = 14 s.
TEST(Trace, RepeatedRoundsAreOneBar) {
  flow::Program program;
  program.add({.name = "body", .operations = {flow::Operation{}}});
  simulate::Timeline timeline;
  timeline.spans.push_back({.where = flow::TemplateId{0},
                            .start = Time::seconds(1),
                            .end = Time::seconds(3),
                            .rounds = 5,
                            .period = Time::seconds(3)});
  const auto bars = trace_of(timeline, program);
  EXPECT_EQ(bars[0].duration, Time::seconds(14));
  EXPECT_EQ(bars[0].rounds, 5u);
}

TEST(Trace, ARunHasBarsUpToItsEnd) {
  const Result r = answer({{"name", "ring"}, {"nodes", "4"}},
                          {{"kind", "all-reduce"}, {"bytes", "1 MB"}, {"algorithm", "ring"}}, {}, {.trace = true});
  ASSERT_FALSE(r.trace.empty());
  Time last;
  for (const TraceEvent& bar : r.trace) last = std::max(last, bar.start + bar.duration);
  EXPECT_EQ(last, r.time);
  EXPECT_FALSE(r.trace_cut);
}

// Reduce-scatter and all-gather are one template called twice, and the engine times it once when nobody looks. Whoever looks sees both:
// every link of a ring of 4 is busy for all of the time but 2 x 3 times the latency of 500 ns.
TEST(Trace, CallsOfOneTemplateAllHaveTheirBars) {
  const Result r = answer({{"name", "ring"}, {"nodes", "4"}},
                          {{"kind", "all-reduce"}, {"bytes", "1 MB"}, {"algorithm", "ring"}}, {}, {.trace = true});
  Time late;  // of transfers in the second half
  for (const TraceEvent& bar : r.trace)
    if (bar.name == "ring link 0 to 1") late = std::max(late, bar.start + bar.duration);
  EXPECT_GT(late.to_seconds(), 0.9 * r.time_s);
}

}  // namespace
}  // namespace helio::pipeline
