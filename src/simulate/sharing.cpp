// SPDX-License-Identifier: Apache-2.0
#include "simulate/sharing.h"

#include <algorithm>

#include "base/budget.h"

namespace helio::simulate {
namespace {

// Levels that are as near, relatively, are equal; what is left of a link after more urgent classes took their share, when it is only
// that, is nothing.
constexpr double kRounding = 1e-12;

// A link may be full from this share of its capacity on. Below 1 by more than loads can drift: a link that is looked at for nothing
// costs time, the opposite would be wrong.
constexpr double kFull = 1 - 1e-6;

// The share of a flow's bytes that, when it is left at a change of rate, is only rounding: the flow ends with the others.
constexpr double kEnded = 1e-11;

}  // namespace

Sharing::Sharing(const flow::ResourceTable& resources) : links_(resources.size()) {
  for (std::uint32_t i = 0; i < resources.size(); ++i)
    links_[i].capacity = resources.rate(flow::ResourceId{i}).value / 8;
}

std::uint32_t Sharing::allocate_uses(std::uint32_t count) {
  if (count < free_uses_.size() && !free_uses_[count].empty()) {
    const std::uint32_t first = free_uses_[count].back();
    free_uses_[count].pop_back();
    return first;
  }
  uses_.resize(uses_.size() + count);
  return static_cast<std::uint32_t>(uses_.size() - count);
}

void Sharing::reserve(std::size_t flows) {
  if (flows < 1024) return;
  flows_.reserve(flows_.size() + flows);
  uses_.reserve(uses_.size() + flows);
  fresh_.reserve(flows);
  changes_.reserve(flows);
}

Sharing::FlowIndex Sharing::add(std::span<const flow::LinkUse> links, double bytes, double cap, Claim claim,
                                std::uint32_t owner, std::uint32_t owner_part, Time now) {
  FlowIndex index;
  if (free_flows_.empty()) {
    index = static_cast<FlowIndex>(flows_.size());
    flows_.emplace_back();
  } else {
    index = free_flows_.back();
    free_flows_.pop_back();
  }
  const std::uint32_t count = static_cast<std::uint32_t>(links.size());
  const std::uint32_t first = allocate_uses(count);
  Flow& flow = flows_[index];
  flow = Flow{};
  flow.remaining = flow.bytes = bytes;
  flow.cap = cap;
  flow.updated = now;
  flow.first_use = first;
  flow.uses = count;
  flow.owner = owner;
  flow.owner_part = owner_part;
  flow.priority = claim.priority;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t link = links[i].link.value;
    Link& at = links_[link];
    uses_[first + i] = {link, static_cast<std::uint32_t>(at.crossed_by.size()), links[i].weight, claim.share};
    at.crossed_by.push_back({index, first + i, links[i].weight, claim.share});
    ++at.count;
    at.weight += double{links[i].weight} * claim.share;
  }
  fresh_.push_back(index);
  return index;
}

Sharing::FlowIndex Sharing::add_alone(std::span<const flow::LinkUse> links, double bytes, Claim claim,
                                      std::uint32_t owner, std::uint32_t owner_part, Time since) {
  const FlowIndex index = add(links, bytes, kNoCap, claim, owner, owner_part, since);
  fresh_.pop_back();
  begin_alone(index, since);
  changes_.pop_back();  // it was told
  return index;
}

void Sharing::remove(FlowIndex index) {
  Flow& flow = flows_[index];
  for (std::uint32_t i = flow.first_use; i < flow.first_use + flow.uses; ++i) {
    const Use& use = uses_[i];
    Link& link = links_[use.link];
    link.crossed_by[use.place].flow = kNone;
    ++link.gaps;
    if (--link.count == 0) {
      link.load = link.weight = 0;
      link.full = false;
      link.crossed_by.clear();
      link.gaps = 0;
      continue;
    }
    if (link.gaps > link.count) close_gaps(link);
    link.weight -= double{use.weight} * use.share;
    if (flow.rate > 0) link.load -= flow.rate * use.weight;
    if (link.full) dirty_.push_back(use.link);
  }
  if (free_uses_.size() <= flow.uses) free_uses_.resize(flow.uses + 1);
  free_uses_[flow.uses].push_back(flow.first_use);
  flow.uses = 0;
  free_flows_.push_back(index);
}

void Sharing::close_gaps(Link& link) {
  std::uint32_t kept = 0;
  for (const Crossed& on : link.crossed_by) {
    if (on.flow == kNone) continue;
    uses_[on.use].place = kept;
    link.crossed_by[kept++] = on;
  }
  link.crossed_by.resize(kept);
  link.gaps = 0;
}

