// SPDX-License-Identifier: Apache-2.0
// The event queue: events in order of time, and of posting where times are equal.
//
// A round of a million equal transfers posts a million events of one time, one after the other. They share one entry of the
// heap (a chain), so that posting and taking cost O(1) there and O(log chains) in general.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/time.h"
#include "simulate/heap.h"

namespace helio::simulate {

struct Event {
  enum class Kind : std::uint32_t { kOperation, kWave, kAlone, kRound, kLeapEnd, kCaughtUp, kControl };
  Kind kind = Kind::kOperation;
  std::uint32_t frame = 0;      // kControl: index of what is delivered
  std::uint32_t operation = 0;  // kWave, kAlone: which
  std::uint32_t version = 0;    // stale when it is no longer the owner's
};

class EventQueue {
 public:
  bool empty() const { return chains_.empty(); }
  // Requires: not empty.
  Time next_time() const { return chains_.front().time; }

  void reserve(std::size_t events) {
    if (events >= 1024) nodes_.reserve(nodes_.size() + events);
  }

  // Throws as refuse_time for what is later than any run may last.
  void post(Time time, Event event) {
    const std::uint32_t node = allocate(event);
    if (last_ != kNone && last_time_ == time) {
      nodes_[last_].next = node;
      last_ = node;
      return;
    }
    if (time > kLast) refuse_time(time.to_seconds());
    chains_.push({time, ++sequence_, node});
    last_ = node;
    last_time_ = time;
  }

  // A place in the order of posting, for what is posted there later.
  std::uint64_t take_place() {
    last_ = kNone;
    return ++sequence_;
  }
  void post(Time time, Event event, std::uint64_t place) {
    chains_.push({time, place, allocate(event)});
    last_ = kNone;
  }

  // Shows events that come soon: the next one (then `next` is true), and those of which one follows it.
  template <class See>
  [[gnu::always_inline]] void look_ahead(const See& see) const {
    for (std::size_t i = 0; i < std::min(1 + kHeapChildren, chains_.size()); ++i)
      see(nodes_[chains_[i].first].event, i == 0);
  }

  // Takes the events of the earliest time, in order, into `events` (cleared first), and returns that time.
  Time take(std::vector<Event>& events) {
    events.clear();
    const Time time = chains_.front().time;
    while (!chains_.empty() && chains_.front().time == time) {
      std::uint32_t node = chains_.front().first;
      chains_.pop();
      while (node != kNone) {
        events.push_back(nodes_[node].event);
        const std::uint32_t next = nodes_[node].next;
        nodes_[node].next = free_;
        free_ = node;
        node = next;
      }
    }
    if (last_time_ == time) last_ = kNone;
    return time;
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  static constexpr Time kLast = Time::seconds(Time::kMost * 0.999999);  // sums of two such times do not overflow
  struct Node {
    Event event;
    std::uint32_t next = kNone;
  };
  struct Chain {
    Time time;
    std::uint64_t sequence;
    std::uint32_t first;
    bool operator<(const Chain& other) const {
      return time != other.time ? time < other.time : sequence < other.sequence;
    }
  };

  std::uint32_t allocate(const Event& event) {
    if (free_ == kNone) {
      nodes_.push_back({event, kNone});
      return static_cast<std::uint32_t>(nodes_.size() - 1);
    }
    const std::uint32_t node = free_;
    free_ = nodes_[node].next;
    nodes_[node] = {event, kNone};
    return node;
  }

  Heap<Chain> chains_;
  std::vector<Node> nodes_;
  std::uint32_t free_ = kNone;
  std::uint32_t last_ = kNone;  // the node posted last, while its chain waits
  Time last_time_;
  std::uint64_t sequence_ = 0;
};

}  // namespace helio::simulate
