// SPDX-License-Identifier: Apache-2.0
#include "pipeline/bottleneck.h"

#include <gtest/gtest.h>

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
  EXPECT_TRUE(says(bottleneck_in_words(timeline, two_links(), 1.001), "meets the lower bound"));
  timeline.busy_seconds = {3, 5};
  EXPECT_TRUE(says(bottleneck_in_words(timeline, two_links(), 2), "keeps the links busy"));
}

TEST(Bottleneck, EachPartHasItsHelp) {
  const std::pair<Time simulate::Split::*, const char*> parts[] = {
      {&simulate::Split::latency, "fewer steps, shorter ways"},
      {&simulate::Split::overhead, "smaller step_overhead"},
      {&simulate::Split::setup, "circuits"},
      {&simulate::Split::compute, "overlap"},
      {&simulate::Split::waiting, "more channels"}};
  for (const auto& [part, help] : parts) {
    simulate::Timeline timeline;
    timeline.end = timeline.critical.*part = Time::seconds(1);
    const std::string words = bottleneck_in_words(timeline, {}, 1);
    EXPECT_TRUE(says(words, "is 100 % of the critical path;")) << words;
    EXPECT_TRUE(says(words, help)) << words;
  }
}

}  // namespace
}  // namespace helio::pipeline
