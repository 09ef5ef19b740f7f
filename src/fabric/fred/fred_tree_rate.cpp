// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/fred_tree_rate.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"

namespace helio::fabric {
namespace {

using Flows = std::vector<std::uint32_t>;

bool inside(const Flows& part, const Flows& whole) { return std::ranges::includes(whole, part); }

// Planes that leave out a flow of every core, each flow left out by at most `allowance` of them.
class Planes {
 public:
  Planes(std::uint32_t planes, std::uint32_t flows, std::uint64_t work)
      : carried_(planes), left_(flows), all_(flows), work_(work) {
    std::iota(all_.begin(), all_.end(), 0u);
  }

  void know(Flows core) { cores_.push_back(std::move(core)); }

  // False: there are none, unless out_of_work().
  bool choose(std::uint32_t allowance) {
    std::ranges::fill(carried_, all_);
    std::ranges::fill(left_, allowance);
    return leave_out(0);
  }

  std::vector<Flows>& carried() { return carried_; }
  const std::vector<Flows>& cores() const { return cores_; }
  bool out_of_work() const { return work_ == 0; }

 private:
  bool leave_out(std::size_t plane) {
    if (plane == carried_.size()) return true;
    const auto core = std::ranges::find_if(cores_, [&](const Flows& c) { return inside(c, carried_[plane]); });
    if (core == cores_.end()) return leave_out(plane + 1);

    // One member has to go: the one that most planes may still leave out first
    Flows members = *core;
    std::ranges::stable_sort(members, std::greater{}, [&](std::uint32_t f) { return left_[f]; });
    for (const std::uint32_t f : members) {
      if (left_[f] == 0) return false;
      if (work_ == 0 || --work_ == 0) return false;
      --left_[f];
      const auto at = carried_[plane].erase(std::ranges::lower_bound(carried_[plane], f));
      const auto index = at - carried_[plane].begin();
      if (leave_out(plane)) return true;
      carried_[plane].insert(carried_[plane].begin() + index, f);
      ++left_[f];
    }
    return false;
  }

  std::vector<Flows> carried_;       // by plane, ascending
  std::vector<std::uint32_t> left_;  // of each flow: planes that may still leave it out
  Flows all_;
  std::vector<Flows> cores_;
  std::uint64_t work_;
};

}  // namespace

FredTreeRate best_rate(const FredTreeShape& shape, std::span<const Flow> flows, const TreeRouteOptions& options) {
  check_shape(shape);
  FredTreeRate rate{.planes = shape.planes, .worst = 0, .carried_by = {}, .plane = {}, .proven = true, .reason = {}};
  Planes planes(shape.planes, static_cast<std::uint32_t>(flows.size()), options.work_limit);

  // Routes what a plane carries, or knows one core more. What no limit could decide counts as a core, and the answer as unproven.
  const auto routed = [&](const Flows& carried, FredPlane& plane) {
    FredTreeRouting routing = route_tree(shape, flows, carried, options);
    if (auto* found = std::get_if<FredPlane>(&routing)) {
      plane = std::move(*found);
      return true;
    }
    const auto& blocked = std::get<FredTreeBlocked>(routing);
    rate.proven &= blocked.proven;
    if (rate.reason.empty()) rate.reason = blocked.reason;
    planes.know(blocked.flows);
    return false;
  };

  // The smallest number of planes that any flow is left out by
  for (std::uint32_t allowance = 0; allowance <= shape.planes && rate.plane.empty();) {
    if (!planes.choose(allowance)) {
      if (planes.out_of_work())
        throw WorkLimitError(fmt::format("no assignment of {} flows to {} planes was found within {} choices",
                                         flows.size(), shape.planes, options.work_limit));
      ++allowance;
      continue;
    }
    std::vector<FredPlane> found(shape.planes);
    bool all = true;
    for (std::uint32_t p = 0; p < shape.planes && all; ++p) {
      const auto same = std::ranges::find(planes.carried().begin(), planes.carried().begin() + p, planes.carried()[p]);
      if (same != planes.carried().begin() + p)
        found[p] = found[static_cast<std::size_t>(same - planes.carried().begin())];
      else
        all = routed(planes.carried()[p], found[p]);
    }
    if (all) rate.plane = std::move(found);
  }

  // What was left out without need comes back. Here an open question costs a flow a plane, and the worst nothing
  const bool proven = rate.proven;
  for (std::uint32_t p = 0; p < shape.planes; ++p) {
    Flows& carried = planes.carried()[p];
    for (std::uint32_t f = 0; f < flows.size(); ++f) {
      if (std::ranges::binary_search(carried, f)) continue;
      Flows more = carried;
      more.insert(std::ranges::lower_bound(more, f), f);
      if (std::ranges::any_of(planes.cores(), [&](const Flows& core) { return inside(core, more); })) continue;
      if (routed(more, rate.plane[p])) carried = std::move(more);
    }
  }

  rate.proven = proven;
  rate.carried_by.assign(flows.size(), 0);
  for (const Flows& carried : planes.carried())
    for (const std::uint32_t f : carried) ++rate.carried_by[f];
  rate.worst = flows.empty() ? shape.planes : std::ranges::min(rate.carried_by);
  return rate;
}

}  // namespace helio::fabric
