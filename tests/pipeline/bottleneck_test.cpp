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
                        {&simulate::Split::waiting, "asks for fewer", "only more channels"},
                        {&simulate::Split::control, "asking it earlier", "only a faster controller"}};
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
  EXPECT_TRUE(says(words, "a higher rate of laser, or less through it (waiting halved")) << words;
}

// One laser busy for 5 of 10 s, of which 6 s are waiting: more of them would help, and only they if the bound is met.
TEST(Bottleneck, WaitingForWhatRests) {
  OneChannel one{Time()};
  simulate::Timeline timeline;
  timeline.end = Time::seconds(10);
  timeline.critical.waiting = Time::seconds(6);
  timeline.critical.transmission = Time::seconds(4);
  timeline.busy_seconds = {5};
  EXPECT_TRUE(says(bottleneck_in_words(timeline, one.program, 2), "more channels, or a schedule that asks for fewer"));
  EXPECT_TRUE(says(bottleneck_in_words(timeline, one.program, 1), "only more channels, since the time meets"));
}

// ODDL at its defaults, papers/oddl.md 2.3: rtg = 2 (51.2 + 250) + 15 = 617.4 ns, dark = 220 ns; 12.5 GB/s.
Result on_oddl(const char* kind, const char* nodes, const char* bytes, const char* algorithm) {
  return answer({{"name", "oddl"}, {"nodes", nodes}}, {{"kind", kind}, {"bytes", bytes}, {"algorithm", algorithm}});
}

// A lone flow of 1 kB: 617.4 ns control, 220 ns dark, 80 ns bytes; of 917.4 ns 67.3 %, 24 % and 8.7 %.
TEST(Bottleneck, LoneSmallFlowWaitsForControl) {
  const Result result = on_oddl("broadcast", "2", "1 kB", "direct");
  EXPECT_TRUE(says(result.bottleneck, "control is 67.3 % of the critical path, setup 24 %")) << result.bottleneck;
  EXPECT_TRUE(says(result.bottleneck, "only a faster controller")) << result.bottleneck;
  EXPECT_NEAR(result.critical.control.to_seconds(), 617.4e-9, 1e-15);
  EXPECT_NEAR(result.critical.setup.to_seconds(), 220e-9, 1e-15);
  EXPECT_TRUE(result.critical.waiting.is_zero());
}

// With 2 us of tuning a lone flow of 1 kB is dark for 2.12 of 2.8174 us: 75.2 %; control has 21.9 %.
TEST(Bottleneck, SlowTuningIsDarkTime) {
  const Result result = answer({{"name", "oddl"}, {"nodes", "2"}, {"tune", "2 us"}},
                               {{"kind", "broadcast"}, {"bytes", "1 kB"}, {"algorithm", "direct"}});
  EXPECT_TRUE(says(result.bottleneck, "setup is 75.2 % of the critical path, control 21.9 %")) << result.bottleneck;
  EXPECT_TRUE(says(result.bottleneck, "only faster switching of circuits")) << result.bottleneck;
}

// A ring of 8 with 100 MB: 14 steps of 1 ms on circuits that stay; control and dark time once.
TEST(Bottleneck, RingOfLargeMessagesTransmits) {
  const Result result = on_oddl("all-reduce", "8", "100 MB", "ring");
  EXPECT_TRUE(says(result.bottleneck, "transmission is 100 % of the critical path")) << result.bottleneck;
  EXPECT_TRUE(says(result.bottleneck, "busiest is transmitter of node 0 (like")) << result.bottleneck;
  EXPECT_NEAR(result.critical.transmission.to_seconds(), 14e-3, 1e-15);
  EXPECT_NEAR(result.critical.control.to_seconds(), 617.4e-9, 1e-15);
}

// Seven senders of 1 MB to one receiver: 617.4 ns, then 7 times 80.22 us, 562.1574 us in all. The last waits while the six before it
// hold the receiver, 481.32 us: 85.6 %. Its own bytes are 80 us, 14.2 %.
TEST(Bottleneck, ManyToOneWaitsForTheReceiver) {
  const Result result = on_oddl("reduce", "8", "1 MB", "direct");
  EXPECT_TRUE(says(result.bottleneck, "waiting is 85.6 % of the critical path, transmission 14.2 %"))
      << result.bottleneck;
  EXPECT_TRUE(says(result.bottleneck, "a higher rate of receiver of node 0, or less through it")) << result.bottleneck;
  EXPECT_NEAR(result.critical.waiting.to_seconds(), 481.32e-6, 1e-15);
  EXPECT_NEAR(result.critical.control.to_seconds(), 617.4e-9, 1e-11);
}

// 15 flows of 62.5 B from every node: 5 ns of bytes each, but 220 ns dark and a request each, so that transmitters rest most of
// the time and what is waited for is the control.
TEST(Bottleneck, ManySmallFlowsWaitForControl) {
  const Result result = on_oddl("all-to-all", "16", "1 kB", "direct");
  EXPECT_TRUE(result.bottleneck.starts_with("control is")) << result.bottleneck;
  EXPECT_TRUE(says(result.bottleneck, "asking it earlier")) << result.bottleneck;
  EXPECT_EQ(result.critical.total(), result.time);
}

TEST(Bottleneck, ExchangesInWords) {
  simulate::Split path;
  EXPECT_EQ(exchanges_in_words(path), "");
  path.compute = Time::seconds(7);
  EXPECT_EQ(exchanges_in_words(path), "");
  path.transmission = Time::seconds(3);
  path.control = Time::seconds(1);
  EXPECT_EQ(exchanges_in_words(path), "transmission 75 %, control 25 %");
}

}  // namespace
}  // namespace helio::pipeline
