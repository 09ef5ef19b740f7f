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

// Messages of one delay and others of any, posted while they are taken: by time, and by posting where times are equal. Now and then one is of a
// time before the one taken last, as when a leap was broken.
RC_GTEST_PROP(EventQueue, LanesKeepTheOrder, (std::uint64_t seed)) {
  Random random(seed);
  EventQueue queue;
  std::vector<std::pair<Time, std::uint32_t>> waiting;  // in order of posting
  std::vector<Event> events;
  Time now = Time::seconds(10);
  for (std::uint32_t i = 0; i < 600; ++i) {
    const Time delay = random.below(3) > 0     ? Time::seconds(static_cast<double>(1 + 4 * random.below(2)))
                       : random.below(20) == 0 ? Time::seconds(-2)
                                               : Time::seconds(0.25 * static_cast<double>(random.below(30)));
    queue.post(now + delay, numbered(i));
    waiting.emplace_back(now + delay, i);
    if (random.below(5) < 2) continue;
    const Time first = std::ranges::min_element(waiting, {}, &std::pair<Time, std::uint32_t>::first)->first;
    RC_ASSERT(queue.next_time() == first);
    now = queue.take(events);
    RC_ASSERT(now == first);
    for (const Event& event : events) {
      const auto next = std::ranges::find(waiting, first, &std::pair<Time, std::uint32_t>::first);
      RC_ASSERT(next != waiting.end() && next->second == event.frame);
      waiting.erase(next);
    }
  }
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