double Sharing::remove(FlowIndex index, Time now) {
  remove(index);
  return remaining(index, now);
}

// The link gets its turn, the lowest level of the most urgent class first; ties by index so that the order is the same everywhere.
void Sharing::queue(std::uint32_t index, Height height) {
  if (std::exchange(links_[index].queued, true)) return;
  turns_.push({height.level, height.priority, index});
}

// The level of a class at which it fills what is left of a link, nobody being higher than his ceiling, and who reaches it; none where it does not.
std::optional<double> Sharing::fill(std::span<Crossing> all, double& left) {
  double wanted = 0, weight = 0;
  for (const Crossing& crossing : all) {
    weight += crossing.weight;
    wanted += crossing.weight * crossing.ceiling;
  }
  if (wanted <= left) {
    left -= wanted;
    return std::nullopt;
  }
  double level = left / weight;
  for (bool again = true; again;) {
    again = false;
    for (Crossing& crossing : all)
      if (crossing.reaches && crossing.ceiling < level) {
        crossing.reaches = false;
        left -= crossing.weight * crossing.ceiling;
        weight -= crossing.weight;
        again = true;
      }
    if (again && weight > 0) level = std::max(0.0, left) / weight;
  }
  return level;
}

// Whether all on a link, of one class and held back by others, have room there.
bool Sharing::has_room(std::uint32_t index) const {
  const Link& link = links_[index];
  double wanted = 0;
  int priority = -1;
  bool known = true;
  for_each_on(link, [&](const Crossed& on) {
    const Flow& flow = flows_[on.flow];
    if (priority < 0) priority = flow.priority;
    known = !flow.loose && flow.priority == priority;
    wanted += double{on.weight} * on.share * flow.level;
    return known;
  });
  return known && wanted <= link.capacity;
}

// Finds the height of a link, holds back whoever is above it and lets go who is not.
void Sharing::make_right(std::uint32_t index) {
  Link& link = links_[index];
  work_ += link.count;
  Budget::spend(static_cast<std::int64_t>(4 * std::uint64_t{link.count}));
  if (std::exchange(link.made_right, turn_) != turn_) made_right_.push_back(index);
  if (!link.full && has_room(index)) return;
  crossings_.clear();
  bool one_class = true;
  for_each_on(link, [&](const Crossed& on) {
    const Flow& flow = flows_[on.flow];
    const bool own = flow.held_by == index || flow.loose;
    const double ceiling = !own ? flow.level : flow.cap == kNoCap ? kNoCap : flow.cap / on.share;
    crossings_.push_back({on.flow, flow.priority, own, true, double{on.weight} * on.share, ceiling});
    one_class = one_class && flow.priority == crossings_.front().priority;
    return true;
  });
  if (!one_class) std::ranges::stable_sort(crossings_, {}, &Crossing::priority);

  // Class by class; what comes after one that is not satisfied has nothing
  link.full = false;
  double left = link.capacity;
  for (std::size_t begin = 0, end = 0; begin < crossings_.size(); begin = end) {
    while (end < crossings_.size() && crossings_[end].priority == crossings_[begin].priority) ++end;
    const auto all = std::span(crossings_).subspan(begin, end - begin);
    const bool nothing = link.full || left <= kRounding * link.capacity;
    const std::optional<double> level = nothing ? std::optional(0.0) : fill(all, left);
    for (const Crossing& crossing : all)
      if (level && crossing.reaches && (crossing.own || crossing.ceiling > (1 + kRounding) * *level))
        set_level(crossing.flow, *level, index);
      else if (crossing.own)
        set_level(crossing.flow, crossing.ceiling, kNone);
    if (!level || link.full) continue;
    link.full = true;
    link.height = {all.front().priority, *level};
    left = 0;
  }
}

// The other links of a flow that is higher or lower than it was may have to be made right, those that are full and those that may be.
void Sharing::set_level(std::uint32_t index, double level, std::uint32_t held_by) {
  Flow& flow = flows_[index];
  const double rise = level - (flow.loose ? 0 : flow.level);
  if (rise == 0 && !flow.loose && flow.held_by == held_by) return;
  for (const std::uint32_t holder : {flow.held_by, held_by})
    if (holder != kNone) links_[holder].moved = true;
  flow.held_by = held_by;
  flow.loose = false;
  flow.level = level;
  if (std::exchange(flow.stamp, turn_) != turn_) touched_.push_back(index);
  for (std::uint32_t i = flow.first_use; i < flow.first_use + flow.uses; ++i) {
    Link& link = links_[uses_[i].link];
    link.load += rise * uses_[i].share * uses_[i].weight;
    if (uses_[i].link == at_) continue;
    if (link.full)
      queue(uses_[i].link, link.height);
    else if (link.load >= kFull * link.capacity)
      queue(uses_[i].link, {flow.priority, link.capacity / link.weight});
  }
}

