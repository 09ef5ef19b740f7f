// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/fred_router.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "fabric/fred/fred_colouring.h"

namespace helio::fabric {
namespace {

enum class Fit { kYes, kNo, kUnknown };

// Gives flows their colours, level by level, and remembers what was found impossible.
class Router {
 public:
  Router(const FredSwitch& fred, std::span<const Flow> flows, std::uint64_t work)
      : fred_(fred),
        flows_(flows),
        colours_(flows.size()),
        work_(work),
        obstacles_at_(fred.levels() + 1),
        owner_(fred.ports()) {
    for (auto& path : colours_) path.assign(fred.levels(), 0);
  }

  // All `members` into one switch of `level`. Requires: no two of them share a port there.
  Fit place(std::uint32_t level, const std::vector<std::uint32_t>& members) {
    // As many middle switches as flows: one each, all the way down
    if (level == fred_.levels()) return Fit::kYes;
    if (members.size() <= fred_.middles()) {
      for (std::uint32_t i = 0; i < members.size(); ++i) {
        auto& path = colours_[members[i]];
        std::fill(path.begin() + level, path.end(), 0u);
        path[level] = i;
      }
      return Fit::kYes;
    }

    for (;;) {
      // Colours that this level and all that is known of the next one allow
      std::vector<std::uint32_t> sets;
      const ColouringProblem problem = conflicts(level, members, sets);
      const Colouring colouring = colour(problem, fred_.middles(), work_);
      if (colouring.outcome == ColouringOutcome::kGaveUp) return Fit::kUnknown;
      if (colouring.outcome == ColouringOutcome::kImpossible) {
        remember(level, members, problem, colouring, sets);
        return Fit::kNo;
      }

      // Each colour into its middle switch; what does not fit there is known from now on
      std::vector<std::vector<std::uint32_t>> classes(fred_.middles());
      for (std::uint32_t i = 0; i < members.size(); ++i) {
        colours_[members[i]][level] = colouring.colours[i];
        classes[colouring.colours[i]].push_back(members[i]);
      }
      bool all_fit = true;
      for (const auto& together : classes) {
        const Fit fit = together.empty() ? Fit::kYes : place(level + 1, together);
        if (fit == Fit::kUnknown) return fit;
        all_fit &= fit == Fit::kYes;
      }
      if (all_fit) return Fit::kYes;
    }
  }

  std::vector<std::vector<std::uint32_t>> take_colours() { return std::move(colours_); }
  std::uint64_t work_left() const { return work_; }

  // The last obstacle and what it uses, directly or not, renumbered.
  std::vector<Obstacle> proof() const {
    std::vector<bool> needed(obstacles_.size(), false);
    needed.back() = true;
    for (std::size_t i = obstacles_.size(); i-- > 0;)
      if (needed[i])
        for (const std::uint32_t used : obstacles_[i].uses) needed[used] = true;
    std::vector<std::uint32_t> number(obstacles_.size());
    std::vector<Obstacle> kept;
    for (std::size_t i = 0; i < obstacles_.size(); ++i) {
      if (!needed[i]) continue;
      number[i] = static_cast<std::uint32_t>(kept.size());
      kept.push_back(obstacles_[i]);
      for (std::uint32_t& used : kept.back().uses) used = number[used];
    }
    return kept;
  }

 private:
  // The conflict graph of a switch of `level`, and the obstacles of the next level as sets.
  ColouringProblem conflicts(std::uint32_t level, const std::vector<std::uint32_t>& members,
                             std::vector<std::uint32_t>& sets) {
    ColouringProblem problem{.nodes = static_cast<std::uint32_t>(members.size())};
    problem.weights.assign(members.size(), 0);

    // An edge element has two ports, hence at most two owners
    const auto visit = [&](std::vector<std::uint32_t> Flow::*side) {
      std::fill_n(owner_.begin(), (fred_.ports_at(level) + 1) / 2, kNobody);
      for (std::uint32_t i = 0; i < members.size(); ++i)
        for (const std::uint32_t port : flows_[members[i]].*side) {
          std::uint32_t& owner = owner_[port >> (level + 1)];
          if (owner == i) continue;
          ++problem.weights[i];
          if (owner != kNobody) problem.edges.emplace_back(owner, i);
          owner = i;
        }
    };
    visit(&Flow::inputs);
    visit(&Flow::outputs);
    std::ranges::sort(problem.edges);
    problem.edges.erase(std::unique(problem.edges.begin(), problem.edges.end()), problem.edges.end());

    for (const std::uint32_t known : obstacles_at_[level + 1]) {
      const std::vector<std::uint32_t>& set = obstacles_[known].flows;
      std::vector<std::uint32_t> local;
      for (std::uint32_t i = 0; i < members.size(); ++i)
        if (std::ranges::binary_search(set, members[i])) local.push_back(i);
      if (local.size() != set.size()) continue;
      problem.sets.push_back(std::move(local));
      sets.push_back(known);
    }
    return problem;
  }

