// SPDX-License-Identifier: Apache-2.0
#include "simulate/full_links.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "base/budget.h"

namespace helio::simulate {
namespace {

// A full link whose load is as near to its capacity, relatively, is right.
constexpr double kRight = 1e-14;
// A link that is over its capacity by no more is not full yet; levels that are as near are equal.
constexpr double kOver = 1e-12;
// The share of its bytes that, when it is left while another ends, is only rounding: the flow ends, too.
constexpr double kEnded = 1e-11;
// Loads are sums of changes, and added up anew after so many times that links were shared.
constexpr std::uint64_t kTurns = 256;
// Where one in so many of those that are here has just begun, the others do not keep the links that held them back: most would change.
constexpr std::size_t kMany = 128;

}  // namespace

FullLinks::FullLinks(const flow::Program& program, const flow::Template& body) {
  number_links(program, body);
  next_.assign(links_.size(), kNever);
  held_by_.assign(flows_.size(), kNone);
  levels_.assign(links_.size(), 0);
  pair_of_.assign(links_.size(), kNone);
  new_pair_.assign(links_.size(), kNone);
}

// The links that are crossed, and all uses of them; twice on one link is one use.
void FullLinks::number_links(const flow::Program& program, const flow::Template& body) {
  std::vector<std::uint32_t> number(program.resources.size(), kNone);
  flows_.resize(body.operations.size() + 1);
  for (std::uint32_t i = 0; i < body.operations.size(); ++i) {
    const flow::Operation& op = body.operations[i];
    flows_[i].first_use = static_cast<std::uint32_t>(uses_.size());
    flows_[i].size = op.bytes / op.share;
    shares_.push_back(op.share);
    for (const flow::LinkUse& use : program.routes.links(op.route)) {
      std::uint32_t& link = number[use.link.value];
      if (link == kNone) {
        link = static_cast<std::uint32_t>(links_.size());
        links_.emplace_back();
        holders_.emplace_back().capacity = program.resources.rate(use.link).value / 8;
        watch(link);
      }
      const auto own = std::span(uses_).subspan(flows_[i].first_use);
      const double weight = double{use.weight} * op.share;
      if (const auto same = std::ranges::find(own, link, &Use::link); same != own.end())
        same->weight += weight;
      else
        uses_.push_back({.flow = i, .link = link, .weight = weight});
    }
    Budget::spend(static_cast<std::int64_t>(program.routes.links(op.route).size()));
  }
  flows_.back().first_use = static_cast<std::uint32_t>(uses_.size());
}

// Which load of the link is right.
void FullLinks::watch(std::uint32_t link) {
  const Holder& holder = holders_[link];
  links_[link].least = holder.held > 0 ? (1 - kRight) * holder.capacity : -kNever;
  links_[link].most = (1 + (holder.held > 0 ? kRight : kOver)) * holder.capacity;
}

void FullLinks::queue(std::uint32_t link, double level) {
  if (std::exchange(holders_[link].queued, true)) return;
  queue_.push_back({level, link});
  std::ranges::push_heap(
      queue_, [](const Turn& a, const Turn& b) { return a.level != b.level ? a.level > b.level : a.link > b.link; });
}

// Its clock shows the present, and its next end will be looked for.
void FullLinks::touch(std::uint32_t link) {
  Holder& holder = holders_[link];
  if (!std::exchange(holder.touched, true)) touched_.push_back(link);
  if (holder.held > 0) holder.clock += levels_[link] * (now_ - holder.since);
  holder.since = now_;
}

void FullLinks::begin(std::uint32_t flow, double now) {
  now_ = now;
  fresh_.push_back(flow);
  ++here_;
  flows_[flow].here = true;
  flows_[flow].at = flows_[flow].size;
  for (Use& use : uses(flow)) {
    Holder& holder = holders_[use.link];
    use.place = static_cast<std::uint32_t>(holder.flows.size());
    holder.flows.push_back({flow, static_cast<std::uint32_t>(&use - uses_.data()), use.weight});
    holder.crossing += use.weight;
    holder.loose += use.weight;
    ++holder.fresh;
  }
}

double FullLinks::next_end() const {
  double first = kNever;
  for (const double end : next_) first = std::min(first, end);
  return first;
}

void FullLinks::take_ended(double now, std::vector<std::uint32_t>& ended) {
  now_ = now;
  ended.clear();
  const double soon = now * (1 + 10 * kEnded);
  for (std::uint32_t link = 0; link < next_.size(); ++link) {
    if (next_[link] > soon) continue;
    Holder& holder = holders_[link];
    touch(link);
    bool first = next_[link] <= now;  // however its clock is rounded
    while (!holder.due.empty()) {
      const Due due = holder.due.front();
      const Flow& flow = flows_[due.flow];
      const bool here = held_by_[due.flow] == link && flow.at == due.at;
      if (here && !first && due.at - holder.clock > kEnded * flow.size) break;
      std::ranges::pop_heap(holder.due, std::greater{}, &Due::at);
      holder.due.pop_back();
      if (!here) continue;
      first = false;
      ended.push_back(due.flow);
      let_go(due.flow);
      flows_[due.flow].here = false;
      for (const Use& use : uses(due.flow)) {
        Holder& other = holders_[use.link];
        other.flows[use.place] = other.flows.back();
        uses_[other.flows.back().use].place = use.place;
        other.flows.pop_back();
        other.crossing -= use.weight;
        if (other.flows.empty()) links_[use.link].load = other.crossing = 0;
      }
    }
  }
  here_ -= ended.size();
  work_ += ended.size();
}

// Nobody holds it back any more, and it takes nothing of its links.
void FullLinks::let_go(std::uint32_t flow) {
  const std::uint32_t link = std::exchange(held_by_[flow], kNone);
  Holder& holder = holders_[link];
  touch(link);
  for (Use& use : uses(flow)) {
    links_[use.link].load -= levels_[link] * use.weight;
    if (use.link == link) {
      holder.weight -= use.weight;
    } else if (Pair& pair = holder.pairs[use.pair]; --pair.flows > 0) {
      pair.weight -= use.weight;
    } else {
      pair.weight = 0;
      ++holder.empty_pairs;
      std::vector<PairOf>& list = holders_[use.link].crossed_by;
      const std::uint32_t place = holder.places[use.pair];
      list[place] = list.back();
      holders_[list.back().holder].places[list.back().pair] = place;
      list.pop_back();
    }
    look_at(use.link);
  }
  if (--holder.held > 0) {
    if (2 * holder.empty_pairs > holder.pairs.size()) close_gaps(link);
    return;
  }
  holder.weight = holder.clock = 0;
  holder.pairs.clear();
  holder.places.clear();
  holder.empty_pairs = 0;
  holder.due.clear();
  watch(link);
}

void FullLinks::close_gaps(std::uint32_t link) {
  Holder& holder = holders_[link];
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < holder.pairs.size(); ++i) {
    if (holder.pairs[i].flows == 0) continue;
    holder.pairs[kept] = holder.pairs[i];
    holder.places[kept] = holder.places[i];
    new_pair_[holder.pairs[kept].link] = kept;
    holders_[holder.pairs[kept].link].crossed_by[holder.places[kept]].pair = kept;
    ++kept;
  }
  holder.pairs.resize(kept);
  holder.places.resize(kept);
  holder.empty_pairs = 0;
  for (const On& on : holder.flows)
    if (held_by_[on.flow] == link)
      for (Use& use : uses(on.flow)) use.pair = new_pair_[use.link];
}

