// SPDX-License-Identifier: Apache-2.0
#include "pipeline/bottleneck.h"

#include <gtest/gtest.h>

#include "pipeline/asking.h"
#include "simulate/simulate.h"

namespace helio::pipeline {
namespace {

flow::Program two_links() {
  flow::Program program;
  program.resources.add_links(2, BitRate{1e9}, [](std::uint32_t i) { return i == 0 ? "left" : "right"; });
  return program;
}

bool says(const std::string& words, const char* part) { return words.find(part) != std::string::npos; }

TEST(Bottleneck, NothingMoves) { EXPECT_EQ(bottleneck_in_words({}, {}, 1), "nothing moves"); }

// 10 s, of which 8 s bytes flow and 2 s are latency; the right link carries bytes for 9.5 s.
TEST(Bottleneck, NamesTheLargestPartAndTheBusiestResource) {
  simulate::Timeline timeline;
  timeline.end = Time::seconds(10);
  timeline.critical.transmission = Time::seconds(8);
  timeline.critical.latency = Time::seconds(2);
  timeline.busy_seconds = {3, 9.5};
  const std::string words = bottleneck_in_words(timeline, two_links(), 2);
  EXPECT_TRUE(says(words, "transmission is 80 % of the critical path, latency 20 %")) << words;
  EXPECT_TRUE(says(words, "busiest is right, used 95 % of the time")) << words;
  EXPECT_TRUE(says(words, "fewer bytes over the busiest link")) << words;
  EXPECT_TRUE(says(words, "(transmission halved would save up to 40 %)")) << words;  // 4 of 10 s
  EXPECT_TRUE(says(bottleneck_in_words(timeline, two_links(), 1.001), "meets the lower bound"));
  timeline.busy_seconds = {3, 5};
  EXPECT_TRUE(says(bottleneck_in_words(timeline, two_links(), 2), "keeps the links busy"));
  timeline.busy_seconds = {5, 5};
  EXPECT_TRUE(says(bottleneck_in_words(timeline, two_links(), 2), "busiest is left (like 1 more), used 50 %"));
}

TEST(Bottleneck, EachPartHasItsHelp) {
  struct Case {
    Time simulate::Split::*part;
    const char *help, *at_bound;
  };
  const Case cases[] = {{&simulate::Split::latency, "fewer steps, shorter ways", "only a smaller latency"},
                        {&simulate::Split::overhead, "smaller step_overhead", "only a smaller step_overhead"},
                        {&simulate::Split::setup, "changes fewer of them", "only faster switching"},
                        {&simulate::Split::compute, "overlap", "only faster compute"},
                        {&simulate::Split::waiting, "asks for fewer", "only more channels"}};
  for (const Case& c : cases) {
    simulate::Timeline timeline;
    timeline.end = timeline.critical.*c.part = Time::seconds(1);
    const std::string words = bottleneck_in_words(timeline, {}, 2);
    EXPECT_TRUE(says(words, "is 100 % of the critical path;")) << words;
    EXPECT_TRUE(says(words, c.help)) << words;
    EXPECT_TRUE(says(words, "would save up to 50 %")) << words;
    EXPECT_TRUE(says(bottleneck_in_words(timeline, {}, 1), c.at_bound)) << c.at_bound;
  }
}

Texts ring_of_8(const char* latency, const char* overhead) {
  return {{"name", "ring"}, {"nodes", "8"}, {"rate", "8 Gb/s"}, {"latency", latency}, {"step_overhead", overhead}};
}
const Texts kRing = {{"kind", "all-reduce"}, {"bytes", "8 MB"}, {"algorithm", "ring"}};

// 14 steps of 1 MB at 1 GB/s: 1 ms each. With 1 us of latency transmission is 1000/1001 = 99.9 %; the eight links of one
// direction are as busy as each other.
TEST(Bottleneck, BoundByTransmission) {
  const std::string words = answer(ring_of_8("1 us", "0"), kRing).bottleneck;
  EXPECT_TRUE(says(words, "transmission is 99.9 % of the critical path, latency 0.0999 %")) << words;
  EXPECT_TRUE(says(words, "(like 7 more), used 99.9 % of the time")) << words;
}

// 14 steps of 3 ms latency and 1 ms transmission: 75 % and 25 %; a link is used for 1 of 4 ms.
TEST(Bottleneck, BoundByLatency) {
  const std::string words = answer(ring_of_8("3 ms", "0"), kRing).bottleneck;
  EXPECT_TRUE(says(words, "latency is 75 % of the critical path (14 steps of 3 ms on average), transmission 25 %"))
      << words;
  EXPECT_TRUE(says(words, "used 25 % of the time; what helps: an algorithm with fewer steps")) << words;
  EXPECT_TRUE(says(words, "(latency halved would save up to 37.5 %)")) << words;
}

// 14 steps of 9 ms overhead and 1 ms transmission: 90 % and 10 %.
TEST(Bottleneck, BoundByOverhead) {
  const std::string words = answer(ring_of_8("0", "9 ms"), kRing).bottleneck;
  EXPECT_TRUE(
      says(words, "step overhead is 90 % of the critical path (14 steps of 9 ms on average), transmission 10 %"))
      << words;
  EXPECT_TRUE(says(words, "smaller step_overhead (step overhead halved would save up to 45 %)")) << words;
}

// One channel of 8 Gb/s that needs 4 ms to be set to another circuit.
struct OneChannel {
  flow::Program program;
  flow::ResourceId channel;
  flow::RouteId route;

  explicit OneChannel(Time setup) {
    channel = program.resources.add_channels(1, BitRate{8e9}, {.setup = setup}, [](std::uint32_t) { return "laser"; });
    route = program.routes.add({}, std::vector{channel}, Time());
  }
  flow::Operation transfer(double bytes, flow::Circuit circuit) const {
    flow::Operation op;
    op.kind = flow::OperationKind::kTransfer;
    op.route = route;
    op.circuit = circuit;
    op.bytes = bytes;
    return op;
  }
  std::string words(flow::Template body) {
    program.entry = program.add(std::move(body));
    flow::check(program);
    return bottleneck_in_words(simulate::simulate(program), program, 2);
  }
};

// A transfer of 1 MB pays 4 ms of setup and 1 ms of transmission: 80 % and 20 %. The laser is held all the time.
TEST(Bottleneck, BoundBySetup) {
  OneChannel one(Time::milliseconds(4));
  const std::string words = one.words({"setup", {one.transfer(1e6, 1)}, {}});
  EXPECT_TRUE(says(words, "setup is 80 % of the critical path, transmission 20 %; busiest is laser, used 100 %"))
      << words;
  EXPECT_TRUE(says(words, "changes fewer of them (setup halved would save up to 40 %)")) << words;
}

// Three transfers of 1 MB for one laser without setup: the last waits for 2 of 3 ms.
TEST(Bottleneck, BoundByWaiting) {
  OneChannel one{Time()};
  const std::string words =
      one.words({"waiting", {one.transfer(1e6, 1), one.transfer(1e6, 1), one.transfer(1e6, 1)}, {}});
  EXPECT_TRUE(says(words, "waiting is 66.7 % of the critical path, transmission 33.3 %; busiest is laser, used 100 %"))
      << words;
  EXPECT_TRUE(says(words, "more channels, or a schedule that asks for fewer at once (waiting halved")) << words;
}

}  // namespace
}  // namespace helio::pipeline
