// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/fred_colouring.h"

#include <algorithm>
#include <numeric>

namespace helio::fabric {
namespace {

constexpr std::uint32_t kNoColour = 0xffffffffu;

class Search {
 public:
  Search(const ColouringProblem& problem, std::uint32_t colours, std::uint64_t& work)
      : problem_(problem),
        colours_(colours),
        work_(work),
        neighbours_(problem.nodes),
        sets_of_(problem.nodes),
        set_used_(problem.sets.size(), true),
        colour_(problem.nodes, kNoColour),
        component_(problem.nodes),
        taken_(static_cast<std::size_t>(problem.nodes) * colours),
        load_(colours) {
    for (const auto& [a, b] : problem.edges) {
      neighbours_[a].push_back(b);
      neighbours_[b].push_back(a);
    }
    for (std::uint32_t s = 0; s < problem.sets.size(); ++s)
      for (const std::uint32_t node : problem.sets[s]) sets_of_[node].push_back(s);
  }

  // Colours the nodes of `present`; sets count when all their nodes are present.
  ColouringOutcome run(const std::vector<std::uint32_t>& present) {
    clear(present);
    for (const std::uint32_t start : present) {
      if (colour_[start] != kNoColour) continue;
      gather(start);
      std::vector<std::uint32_t> seen(colours_, 0);
      if (!extend(0, seen)) return work_ == 0 ? ColouringOutcome::kGaveUp : ColouringOutcome::kImpossible;
    }
    return ColouringOutcome::kFound;
  }

  const std::vector<std::uint32_t>& colours() const { return colour_; }
  const std::vector<std::uint32_t>& failed_component() const { return members_; }
  void use_set(std::uint32_t set, bool used) { set_used_[set] = used; }

 private:
  void clear(const std::vector<std::uint32_t>& present) {
    std::ranges::fill(colour_, kNoColour);
    std::ranges::fill(taken_, 0u);
    std::ranges::fill(load_, 0u);
    std::ranges::fill(component_, kAbsent);
    for (const std::uint32_t node : present) component_[node] = kWaiting;
    set_active_.assign(problem_.sets.size(), true);
    for (std::size_t s = 0; s < problem_.sets.size(); ++s)
      set_active_[s] = set_used_[s] && std::ranges::all_of(problem_.sets[s], [&](std::uint32_t node) {
                         return component_[node] != kAbsent;
                       });
  }

  // Everything that edges and sets tie to `start`.
  void gather(std::uint32_t start) {
    members_.assign(1, start);
    component_[start] = kGathered;
    const auto join = [&](std::uint32_t node) {
      if (component_[node] != kWaiting) return;
      component_[node] = kGathered;
      members_.push_back(node);
    };
    for (std::size_t i = 0; i < members_.size(); ++i) {
      for (const std::uint32_t node : neighbours_[members_[i]]) join(node);
      for (const std::uint32_t set : sets_of_[members_[i]])
        if (set_active_[set]) std::ranges::for_each(problem_.sets[set], join);
    }
  }

  // The rest of the component, `done` of its nodes having colours; `seen` counts those of each colour.
  bool extend(std::size_t done, std::vector<std::uint32_t>& seen) {
    if (done == members_.size()) return true;
    const std::uint32_t node = most_constrained();
    std::vector<std::uint32_t> order;
    for (std::uint32_t c = 0; c < colours_; ++c)
      if (allowed(node, c)) order.push_back(c);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t c) { return load_[c]; });

    bool tried_new = false;
    for (const std::uint32_t c : order) {
      if (seen[c] == 0 && std::exchange(tried_new, true)) continue;
      if (work_ == 0) return false;
      --work_;
      set_colour(node, c, seen, 1);
      if (extend(done + 1, seen)) return true;
      set_colour(node, c, seen, ~0u);
      colour_[node] = kNoColour;
    }
    return false;
  }

