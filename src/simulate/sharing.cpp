// SPDX-License-Identifier: Apache-2.0
#include "simulate/sharing.h"

#include <algorithm>

#include "base/budget.h"

namespace helio::simulate {
namespace {

// What is left of a link after more urgent classes took their share, when it is only rounding, is nothing.
constexpr double kRounding = 1e-12;

// A link counts as full from this share of its capacity on. Below 1 by more than loads can drift: a link that is taken for
// full by mistake costs time, the opposite would be wrong.
constexpr double kFull = 1 - 1e-6;

// The share of a flow's bytes that, when it is left at a change of rate, is only rounding: the flow ends with the others.
constexpr double kEnded = 1e-11;

// Seconds past which a flow counts as stalled: 30 million years.
constexpr double kForever = 1e15;

// Levels that are equal on paper differ by rounding; a floor that is too low costs time, the opposite would be wrong.
constexpr double kBelow = 1 - 1e-9;

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
    uses_[first + i] = {index, link, links_[link].head, kNone, links[i].weight, claim.share};
    if (links_[link].head != kNone) uses_[links_[link].head].previous = first + i;
    links_[link].head = first + i;
    ++links_[link].count;
  }
  fresh_.push_back(index);
  return index;
}

void Sharing::remove(FlowIndex index) {
  Flow& flow = flows_[index];
  for (std::uint32_t i = flow.first_use; i < flow.first_use + flow.uses; ++i) {
    const Use& use = uses_[i];
    if (use.previous != kNone)
      uses_[use.previous].next = use.next;
    else
      links_[use.link].head = use.next;
    if (use.next != kNone) uses_[use.next].previous = use.previous;
    Link& link = links_[use.link];
    const bool full = link.load >= kFull * link.capacity;
    if (--link.count == 0)
      link.load = 0;
    else if (flow.rate > 0)
      link.load -= flow.rate * use.weight;
    if ((!full && use.link != flow.held_by) || link.count == 0) continue;
    dirty_.push_back(use.link);
    lower_floor(flow.priority, std::max(0.0, flow.level));
  }
  if (free_uses_.size() <= flow.uses) free_uses_.resize(flow.uses + 1);
  free_uses_[flow.uses].push_back(flow.first_use);
  flow.uses = 0;
  free_flows_.push_back(index);
}

double Sharing::remove(FlowIndex index, Time now) {
  remove(index);
  return remaining(index, now);
}

void Sharing::lower_floor(std::uint32_t priority, double level) {
  floor_ = std::min(floor_, {priority, kBelow * level});
}

// At which level the link is full when flows of the class that never were solved grow beside those that were, or less: Newton's steps on
// a concave function stay below its root.
double Sharing::level_with_fresh(std::uint32_t index, std::uint8_t priority) const {
  const Link& link = links_[index];
  double level = 0;
  for (int step = 0; step < 4; ++step) {
    double left = link.capacity, growing = 0;
    for (std::uint32_t u = link.head; u != kNone; u = uses_[u].next) {
      const Flow& flow = flows_[uses_[u].flow];
      if (flow.priority > priority) continue;
      if (flow.rate >= 0 && (flow.priority < priority || (step > 0 && flow.level <= level)))
        left -= flow.rate * uses_[u].weight;
      else if (flow.priority == priority)
        growing += double{uses_[u].weight} * uses_[u].share;
    }
    const double next = std::max(0.0, left) / growing;
    if (next <= 1.001 * level) return std::max(next, level);
    level = next;
  }
  return level;
}

void Sharing::begin_part() {
  ++part_;
  part_links_.clear();
  part_flows_.clear();
  to_join_.clear();
}

void Sharing::join_flow(std::uint32_t index) {
  Flow& flow = flows_[index];
  if (flow.stamp == part_) return;
  flow.stamp = part_;
  part_flows_.push_back(index);
  for (std::uint32_t i = flow.first_use; i < flow.first_use + flow.uses; ++i) {
    Link& link = links_[uses_[i].link];
    if (link.seen != part_) {
      link.seen = part_;
      link.inside = 0;
      part_links_.push_back(uses_[i].link);
      if (link.load >= kFull * link.capacity) to_join_.push_back(uses_[i].link);
    }
    ++link.inside;
  }
}

void Sharing::join_link(std::uint32_t index) {
  Link& link = links_[index];
  if (link.joined == part_) return;
  link.joined = part_;
  for (std::uint32_t u = link.head; u != kNone; u = uses_[u].next)
    if (const Flow& flow = flows_[uses_[u].flow]; flow.rate < 0 || reached(flow)) join_flow(uses_[u].flow);
}

