// SPDX-License-Identifier: Apache-2.0
#include "flow/condense.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/budget.h"
#include "base/mix.h"

namespace helio::flow {

void Condensing::begin(double times) {
  const std::uint32_t resources = program_.resources.size();
  if (crossed_.size() != resources) {
    crossed_.assign(resources, {});
    capacity_.resize(resources);
    for (std::uint32_t i = 0; i < resources; ++i) capacity_[i] = program_.resources.rate(ResourceId{i}).value;
  }
  ++round_;
  times_ = times;
  first_.reset();
  all_alike_ = true;
  touched_.clear();
  runs_.clear();
  uses_ = told_ = 0;
  run_ = 0;
  compared_ = 0;
  classes_ = settled_ = even_ = some_alike_ = false;
  stay_.clear();
  stands_for_.clear();
  last_ = kNone;
  kept_.clear();
  kept_end_.assign(1, 0);
  rate_.clear();
  by_hash_.clear();
}

// Counts the links of a way, and compares each with its neighbours.
bool Condensing::note(const Operation& op, std::span<const LinkUse> links, Time latency) {
  if (op.kind != OperationKind::kTransfer || op.controlled || op.repeat != 1 || links.empty()) return false;
  Budget::spend(static_cast<std::int64_t>(2 * links.size()));
  if (!first_) first_ = {op, latency};
  uses_ += links.size();
  all_alike_ = all_alike_ && alike(*first_, op, latency);
  // Whether `other` is full before `use` is, as far as this operation goes
  const auto follows = [&](const LinkUse& use, const LinkUse& other) {
    return use.weight * capacity_[other.link.value] <= other.weight * capacity_[use.link.value];
  };
  const auto narrow = [&](std::uint32_t& known, const LinkUse& use, const LinkUse* neighbour) {
    const std::uint32_t found = neighbour && follows(use, *neighbour) ? neighbour->link.value : kSeveral;
    known = known == kNone || known == found ? found : kSeveral;
  };
  for (std::size_t i = 0; i < links.size(); ++i) {
    Crossed& crossed = crossed_[links[i].link.value];
    if (crossed.round != round_) {
      crossed = {.round = round_, .like = links[i].link.value};
      touched_.push_back(links[i].link.value);
    }
    ++crossed.uses;
    crossed.load += links[i].weight;
    narrow(crossed.before, links[i], i > 0 ? &links[i - 1] : nullptr);
    narrow(crossed.behind, links[i], i + 1 < links.size() ? &links[i + 1] : nullptr);
  }
  if (told_++ == 0 || !runs_.empty()) note_run(op, links, latency);
  return true;
}

void Condensing::note_run(const Operation& op, std::span<const LinkUse> links, Time latency) {
  const auto same_weight = [](const LinkUse& a, const LinkUse& b) { return a.weight == b.weight; };
  if (runs_.empty() || !alike(runs_.back().first, op, latency) || !std::ranges::equal(links, leader_, same_weight)) {
    if (runs_.size() > kManyUses / 256 && kFewRuns * runs_.size() > told_) return runs_.clear();
    runs_.push_back({{op, latency}, 0, {}});
    leader_.assign(links.begin(), links.end());
  }
  ++runs_.back().members;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const std::uint32_t mine = class_of(links[i].link.value), theirs = class_of(leader_[i].link.value);
    if (mine != theirs) crossed_[std::max(mine, theirs)].like = std::min(mine, theirs);
  }
}

std::uint32_t Condensing::class_of(std::uint32_t link) {
  while (crossed_[link].like != link) link = crossed_[link].like = crossed_[crossed_[link].like].like;
  return link;
}

// What the links of each class carry of the run to which the transfer belongs.
void Condensing::compare(std::span<const LinkUse> links) {
  if (run_ == 0 && compared_ == 0) {
    classes_ = true;
    shares_.assign(crossed_.size(), {});
    for (const std::uint32_t link : touched_) {
      ++shares_[class_of(link)].members;
      classes_ = classes_ && capacity_[link] == capacity_[class_of(link)];
    }
    crossed_by_run_.clear();
  }
  if (!classes_) return;
  for (const LinkUse& use : links) {
    double& carried = shares_[use.link.value].carried;
    if (carried == 0) crossed_by_run_.push_back(use.link.value);
    carried += use.weight;
  }
  if (++compared_ == runs_[run_].members) end_run();
}

// Either all links of a class carry the same, or none of them anything.
void Condensing::end_run() {
  Run& run = runs_[run_++];
  compared_ = 0;
  for (const std::uint32_t link : crossed_by_run_) {
    const std::uint32_t of = class_of(link);
    const double carried = shares_[link].carried;
    classes_ = classes_ && carried == shares_[of].carried && carried == double{static_cast<float>(carried)};
    if (shares_[of].met++ == 0) run.load.push_back({ResourceId{of}, static_cast<float>(carried)});
  }
  for (const LinkUse& use : run.load) {
    Share& share = shares_[use.link.value];
    classes_ = classes_ && share.met == share.members;
    share.met = 0;
  }
  for (const std::uint32_t link : crossed_by_run_) shares_[link].carried = 0;
  crossed_by_run_.clear();
}