// The link, whose pairs are in pair_of_, holds it back from now on, with what it has left.
void FullLinks::hold(std::uint32_t flow, std::uint32_t link) {
  const std::uint32_t before = held_by_[flow];
  double left = flows_[flow].at;
  if (before != kNone) {
    touch(before);
    left -= holders_[before].clock;
    let_go(flow);
  }
  Holder& holder = holders_[link];
  held_by_[flow] = link;
  flows_[flow].at = holder.clock + std::max(0.0, left);
  holder.due.push_back({flows_[flow].at, flow});
  std::ranges::push_heap(holder.due, std::greater{}, &Due::at);
  ++holder.held;
  for (Use& use : uses(flow)) {
    links_[use.link].load += levels_[link] * use.weight;
    if (Holder& other = holders_[use.link]; before == kNone)
      other.loose = --other.fresh == 0 ? 0 : other.loose - use.weight;
    if (use.link == link) {
      holder.weight += use.weight;
      continue;
    }
    std::uint32_t& at = pair_of_[use.link];
    if (at == kNone) {
      at = static_cast<std::uint32_t>(holder.pairs.size());
      holder.pairs.push_back({use.link});
      holder.places.push_back(0);
      ++holder.empty_pairs;
    }
    Pair& pair = holder.pairs[at];
    if (pair.flows++ == 0) {
      --holder.empty_pairs;
      holder.places[at] = static_cast<std::uint32_t>(holders_[use.link].crossed_by.size());
      holders_[use.link].crossed_by.push_back({link, at});
    }
    pair.weight += use.weight;
    use.pair = at;
    look_at(use.link);
  }
}

