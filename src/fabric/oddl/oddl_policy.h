// SPDX-License-Identifier: Apache-2.0
// Who goes next: the order in which flows wait for a receiver (at its arbiter) and for a request (at their source).
//
// papers/oddl.md §2.4. Within a priority class, which comes first in every policy:
//
//   srpt         fewest bytes left                              ties: the next source from the pointer on
//   coflow       fewest bytes left in its collective step       the same
//   fifo         who asked first                                ties: the smaller source, then the smaller id
//   round-robin  the next source from the pointer on, cyclically (iSLIP: the pointer moves past a source once it accepted)
//   planned      nobody asks; the order is the schedule's, and control only checks it
//
// Why equals take turns: where all flows are alike, who asked first is an order that every receiver has in common, and they all wait for the
// same sources. Turns keep receivers out of step: of all flows between 64 nodes, two requests ahead, 1.577 x the bound becomes 1.041.
//
// Ageing goes before all of them: who has waited for `aging` is served first, the longest wait of all first, whatever its
// class. So every flow's wait is bounded as long as the receiver serves at all.
//
// Invariant: the queue depends on nothing but what was inserted and taken; every operation is O(log n).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sorted_blocks.h"
#include "base/time.h"

namespace helio::fabric {

enum class OddlPolicy : std::uint8_t { kSrpt, kFifo, kRoundRobin, kCoflow, kPlanned };

const std::vector<std::string>& oddl_policy_names();
// Throws Error(kInput) with the legal names.
OddlPolicy oddl_policy(std::string_view name);

// Somebody who waits. `key` is the bytes left that the policy compares: of the flow (srpt) or of its step (coflow).
struct OddlWaiting {
  std::uint64_t id = 0;
  std::uint32_t source = 0;
  std::uint8_t priority = 0;  // 0 is the most urgent class
  std::uint64_t key = 0;
  Time since;               // it has waited since then
  std::uint32_t place = 0;  // the owner's own; nothing is decided by it
};

class OddlQueue {
 public:
  OddlQueue(OddlPolicy policy, Time aging) : order_(Order{policy}), aging_(aging) {}

  bool empty() const { return !only_ && order_.empty(); }
  std::size_t size() const { return only_ ? 1 : order_.size(); }
  // Somebody other than `source` waits.
  bool others_than(std::uint32_t source) const;
  // Who is served next at `now`; `pointer` is the first source in turn (not fifo). Requires: not empty.
  const OddlWaiting& next(Time now, std::uint32_t pointer = 0) const;

  void insert(const OddlWaiting& waiting);
  // Takes out who is served next. Requires: not empty.
  OddlWaiting take(Time now, std::uint32_t pointer = 0);
  void encode(std::vector<std::uint64_t>& words) const;
  // All who wait, in order.
  template <class See>
  void for_each(const See& see) const {
    if (only_) see(*only_);
    order_.any_of([&](const OddlWaiting& waiting) { return see(waiting), false; });
  }

 private:
  struct Order {
    OddlPolicy policy;
    bool by_bytes() const { return policy == OddlPolicy::kSrpt || policy == OddlPolicy::kCoflow; }
    bool operator()(const OddlWaiting& a, const OddlWaiting& b) const;
  };
  struct Older {
    bool operator()(const OddlWaiting& a, const OddlWaiting& b) const;
  };

  std::optional<OddlWaiting> only_;  // who waits alone, which most do, is in no list
  SortedBlocks<OddlWaiting, Order> order_;
  SortedBlocks<OddlWaiting, Older> by_age_;
  Time aging_;
};

}  // namespace helio::fabric
