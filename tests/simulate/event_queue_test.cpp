// SPDX-License-Identifier: Apache-2.0
#include "simulate/event_queue.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "base/random.h"

namespace helio::simulate {
namespace {

Event numbered(std::uint32_t n) { return {Event::Kind::kOperation, n, 0, 0}; }

TEST(EventQueue, EqualTimesKeepTheirOrderAcrossChains) {
  EventQueue queue;
  queue.post(Time::seconds(2), numbered(0));
  queue.post(Time::seconds(1), numbered(1));
  queue.post(Time::seconds(2), numbered(2));  // another chain of the same time
  queue.post(Time::seconds(2), numbered(3));
  std::vector<Event> events;
  EXPECT_EQ(queue.take(events), Time::seconds(1));
  EXPECT_EQ(queue.take(events), Time::seconds(2));
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].frame, 0u);
  EXPECT_EQ(events[1].frame, 2u);
  EXPECT_EQ(events[2].frame, 3u);
  EXPECT_TRUE(queue.empty());
}

TEST(EventQueue, APostAtTheTimeJustTakenIsTakenNext) {
  EventQueue queue;
  std::vector<Event> events;
  queue.post(Time::seconds(1), numbered(0));
  queue.take(events);
  queue.post(Time::seconds(1), numbered(1));
  EXPECT_EQ(queue.take(events), Time::seconds(1));
  EXPECT_EQ(events[0].frame, 1u);
}

// Against a stable sort by time.
RC_GTEST_PROP(EventQueue, IsAStableSort, (std::uint64_t seed)) {
  Random random(seed);
  EventQueue queue;
  std::vector<std::pair<Time, std::uint32_t>> expected;
  std::vector<Event> events;
  for (std::uint32_t i = 0; i < 200; ++i) {
    const Time time = Time::seconds(static_cast<double>(random.below(7)));
    queue.post(time, numbered(i));
    expected.push_back({time, i});
  }
  std::stable_sort(expected.begin(), expected.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::size_t at = 0;
  while (!queue.empty()) {
    const Time time = queue.take(events);
    for (const Event& event : events) {
      RC_ASSERT(expected[at].first == time);
      RC_ASSERT(expected[at++].second == event.frame);
    }
  }
  RC_ASSERT(at == expected.size());
}

}  // namespace
}  // namespace helio::simulate
