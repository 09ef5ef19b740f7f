// SPDX-License-Identifier: Apache-2.0
// The event queue: events in order of time, and of posting where times are equal.
//
// A round of a million equal transfers posts a million events of one time, one after the other. They share one entry of the
// heap (a chain), so that posting and taking cost O(1) there and O(log chains) in general.
//
// What is posted with one delay comes in the order of posting: the messages and time-outs of a controller, the setup of circuits. Such
// chains stand in a lane and not in the heap; what comes next is the first of the heap or of a lane.
//
//     take ◀── least of ── heap   ends of flows, each at a time of its own
//                       ├─ lane   + 301.2 ns  ▷▷▷▷▷▷
//                       └─ lane   + 5 us      ▷▷▷▷▷▷▷▷▷▷▷
#pragma once

#include <algorithm>
#include <array>
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
  bool empty() const { return first_ == nullptr; }
  // Requires: not empty.
  Time next_time() const { return first_->time; }

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
    const Chain chain{time, ++sequence_, node};
    if (Lane* lane = lane_for(time))
      lane->chains.push_back(chain);
    else
      chains_.push(chain);
    find_first();
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
    find_first();
    last_ = kNone;
  }

  // Shows events that come soon: the next one (then `next` is true), and those of which one follows it.
  template <class See>
  [[gnu::always_inline]] void look_ahead(const See& see) const {
    if (empty()) return;
    see(nodes_[first_->first].event, true);
    for (std::size_t i = 0; i < std::min(1 + kHeapChildren, chains_.size()); ++i)
      if (&chains_[i] != first_) see(nodes_[chains_[i].first].event, false);
    for (const Lane& lane : lanes_)
      for (std::size_t i = lane.head; i < std::min(lane.head + 2, lane.chains.size()); ++i)
        if (&lane.chains[i] != first_) see(nodes_[lane.chains[i].first].event, false);
  }

  // Takes the events of the earliest time, in order, into `events` (cleared first), and returns that time.
  Time take(std::vector<Event>& events) {
    events.clear();
    const Time time = taken_ = first_->time;
    while (first_ && first_->time == time) {
      std::uint32_t node = first_->first;
      drop_first();
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

  // Chains that were posted so long before their time. Requires: none is earlier than the one before it.
  struct Lane {
    Time delay;  // of what was posted here last, or would have been
    std::vector<Chain> chains;
    std::size_t head = 0;
    bool empty() const { return head == chains.size(); }
  };
  static constexpr std::size_t kLanes = 8;

  // Where a chain goes whose delay was seen here before; nullptr: to the heap.
  Lane* lane_for(Time time) {
    const Time delay = time - taken_;
    Lane& lane = lanes_[static_cast<std::uint64_t>(delay.count() * 0x9e3779b97f4a7c15) >> 61];
    if (lane.delay != delay) {
      if (lane.empty()) lane.delay = delay;
      return nullptr;
    }
    return lane.empty() || lane.chains.back().time <= time ? &lane : nullptr;
  }
  // Least of the heap's first and the lanes'.
  void find_first() {
    first_ = chains_.empty() ? nullptr : &chains_.front();
    for (const Lane& lane : lanes_)
      if (!lane.empty() && (!first_ || lane.chains[lane.head] < *first_)) first_ = &lane.chains[lane.head];
  }
  void drop_first() {
    if (!chains_.empty() && first_ == &chains_.front()) {
      chains_.pop();
    } else {
      for (Lane& lane : lanes_) {
        if (lane.empty() || first_ != &lane.chains[lane.head]) continue;
        // What was taken goes when it is half of them
        if (++lane.head * 2 < lane.chains.size()) break;
        lane.chains.erase(lane.chains.begin(), lane.chains.begin() + static_cast<std::ptrdiff_t>(lane.head));
        lane.head = 0;
        break;
      }
    }
    find_first();
  }

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
  std::array<Lane, kLanes> lanes_;
  const Chain* first_ = nullptr;  // of all; none: nothing waits
  Time taken_;                    // the time taken last
  std::vector<Node> nodes_;
  std::uint32_t free_ = kNone;
  std::uint32_t last_ = kNone;  // the node posted last, while its chain waits
  Time last_time_;
  std::uint64_t sequence_ = 0;
};

}  // namespace helio::simulate