void Sharing::freeze(std::uint32_t index, double rate, std::uint32_t held_by) {
  Flow& flow = flows_[index];
  flow.frozen = true;
  flow.held_by = held_by;
  flow.next_rate = rate;
  for (std::uint32_t i = flow.first_use; i < flow.first_use + flow.uses; ++i) {
    Link& link = links_[uses_[i].link];
    link.left -= rate * uses_[i].weight;
    link.weight -= double{uses_[i].weight} * uses_[i].share;
    --link.unfrozen;
  }
}

// Progressive filling of one class on what is left of the links.
void Sharing::fill(std::span<const std::uint32_t> flows) {
  // What grows on every link, and the flows that have a cap of their own.
  class_links_.clear();
  capped_.clear();
  for (std::uint32_t index : flows) {
    Flow& flow = flows_[index];
    flow.frozen = false;
    if (flow.cap != kNoCap) capped_.push_back({flow.cap / uses_[flow.first_use].share, index});
    work_ += flow.uses;
    Budget::spend(flow.uses);
    for (std::uint32_t i = flow.first_use; i < flow.first_use + flow.uses; ++i) {
      Link& link = links_[uses_[i].link];
      if (link.unfrozen++ == 0) class_links_.push_back(uses_[i].link);
      link.weight += double{uses_[i].weight} * uses_[i].share;
    }
  }
  std::stable_sort(capped_.begin(), capped_.end(), [](const Level& a, const Level& b) { return a.level > b.level; });

  // Links by level, lowest first; ties by index so that the order is the same everywhere.
  const auto later = [](const Level& a, const Level& b) {
    return a.level != b.level ? a.level > b.level : a.of > b.of;
  };
  const auto level_of = [&](std::uint32_t link) {
    return links_[link].left <= kRounding * links_[link].capacity ? 0.0 : links_[link].left / links_[link].weight;
  };
  heap_.clear();
  for (std::uint32_t link : class_links_) heap_.push_back({level_of(link), link});
  std::make_heap(heap_.begin(), heap_.end(), later);

  std::size_t unfrozen = flows.size();
  while (unfrozen > 0) {
    // A cap below the level of every link freezes its flow first.
    while (!capped_.empty() && flows_[capped_.back().of].frozen) capped_.pop_back();
    if (!capped_.empty() && (heap_.empty() || capped_.back().level <= heap_.front().level)) {
      freeze(capped_.back().of, flows_[capped_.back().of].cap, kNone);
      --unfrozen;
      continue;
    }
    // The link with the lowest level, if its key is still true, is full: its flows are done growing.
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const Level lowest = heap_.back();
    heap_.pop_back();
    Link& link = links_[lowest.of];
    if (link.unfrozen == 0) continue;
    const double level = level_of(lowest.of);
    if (level > lowest.level) {
      heap_.push_back({level, lowest.of});
      std::push_heap(heap_.begin(), heap_.end(), later);
      continue;
    }
    for (std::uint32_t u = link.head; u != kNone; u = uses_[u].next) {
      Flow& flow = flows_[uses_[u].flow];
      if (flow.frozen || flow.stamp != part_) continue;
      freeze(uses_[u].flow, level * uses_[u].share, lowest.of);
      --unfrozen;
    }
  }
  for (std::uint32_t link : class_links_) links_[link].weight = 0;
}

// All classes of the part, the most urgent first.
void Sharing::fill_classes() {
  // What the flows outside leave of each link.
  for (std::uint32_t index : part_links_) {
    Link& link = links_[index];
    link.left = link.capacity;
    if (link.inside == link.count) continue;
    link.left -= link.load;
  }
  for (std::uint32_t index : part_flows_) {
    Flow& flow = flows_[index];
    flow.frozen = true;
    if (flow.rate <= 0) continue;
    for (std::uint32_t i = flow.first_use; i < flow.first_use + flow.uses; ++i)
      if (Link& link = links_[uses_[i].link]; link.inside != link.count) link.left += flow.rate * uses_[i].weight;
  }
  const auto urgent = [&](std::uint32_t a, std::uint32_t b) { return flows_[a].priority < flows_[b].priority; };
  if (!std::is_sorted(part_flows_.begin(), part_flows_.end(), urgent))
    std::stable_sort(part_flows_.begin(), part_flows_.end(), urgent);
  for (std::size_t begin = 0, end = 0; begin < part_flows_.size(); begin = end) {
    const std::uint8_t priority = flows_[part_flows_[begin]].priority;
    while (end < part_flows_.size() && flows_[part_flows_[end]].priority == priority) ++end;
    fill(std::span(part_flows_).subspan(begin, end - begin));
  }
}