void FullLinks::set_level(std::uint32_t link, double level) {
  touch(link);
  Holder& holder = holders_[link];
  const double rise = level - levels_[link];
  levels_[link] = level;
  links_[link].load += rise * holder.weight;
  for (const Pair& pair : holder.pairs) {
    Link& other = links_[pair.link];
    other.load += rise * pair.weight;
    look_at(pair.link);
  }
  work_ += holder.pairs.size() + 1;
  Budget::spend(static_cast<std::int64_t>(holder.pairs.size() + 8));
}

// The level at which the link is full, if those above it are held back by it; and it does hold them back.
void FullLinks::take_highest(std::uint32_t link) {
  Holder& holder = holders_[link];
  above_.clear();
  double left = holder.capacity, growing = 0;
  const double lowest = holder.fresh == 0 && holder.held > 0 ? level_now(link) : 0;  // about; the level cannot be lower
  for (const On& on : holder.flows) {
    const std::uint32_t held_by = held_by_[on.flow];
    if (held_by == link || held_by == kNone) growing += on.weight;
    if (held_by == link) continue;
    const double level = held_by == kNone ? kNever : levels_[held_by];
    if (held_by != kNone) left -= level * on.weight;
    if (level > (1 - kOver) * lowest) above_.push_back({level, on.weight, on.flow});
  }
  work_ += holder.flows.size();
  Budget::spend(static_cast<std::int64_t>(4 * holder.flows.size()));
  const auto lower = [](const Above& a, const Above& b) { return a.level < b.level; };
  std::ranges::make_heap(above_, lower);
  std::size_t rest = above_.size();
  const auto level = [&] { return growing > 0 ? std::max(0.0, left) / growing : -kNever; };
  while (rest > 0 && above_.front().level > (1 + kOver) * level()) {
    const Above highest = above_.front();
    std::pop_heap(above_.begin(), above_.begin() + static_cast<std::ptrdiff_t>(rest), lower);
    --rest;
    if (highest.level == kNever) continue;  // counted already
    left += highest.level * highest.weight;
    growing += highest.weight;
  }
  if (growing == 0) return;
  set_level(link, level());
  for (std::uint32_t i = 0; i < holder.pairs.size(); ++i) pair_of_[holder.pairs[i].link] = i;
  for (std::size_t i = above_.size(); i > rest; --i) hold(above_[i - 1].flow, link);
  for (const Pair& pair : holder.pairs) pair_of_[pair.link] = kNone;
  holder.weight = growing;
  links_[link].load = holder.capacity;
  watch(link);
}

// The level of the highest that others hold back.
double FullLinks::highest_on(std::uint32_t link) const {
  double highest = 0;
  for (const PairOf& by : holders_[link].crossed_by) highest = std::max(highest, levels_[by.holder]);
  return highest;
}

void FullLinks::make_right(std::uint32_t link) {
  const Holder& holder = holders_[link];
  const Link& at = links_[link];
  if (holder.fresh > 0) return take_highest(link);
  if (holder.held == 0) {
    if (at.load > at.most) take_highest(link);
    return;
  }
  const double level = level_now(link);
  if (level < (1 - kOver) * highest_on(link))
    take_highest(link);
  else if (at.load < at.least || at.load > at.most)
    set_level(link, level);
}

