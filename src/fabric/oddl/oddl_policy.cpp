// SPDX-License-Identifier: Apache-2.0
#include "fabric/oddl/oddl_policy.h"

#include <algorithm>
#include <cassert>
#include <tuple>

#include "base/error.h"

namespace helio::fabric {

const std::vector<std::string>& oddl_policy_names() {
  static const std::vector<std::string> names{"srpt", "fifo", "round-robin", "coflow", "planned"};
  return names;
}

OddlPolicy oddl_policy(std::string_view name) {
  const std::vector<std::string>& names = oddl_policy_names();
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) throw unknown_name("policy of ODDL's scheduler", name, names);
  return static_cast<OddlPolicy>(found - names.begin());
}

bool OddlQueue::Older::operator()(const OddlWaiting& a, const OddlWaiting& b) const {
  return std::tie(a.since, a.source, a.id) < std::tie(b.since, b.source, b.id);
}

bool OddlQueue::Order::operator()(const OddlWaiting& a, const OddlWaiting& b) const {
  if (a.priority != b.priority) return a.priority < b.priority;
  if (by_bytes() && a.key != b.key) return a.key < b.key;
  if (policy != OddlPolicy::kFifo && a.source != b.source) return a.source < b.source;
  return Older{}(a, b);
}

bool OddlQueue::others_than(std::uint32_t source) const {
  if (only_) return only_->source != source;
  return order_.any_of([&](const OddlWaiting& waiting) { return waiting.source != source; });
}

const OddlWaiting& OddlQueue::next(Time now, std::uint32_t pointer) const {
  assert(!empty() && "only from a queue in which somebody waits");
  if (only_) return *only_;
  if (const OddlWaiting& oldest = by_age_.front(); oldest.since + aging_ <= now) return oldest;
  const Order& order = order_.before();
  const OddlWaiting& first = order_.front();
  if (order.policy == OddlPolicy::kFifo) return first;

  // Among equals the first source from the pointer on; past the last one it begins anew.
  OddlWaiting turn;
  turn.priority = first.priority;
  turn.key = first.key;
  turn.source = pointer;
  const OddlWaiting* const place = order_.lower_bound(turn);
  const bool equal = place && place->priority == turn.priority && (!order.by_bytes() || place->key == turn.key);
  return equal ? *place : first;
}

void OddlQueue::insert(const OddlWaiting& waiting) {
  if (empty()) {
    only_ = waiting;
    return;
  }
  const auto line_up = [&](const OddlWaiting& one) {
    order_.insert(one);
    by_age_.insert(one);
  };
  if (only_) line_up(*only_);
  only_.reset();
  line_up(waiting);
}

OddlWaiting OddlQueue::take(Time now, std::uint32_t pointer) {
  const OddlWaiting taken = next(now, pointer);
  if (only_) {
    only_.reset();
    return taken;
  }
  order_.erase(taken);
  by_age_.erase(taken);
  return taken;
}

void OddlQueue::encode(std::vector<std::uint64_t>& words) const {
  words.push_back(size());
  for_each([&](const OddlWaiting& waiting) {
    words.insert(words.end(), {waiting.id, waiting.source, waiting.priority, waiting.key,
                               static_cast<std::uint64_t>(waiting.since.count()),
                               static_cast<std::uint64_t>(waiting.since.count() >> 64)});
  });
}

}  // namespace helio::fabric
