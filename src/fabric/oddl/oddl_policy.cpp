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
  const bool by_bytes = policy == OddlPolicy::kSrpt || policy == OddlPolicy::kCoflow;
  if (by_bytes && a.key != b.key) return a.key < b.key;
  if (policy == OddlPolicy::kRoundRobin && a.source != b.source) return a.source < b.source;
  return Older{}(a, b);
}

bool OddlQueue::others_than(std::uint32_t source) const {
  if (only_) return only_->source != source;
  return std::ranges::any_of(order_, [&](const OddlWaiting& waiting) { return waiting.source != source; });
}

const OddlWaiting& OddlQueue::next(Time now, std::uint32_t pointer) const {
  assert(!empty() && "only from a queue in which somebody waits");
  if (only_) return *only_;
  if (const OddlWaiting& oldest = *by_age_.begin(); oldest.since + aging_ <= now) return oldest;
  if (order_.key_comp().policy != OddlPolicy::kRoundRobin) return *order_.begin();

  // The first source from the pointer on, of the most urgent class; past the last one it begins anew.
  OddlWaiting turn;
  turn.priority = order_.begin()->priority;
  turn.source = pointer;
  const auto place = order_.lower_bound(turn);
  return place != order_.end() && place->priority == turn.priority ? *place : *order_.begin();
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
  const auto encode_one = [&](const OddlWaiting& waiting) {
    words.insert(words.end(), {waiting.id, waiting.source, waiting.priority, waiting.key,
                               static_cast<std::uint64_t>(waiting.since.count()),
                               static_cast<std::uint64_t>(waiting.since.count() >> 64)});
  };
  if (only_) encode_one(*only_);
  for (const OddlWaiting& waiting : order_) encode_one(waiting);
}

}  // namespace helio::fabric