  void remember(std::uint32_t level, const std::vector<std::uint32_t>& members, const ColouringProblem& problem,
                const Colouring& colouring, const std::vector<std::uint32_t>& sets) {
    Obstacle obstacle{.level = level, .tried = colouring.tried};
    for (const std::uint32_t i : colouring.core) obstacle.flows.push_back(members[i]);
    std::ranges::sort(obstacle.flows);
    for (const std::uint32_t s : colouring.core_sets) obstacle.uses.push_back(sets[s]);

    const auto inside = [&](std::uint32_t i) { return std::ranges::binary_search(colouring.core, i); };
    const auto edges = static_cast<std::size_t>(std::ranges::count_if(
        problem.edges, [&](const auto& edge) { return inside(edge.first) && inside(edge.second); }));
    const std::size_t n = colouring.core.size();
    if (obstacle.uses.empty() && n == fred_.middles() + 1 && edges == n * (n - 1) / 2)
      obstacle.kind = ObstacleKind::kClique;
    else if (obstacle.uses.empty() && fred_.middles() == 2)
      obstacle.kind = ObstacleKind::kOddCycle;

    obstacles_at_[level].push_back(static_cast<std::uint32_t>(obstacles_.size()));
    obstacles_.push_back(std::move(obstacle));
  }

  static constexpr std::uint32_t kNobody = 0xffffffffu;

  const FredSwitch& fred_;
  std::span<const Flow> flows_;
  std::vector<std::vector<std::uint32_t>> colours_;
  std::uint64_t work_;
  std::vector<Obstacle> obstacles_;
  std::vector<std::vector<std::uint32_t>> obstacles_at_;  // by level
  std::vector<std::uint32_t> owner_;                      // of edge elements: the member seen last
};

// Turns colours into settings: a flow enters its middle switch through every edge element that it has a port on.
std::vector<MicroSetting> settings_of(const FredSwitch& fred, std::span<const Flow> flows,
                                      const std::vector<std::vector<std::uint32_t>>& colours) {
  std::vector<MicroSetting> settings(fred.micro_switches().size());
  for (std::size_t f = 0; f < flows.size(); ++f) {
    std::uint32_t stage = 0;
    for (std::uint32_t l = 0; l < fred.levels(); ++l) {
      const std::uint32_t colour = colours[f][l];
      for (const std::uint32_t port : flows[f].inputs)
        settings[fred.input_side(l, stage, port >> (l + 1))].lane[port >> l & 1] = colour;
      for (const std::uint32_t port : flows[f].outputs)
        settings[fred.output_side(l, stage, port >> (l + 1))].lane[port >> l & 1] = colour;
      stage = stage * fred.middles() + colour;
    }
    std::uint32_t added = 0;
    for (const std::uint32_t port : flows[f].inputs) added |= 1u << (port >> fred.levels());
    for (const std::uint32_t port : flows[f].outputs) settings[fred.middle(stage)].lane[port >> fred.levels()] = added;
  }
  return settings;
}

}  // namespace

void check_flows(std::uint32_t ports, std::span<const Flow> flows) {
  constexpr std::size_t kFree = ~std::size_t{0};
  const auto check_side = [&](std::vector<std::uint32_t> Flow::*side, std::string_view name) {
    std::vector<std::size_t> owner(ports, kFree);
    for (std::size_t f = 0; f < flows.size(); ++f) {
      if ((flows[f].*side).empty())
        throw Error(ErrorKind::kInput, fmt::format("flow {} has no {} port", f, name), {},
                    "give each flow an input and an output");
      for (const std::uint32_t port : flows[f].*side) {
        if (port >= ports)
          throw Error(ErrorKind::kInput,
                      fmt::format("flow {} names {} port {}, and the switch has {} ports", f, name, port, ports), {},
                      fmt::format("ports are numbered from 0 to {}", ports - 1));
        if (owner[port] == f)
          throw Error(ErrorKind::kInput, fmt::format("flow {} names {} port {} twice", f, name, port), {},
                      "name it once");
        if (owner[port] != kFree)
          throw Error(ErrorKind::kInput,
                      fmt::format("flows {} and {} both name {} port {}", owner[port], f, name, port), {},
                      "flows that are carried at once have ports of their own; carry these one after the other");
        owner[port] = f;
      }
    }
  };
  check_side(&Flow::inputs, "input");
  check_side(&Flow::outputs, "output");
}

FredRouting route(const FredSwitch& fred, std::span<const Flow> flows, const RouteOptions& options) {
  check_flows(fred.ports(), flows);
  std::vector<std::uint32_t> all(flows.size());
  std::iota(all.begin(), all.end(), 0u);
  Router router(fred, flows, options.work_limit);
  const Fit fit = router.place(0, all);
  const std::uint64_t tried = options.work_limit - router.work_left();

  if (fit == Fit::kUnknown)
    return FredBlocked{
        .proven = false,
        .reason = fmt::format("no routing was found within {} choices, and none was excluded", options.work_limit),
        .tried = tried};
  if (fit == Fit::kNo) {
    FredBlocked blocked{.proof = router.proof(), .tried = tried};
    blocked.flows = blocked.proof.back().flows;
    blocked.reason = explain(blocked.proof, flows, fred.ports(), fred.middles());
    return blocked;
  }
  FredConfiguration configuration{.colours = router.take_colours(), .tried = tried};
  configuration.settings = settings_of(fred, flows, configuration.colours);
  return configuration;
}

}  // namespace helio::fabric