// Solves the part, letting links join until none that outsiders use is full.
void Sharing::solve_part(Time now) {
  for (;;) {
    while (!to_join_.empty()) {
      const std::uint32_t link = to_join_.back();
      to_join_.pop_back();
      join_link(link);
    }
    fill_classes();
    for (std::uint32_t index : part_links_)
      if (const Link& link = links_[index];
          link.inside != link.count && link.joined != part_ && link.left <= (1 - kFull) * link.capacity)
        to_join_.push_back(index);
    if (to_join_.empty()) break;
  }
  // Who ends when, and first of the class that its link holds back; the most urgent flows come first
  for (std::uint32_t index : part_flows_) {
    commit(index, now);
    const Flow& flow = flows_[index];
    if (flow.held_by == kNone) continue;
    Link& link = links_[flow.held_by];
    if (std::exchange(link.told, part_) != part_) {
      link.holds = flow.priority;
      link.first_done = flow.done;
    } else if (flow.priority == link.holds) {
      link.first_done = std::min(link.first_done, flow.done);
    }
  }
  for (std::uint32_t index : part_flows_) {
    const Flow& flow = flows_[index];
    const Link* link = flow.held_by == kNone ? nullptr : &links_[flow.held_by];
    tell(index, link == nullptr || flow.priority != link->holds || flow.done == link->first_done);
  }
  for (std::uint32_t index : part_links_)
    if (Link& link = links_[index]; link.inside == link.count) link.load = link.capacity - link.left;
}

void Sharing::commit(std::uint32_t index, Time now) {
  Flow& flow = flows_[index];
  flow.changed = flow.next_rate != flow.rate;
  if (!flow.changed) return;
  for (std::uint32_t i = flow.first_use; i < flow.first_use + flow.uses; ++i)
    links_[uses_[i].link].load += (flow.next_rate - std::max(0.0, flow.rate)) * uses_[i].weight;
  if (flow.rate > 0) {
    flow.remaining -= flow.rate * (now - flow.updated).to_seconds();
    if (flow.remaining <= kEnded * flow.bytes) flow.remaining = 0;
  }
  flow.updated = now;
  flow.rate = flow.next_rate;
  flow.level = flow.rate / uses_[flow.first_use].share;
  const double seconds = flow.remaining == 0 ? 0 : flow.rate > 0 ? flow.remaining / flow.rate : kForever;
  if (seconds != last_seconds_ && seconds < kForever) {
    last_seconds_ = seconds;
    last_duration_ = Time::seconds(seconds);
  }
  flow.done = seconds < kForever ? now + last_duration_ : Time::max();
}

void Sharing::tell(std::uint32_t index, bool due) {
  Flow& flow = flows_[index];
  if (!flow.changed && (flow.due || !due)) return;
  flow.due = due;
  changes_.push_back({flow.owner, flow.owner_part, flow.done, due});
}

// What begins lowers the floor to where one of its links would be full. The most urgent class of those that meet anybody decides.
void Sharing::find_floor() {
  const auto meets = [&](const Flow& flow) {
    if (flow.rate >= 0 || flow.priority > floor_.priority) return false;
    const auto uses = std::span(uses_).subspan(flow.first_use, flow.uses);
    return std::ranges::any_of(uses, [&](const Use& use) { return links_[use.link].count > 1; });
  };
  std::uint32_t most_urgent = 256;
  for (std::uint32_t index : fresh_)
    if (meets(flows_[index])) most_urgent = std::min<std::uint32_t>(most_urgent, flows_[index].priority);
  ++part_;
  for (std::uint32_t index : fresh_) {
    const Flow& flow = flows_[index];
    if (flow.priority != most_urgent || !meets(flow)) continue;
    for (std::uint32_t i = flow.first_use; i < flow.first_use + flow.uses; ++i) {
      Link& link = links_[uses_[i].link];
      if (link.seen == part_ || link.count == 1) continue;
      link.seen = part_;
      lower_floor(most_urgent, level_with_fresh(uses_[i].link, flow.priority));
    }
  }
}

const std::vector<Sharing::Change>& Sharing::solve(Time now) {
  changes_.clear();
  find_floor();
  begin_part();
  for (std::uint32_t index : dirty_)
    if (links_[index].count > 0) join_link(index);
  for (std::uint32_t index : fresh_) {
    Flow& flow = flows_[index];
    if (flow.uses == 0 || flow.rate >= 0) continue;  // gone again, or named twice
    // Alone on its links: no filling needed.
    bool alone = true;
    flow.next_rate = flow.cap;
    for (std::uint32_t i = flow.first_use; i < flow.first_use + flow.uses; ++i) {
      const Link& link = links_[uses_[i].link];
      alone = alone && link.count == 1;
      flow.next_rate = std::min(flow.next_rate, link.capacity / uses_[i].weight);
    }
    if (alone) {
      commit(index, now);
      tell(index, true);
    } else {
      join_flow(index);
    }
  }
  if (!part_flows_.empty()) solve_part(now);
  dirty_.clear();
  fresh_.clear();
  floor_ = {};
  return changes_;
}

}  // namespace helio::simulate