void Sharing::commit(std::uint32_t index, double rate, Time now) {
  Flow& flow = flows_[index];
  flow.changed = rate != flow.rate;
  if (!flow.changed) return;
  if (flow.rate > 0) {
    flow.remaining -= flow.rate * (now - flow.updated).to_seconds();
    if (flow.remaining <= kEnded * flow.bytes) flow.remaining = 0;
  }
  flow.updated = now;
  flow.rate = rate;
  flow.end_known = false;
  flow.seconds = flow.remaining == 0 ? 0 : rate > 0 ? flow.remaining / rate : kForever;
}

void Sharing::tell(std::uint32_t index, bool due) {
  Flow& flow = flows_[index];
  const bool changed = std::exchange(flow.changed, false), was_due = std::exchange(flow.due, due);
  if (due ? changed || !was_due : was_due)
    changes_.push_back({flow.owner, flow.owner_part, due ? done(index) : Time::max(), due});
}

// Of those that a link holds back only the first to end is due. Most have changed now: these need be compared in seconds only.
void Sharing::tell_first(std::uint32_t index, Time now) {
  held_.clear();
  double least = kForever;
  Time first = Time::max();
  for_each_on(links_[index], [&](const Crossed& on) {
    const Flow& flow = flows_[on.flow];
    if (flow.held_by != index) return true;
    held_.push_back(on.flow);
    if (flow.updated == now)
      least = std::min(least, flow.seconds);
    else
      first = std::min(first, done(on.flow));
    return true;
  });
  const Time earliest = least < kForever ? now + Time::seconds(least) : Time::max();
  const bool changed_one = least < kForever && earliest <= first;
  if (changed_one && earliest < first) first = Time::max();
  for (const std::uint32_t held : held_)
    if (const Flow& flow = flows_[held]; flow.updated == now)
      tell(held, changed_one && flow.seconds == least);
    else
      tell(held, first != Time::max() && done(held) == first);
}

// Alone on its links it needs nobody's turn.
bool Sharing::begin_alone(std::uint32_t index, Time now) {
  Flow& flow = flows_[index];
  const auto uses = std::span(uses_).subspan(flow.first_use, flow.uses);
  double rate = flow.cap;
  for (const Use& use : uses) {
    if (links_[use.link].count > 1) return false;
    rate = std::min(rate, links_[use.link].capacity / use.weight);
  }
  flow.level = rate / uses.front().share;
  for (const Use& use : uses) links_[use.link].load += rate * use.weight;
  commit(index, rate, now);
  tell(index, true);
  return true;
}

const std::vector<Sharing::Change>& Sharing::solve(Time now) {
  changes_.clear();
  touched_.clear();
  made_right_.clear();
  ++turn_;
  for (const std::uint32_t index : dirty_)
    if (Link& link = links_[index]; link.full) {
      link.moved = true;
      queue(index, link.height);
    }
  for (const std::uint32_t index : fresh_) {
    Flow& flow = flows_[index];
    if (flow.uses == 0 || flow.rate >= 0 || flow.loose) continue;  // gone again, or named twice
    if (begin_alone(index, now)) continue;
    // One link finds its level; others of its links follow where that matters to them
    flow.loose = true;
    Turn lowest{0, 256, kNone};
    for (std::uint32_t i = flow.first_use; i < flow.first_use + flow.uses; ++i) {
      const Link& link = links_[uses_[i].link];
      lowest = std::min(lowest, Turn{link.capacity / link.weight, flow.priority, uses_[i].link});
    }
    queue(lowest.link, {lowest.priority, lowest.level});
  }
  dirty_.clear();
  fresh_.clear();
  while (!turns_.empty()) {
    at_ = turns_.front().link;
    turns_.pop();
    links_[at_].queued = false;
    make_right(at_);
  }

  // Who ends when, and first of those that a link holds back
  for (const std::uint32_t index : touched_) {
    const Flow& flow = flows_[index];
    commit(index, std::min(flow.cap, flow.level * uses_[flow.first_use].share), now);
    if (flow.held_by == kNone) tell(index, true);
  }
  for (const std::uint32_t index : made_right_)
    if (std::exchange(links_[index].moved, false) && links_[index].full) tell_first(index, now);
  return changes_;
}

}  // namespace helio::simulate