  // Fewest colours left; then most neighbours.
  std::uint32_t most_constrained() const {
    std::uint32_t best = kNoColour;
    std::pair<std::uint32_t, std::size_t> best_rank{0, 0};
    for (const std::uint32_t node : members_) {
      if (colour_[node] != kNoColour) continue;
      const auto first = taken_.begin() + static_cast<std::ptrdiff_t>(node) * colours_;
      const auto closed =
          static_cast<std::uint32_t>(std::count_if(first, first + colours_, [](std::uint32_t n) { return n > 0; }));
      const std::pair rank{closed, neighbours_[node].size()};
      if (best == kNoColour || rank > best_rank) best = node, best_rank = rank;
    }
    return best;
  }

  bool allowed(std::uint32_t node, std::uint32_t c) const {
    if (taken_[static_cast<std::size_t>(node) * colours_ + c] > 0) return false;
    return std::ranges::none_of(sets_of_[node], [&](std::uint32_t set) {
      return set_active_[set] && std::ranges::all_of(problem_.sets[set], [&](std::uint32_t other) {
               return other == node || colour_[other] == c;
             });
    });
  }

  void set_colour(std::uint32_t node, std::uint32_t c, std::vector<std::uint32_t>& seen, std::uint32_t change) {
    colour_[node] = c;
    seen[c] += change;
    load_[c] += change * (problem_.weights.empty() ? 1 : problem_.weights[node]);
    for (const std::uint32_t other : neighbours_[node])
      taken_[static_cast<std::size_t>(other) * colours_ + c] += change;
  }

  enum : std::uint8_t { kAbsent, kWaiting, kGathered };

  const ColouringProblem& problem_;
  std::uint32_t colours_;
  std::uint64_t& work_;
  std::vector<std::vector<std::uint32_t>> neighbours_, sets_of_;
  std::vector<char> set_used_, set_active_;
  std::vector<std::uint32_t> colour_;
  std::vector<std::uint8_t> component_;
  std::vector<std::uint32_t> taken_;  // for node and colour: neighbours that have it
  std::vector<std::uint32_t> load_;   // of colours, over all components
  std::vector<std::uint32_t> members_;
};

// Leaves out nodes, in large pieces first, then sets, while nothing can be coloured still.
ColouringOutcome shrink(Search& search, const ColouringProblem& problem, Colouring& result) {
  std::vector<std::uint32_t> core = search.failed_component();
  std::ranges::sort(core);
  for (std::size_t piece = std::max<std::size_t>(core.size() / 2, 1); piece > 0; piece /= 2)
    for (std::size_t at = 0; at < core.size();) {
      std::vector<std::uint32_t> fewer = core;
      const auto first = fewer.begin() + static_cast<std::ptrdiff_t>(at);
      fewer.erase(first, first + static_cast<std::ptrdiff_t>(std::min(piece, core.size() - at)));
      const ColouringOutcome outcome = search.run(fewer);
      if (outcome == ColouringOutcome::kGaveUp) return outcome;
      if (outcome == ColouringOutcome::kImpossible)
        core = std::move(fewer);
      else
        at += piece;
    }

  for (std::uint32_t s = 0; s < problem.sets.size(); ++s) {
    const bool inside = std::ranges::all_of(problem.sets[s],
                                            [&](std::uint32_t node) { return std::ranges::binary_search(core, node); });
    if (!inside) continue;
    search.use_set(s, false);
    const ColouringOutcome outcome = search.run(core);
    if (outcome == ColouringOutcome::kGaveUp) return outcome;
    if (outcome == ColouringOutcome::kImpossible) continue;
    search.use_set(s, true);
    result.core_sets.push_back(s);
  }
  result.core = std::move(core);
  return ColouringOutcome::kImpossible;
}

}  // namespace

Colouring colour(const ColouringProblem& problem, std::uint32_t colours, std::uint64_t& work) {
  Colouring result;
  const std::uint64_t before = work;
  Search search(problem, colours, work);
  std::vector<std::uint32_t> all(problem.nodes);
  std::iota(all.begin(), all.end(), 0u);
  result.outcome = search.run(all);
  result.tried = before - work;
  if (result.outcome == ColouringOutcome::kFound) result.colours = search.colours();
  if (result.outcome == ColouringOutcome::kImpossible) result.outcome = shrink(search, problem, result);
  return result;
}

}  // namespace helio::fabric