// Loads without what was rounded on the way to them.
void FullLinks::add_up() {
  for (Link& link : links_) link.load = 0;
  for (std::uint32_t i = 0; i < holders_.size(); ++i) {
    const Holder& holder = holders_[i];
    if (holder.held == 0) continue;
    links_[i].load += levels_[i] * holder.weight;
    for (const Pair& pair : holder.pairs) links_[pair.link].load += levels_[i] * pair.weight;
  }
  for (std::uint32_t i = 0; i < links_.size(); ++i) look_at(i);
}

// Nobody is held back by anybody, as if all had just begun with what they have left.
void FullLinks::start_over() {
  for (std::uint32_t flow = 0; flow + 1 < flows_.size(); ++flow) {
    const std::uint32_t link = std::exchange(held_by_[flow], kNone);
    if (link == kNone) continue;
    touch(link);
    flows_[flow].at = std::max(0.0, flows_[flow].at - holders_[link].clock);
    fresh_.push_back(flow);
  }
  for (std::uint32_t i = 0; i < holders_.size(); ++i) {
    Holder& holder = holders_[i];
    holder.fresh = static_cast<std::uint32_t>(holder.flows.size());
    holder.loose = holder.crossing;
    holder.weight = holder.clock = 0;
    holder.held = holder.empty_pairs = 0;
    holder.pairs.clear();
    holder.places.clear();
    holder.crossed_by.clear();
    holder.due.clear();
    links_[i].load = 0;
    watch(i);
  }
  work_ += here_;
}

void FullLinks::share(double now) {
  now_ = now;
  if (!fresh_.empty() && kMany * fresh_.size() >= here_ && fresh_.size() < here_) start_over();
  if (++turns_ % kTurns == 0) add_up();

  // Links of those that began, by the level that they would have at least
  const auto level_at_least = [&](std::uint32_t link) {
    const Holder& holder = holders_[link];
    const double others = links_[link].load - levels_[link] * holder.weight;
    return std::max(0.0, holder.capacity - others) / (holder.weight + holder.loose);
  };
  for (const std::uint32_t flow : fresh_)
    for (const Use& use : uses(flow)) queue(use.link, level_at_least(use.link));
  fresh_.clear();

  while (!queue_.empty()) {
    std::ranges::pop_heap(
        queue_, [](const Turn& a, const Turn& b) { return a.level != b.level ? a.level > b.level : a.link > b.link; });
    const Turn turn = queue_.back();
    queue_.pop_back();
    Holder& holder = holders_[turn.link];
    holder.queued = false;
    if (holder.fresh > 0 && level_at_least(turn.link) > (1 + kOver) * turn.level)
      queue(turn.link, level_at_least(turn.link));
    else
      make_right(turn.link);
  }

  // Who ends next on each link
  for (const std::uint32_t link : touched_) {
    Holder& holder = holders_[link];
    holder.touched = false;
    next_[link] = kNever;
    while (!holder.due.empty()) {
      const Due due = holder.due.front();
      const Flow& flow = flows_[due.flow];
      if (held_by_[due.flow] != link || flow.at != due.at) {
        std::ranges::pop_heap(holder.due, std::greater{}, &Due::at);
        holder.due.pop_back();
        continue;
      }
      const double rest = due.at - holder.clock;
      if (rest <= kEnded * flow.size)
        next_[link] = now;
      else if (levels_[link] > 0)
        next_[link] = holder.since + rest / levels_[link];
      break;
    }
  }
  touched_.clear();
}

double FullLinks::left(std::uint32_t index, double now) const {
  const Flow& flow = flows_[index];
  const double share = shares_[index];
  if (!flow.here) return kNever;
  const std::uint32_t link = held_by_[index];
  if (link == kNone) return share * flow.at;
  const Holder& holder = holders_[link];
  return share * std::max(0.0, flow.at - holder.clock - levels_[link] * (now - holder.since));
}

}  // namespace helio::simulate
