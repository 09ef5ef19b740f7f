// SPDX-License-Identifier: Apache-2.0
#include "flow/condense.h"

#include <algorithm>
#include <bit>

#include "base/budget.h"
#include "base/mix.h"

namespace helio::flow {

bool Condensing::possible(const Template& body) const {
  return std::ranges::all_of(body.operations, [&](const Operation& op) {
    return op.kind == OperationKind::kTransfer && op.route.valid() && !op.controlled && op.repeat == 1 &&
           program_.routes.channels(op.route).empty() && !program_.routes.links(op.route).empty();
  });
}

// Counts the links of a way, and compares each with its neighbours.
void Condensing::note(std::span<const LinkUse> links) {
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
    if (crossed.round != round_) crossed = {.round = round_};
    ++crossed.uses;
    narrow(crossed.before, links[i], i > 0 ? &links[i - 1] : nullptr);
    narrow(crossed.behind, links[i], i + 1 < links.size() ? &links[i + 1] : nullptr);
  }
}

// A way begins with a link that nothing comes before, so `before` leads to one that binds; of two that are crossed by the same, the first.
bool Condensing::binds(std::uint32_t link) const {
  const Crossed& crossed = crossed_[link];
  if (crossed.before != kSeveral) return false;
  return crossed.behind == kSeveral || crossed_[crossed.behind].before == link;
}

bool Condensing::alike(const Operation& a, const Operation& b) const {
  return a.bytes == b.bytes && a.duration == b.duration && a.share == b.share && a.priority == b.priority &&
         a.step == b.step && program_.routes.latency(a.route) == program_.routes.latency(b.route);
}

void Condensing::condense(Template& body, std::uint32_t first_route, double runs) {
  if (!possible(body)) return;
  const RouteTable& routes = program_.routes;
  const std::uint32_t resources = program_.resources.size();
  if (crossed_.size() != resources) {
    crossed_.assign(resources, {});
    capacity_.resize(resources);
    for (std::uint32_t i = 0; i < resources; ++i) capacity_[i] = program_.resources.rate(ResourceId{i}).value;
  }
  program_.condensed.resize(resources, 0);

  // Who crosses what, and what it carries in all
  ++round_;
  for (const Operation& op : body.operations) {
    const std::span<const LinkUse> links = routes.links(op.route);
    Budget::spend(static_cast<std::int64_t>(2 * links.size()));
    note(links);
    for (const LinkUse& use : links) program_.condensed[use.link.value] += runs * op.bytes * use.weight;
  }

  // One operation for all that are alike, on the links that bind
  std::vector<Operation> stay;  // with their routes as they were
  std::vector<std::uint32_t> stands_for;
  kept_.clear();
  kept_end_.assign(1, 0);
  rate_.clear();
  by_hash_.clear();
  std::uint32_t last = kNone;
  const auto same = [&](std::uint32_t other, const Operation& op, double rate) {
    if (rate != rate_[other] || !alike(op, stay[other])) return false;
    if (rate > 0) return true;
    if (op.share * static_cast<float>(stands_for[other] + 1) > kLargestShare) return false;
    const std::span<const LinkUse> mine = std::span(kept_).subspan(kept_end_.back());
    const std::span<const LinkUse> theirs =
        std::span(kept_).subspan(kept_end_[other], kept_end_[other + 1] - kept_end_[other]);
    return std::ranges::equal(mine, theirs, [](const LinkUse& a, const LinkUse& b) {
      return a.link.value == b.link.value && a.weight == b.weight;
    });
  };
  for (const Operation& op : body.operations) {
    bool by_itself = true;
    double rate = 0;
    std::uint64_t hash = mixed(std::bit_cast<std::uint64_t>(op.bytes), 0);
    for (const LinkUse& use : routes.links(op.route)) {
      if (!binds(use.link.value)) continue;
      kept_.push_back(use);
      by_itself = by_itself && crossed_[use.link.value].uses == 1;
      const double alone = capacity_[use.link.value] / use.weight;
      rate = rate == 0 ? alone : std::min(rate, alone);
      hash = mixed(hash ^ use.link.value, 0);
    }
    if (!by_itself) rate = 0;
    if (by_itself) hash = mixed(std::bit_cast<std::uint64_t>(op.bytes), std::bit_cast<std::uint64_t>(rate));

    // Most often it is like the one before it
    std::uint32_t found = last != kNone && same(last, op, rate) ? last : kNone;
    if (found == kNone)
      for (auto [at, end] = by_hash_.equal_range(hash); at != end && found == kNone; ++at)
        if (same(at->second, op, rate)) found = at->second;
    if (found != kNone) {
      ++stands_for[found];
      kept_.resize(kept_end_.back());
    } else {
      found = static_cast<std::uint32_t>(stay.size());
      stay.push_back(op);
      stands_for.push_back(1);
      kept_end_.push_back(kept_.size());
      rate_.push_back(rate);
      by_hash_.emplace(hash, found);
    }
    last = found;
  }

  // Their ways instead of all ways
  std::vector<Time> latency;
  for (const Operation& op : stay) latency.push_back(routes.latency(op.route));
  program_.routes.forget_from(first_route);
  for (std::uint32_t i = 0; i < stay.size(); ++i) {
    if (rate_[i] == 0) {
      stay[i].bytes *= stands_for[i];
      stay[i].share *= static_cast<float>(stands_for[i]);
    }
    stay[i].route =
        program_.routes.add(std::span(kept_).subspan(kept_end_[i], kept_end_[i + 1] - kept_end_[i]), {}, latency[i]);
  }
  body.operations = std::move(stay);
  body.operations.shrink_to_fit();
  body.condensed = true;
}

}  // namespace helio::flow