bool Condensing::loaded_alike() const {
  if (!all_alike_) return false;
  const auto level = [&](std::uint32_t link) { return capacity_[link] / crossed_[link].load; };
  const double load = crossed_[touched_.front()].load;
  return load == static_cast<double>(static_cast<float>(load)) &&  // as much as a weight can tell
         std::ranges::all_of(touched_, [&](std::uint32_t link) { return level(link) == level(touched_.front()); });
}

// A way begins with a link that nothing comes before, so `before` leads to one that binds; of two that are crossed by the same, the first.
bool Condensing::binds(std::uint32_t link) const {
  const Crossed& crossed = crossed_[link];
  if (crossed.before != kSeveral) return false;
  return crossed.behind == kSeveral || crossed_[crossed.behind].before == link;
}

bool Condensing::alike(const Kept& a, const Operation& b, Time latency) {
  return a.operation.bytes == b.bytes && a.operation.duration == b.duration && a.operation.share == b.share &&
         a.operation.priority == b.priority && a.operation.step == b.step && a.latency == latency;
}

// One operation for all that are alike, on the links that bind.
void Condensing::keep(const Operation& op, std::span<const LinkUse> links, Time latency) {
  if (!std::exchange(settled_, true)) {
    even_ = loaded_alike();
    program_.condensed.resize(program_.resources.size(), 0);
  }
  for (const LinkUse& use : links) program_.condensed[use.link.value] += times_ * op.bytes * use.weight;
  if (even_ || classes_) return;

  bool by_itself = true;
  double rate = 0;
  std::uint64_t hash = mixed(std::bit_cast<std::uint64_t>(op.bytes), 0);
  for (const LinkUse& use : links) {
    if (!binds(use.link.value)) continue;
    kept_.push_back(use);
    by_itself = by_itself && crossed_[use.link.value].uses == 1;
    const double alone = capacity_[use.link.value] / use.weight;
    rate = rate == 0 ? alone : std::min(rate, alone);
    hash = mixed(hash ^ use.link.value, 0);
  }
  if (!by_itself) rate = 0;
  if (by_itself) hash = mixed(std::bit_cast<std::uint64_t>(op.bytes), std::bit_cast<std::uint64_t>(rate));

  const auto same = [&](std::uint32_t other) {
    if (rate != rate_[other] || !alike(stay_[other], op, latency)) return false;
    if (rate > 0) return true;
    if (op.share * static_cast<float>(stands_for_[other] + 1) > kLargestShare) return false;
    const std::span<const LinkUse> mine = std::span(kept_).subspan(kept_end_.back());
    const std::span<const LinkUse> theirs =
        std::span(kept_).subspan(kept_end_[other], kept_end_[other + 1] - kept_end_[other]);
    return std::ranges::equal(mine, theirs, [](const LinkUse& a, const LinkUse& b) {
      return a.link.value == b.link.value && a.weight == b.weight;
    });
  };
  // Most often it is like the one before it
  std::uint32_t found = last_ != kNone && same(last_) ? last_ : kNone;
  const bool all_unlike = !some_alike_ && stay_.size() >= kUnlike;
  if (found == kNone && !all_unlike)
    for (auto [at, end] = by_hash_.equal_range(hash); at != end && found == kNone; ++at)
      if (same(at->second)) found = at->second;
  if (found != kNone) {
    ++stands_for_[found];
    some_alike_ = true;
    kept_.resize(kept_end_.back());
  } else {
    found = static_cast<std::uint32_t>(stay_.size());
    stay_.push_back({op, latency});
    stands_for_.push_back(1);
    kept_end_.push_back(kept_.size());
    rate_.push_back(rate);
    if (!all_unlike) by_hash_.emplace(hash, found);
  }
  last_ = found;
}

Template Condensing::made() {
  Template body;
  body.condensed = true;
  if (even_) {
    const LinkUse all{ResourceId{touched_.front()}, static_cast<float>(crossed_[touched_.front()].load)};
    body.operations = {first_->operation};
    body.operations.front().route = program_.routes.add({&all, 1}, {}, first_->latency);
    return body;
  }
  if (classes_)
    for (const Run& run : runs_) {
      Operation& op = body.operations.emplace_back(run.first.operation);
      op.route = program_.routes.add(run.load, {}, run.first.latency);
    }
  body.operations.reserve(body.operations.size() + stay_.size());
  if (kept_.size() >= kManyUses) program_.routes.reserve(stay_.size(), kept_.size());
  for (std::uint32_t i = 0; i < stay_.size(); ++i) {
    Operation& op = body.operations.emplace_back(stay_[i].operation);
    if (rate_[i] == 0) {
      op.bytes *= stands_for_[i];
      op.share *= static_cast<float>(stands_for_[i]);
    }
    op.route = program_.routes.add(std::span(kept_).subspan(kept_end_[i], kept_end_[i + 1] - kept_end_[i]), {},
                                   stay_[i].latency);
  }
  return body;
}

}  // namespace helio::flow
