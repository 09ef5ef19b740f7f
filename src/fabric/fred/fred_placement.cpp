// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/fred_placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "base/error.h"
#include "base/random.h"
#include "fabric/fred/fred_tree_rate.h"

namespace helio::fabric {
namespace {

using Nodes = std::vector<std::uint32_t>;

struct Candidate {
  std::string how;
  Nodes place;
};

// How far a placement is from routing everything.
struct Verdict {
  std::size_t left_out = 0;  // flows that had to go until the rest of their phase routed
  Nodes troubled;            // ranks of the flows that blocked
};

// Places NPUs per L1; a flat switch is one L1.
std::uint32_t l1_size(const FredTarget& target) {
  const auto* tree = std::get_if<FredTreeShape>(&target);
  return tree ? tree->npus : std::get<FredFlat>(target).ports;
}

// A smallest set of flows that does not fit, or nothing when all do.
std::optional<Nodes> blocked_flows(const FredTarget& target, const FredPhaseFlows& flows,
                                   const TreeRouteOptions& options) {
  if (const auto* tree = std::get_if<FredTreeShape>(&target)) {
    const FredTreeRouting routing = route_tree(*tree, flows, options);
    if (const auto* blocked = std::get_if<FredTreeBlocked>(&routing)) return blocked->flows;
    return {};
  }
  const auto& flat = std::get<FredFlat>(target);
  const FredRouting routing = route(FredSwitch(flat.ports, flat.middles), flows, options.chip);
  const auto* blocked = std::get_if<FredBlocked>(&routing);
  if (!blocked) return {};
  if (blocked->proven) return blocked->flows;
  Nodes all(flows.size());
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

Verdict judge(const FredTarget& target, std::span<const FredPhaseFlows> phases, const Nodes& place,
              const TreeRouteOptions& options) {
  Verdict verdict;
  for (const FredPhaseFlows& phase : phases) {
    FredPhaseFlows original = phase, flows;
    for (const Flow& flow : phase) flows.push_back(moved(flow, place));
    while (const auto blocked = blocked_flows(target, flows, options)) {
      for (const std::uint32_t f : *blocked)
        for (const auto* side : {&original[f].inputs, &original[f].outputs})
          std::ranges::copy_if(*side, std::back_inserter(verdict.troubled),
                               [&](std::uint32_t end) { return end < place.size(); });
      const auto gone = static_cast<std::ptrdiff_t>(blocked->back());
      flows.erase(flows.begin() + gone);
      original.erase(original.begin() + gone);
      ++verdict.left_out;
    }
  }
  return verdict;
}

double rate_of(const FredTarget& target, const FredPhaseFlows& flows, const TreeRouteOptions& options) {
  if (const auto* tree = std::get_if<FredTreeShape>(&target)) return best_rate(*tree, flows, options).rate();
  return blocked_flows(target, flows, options) ? 0 : 1;
}

// Why no placement whatever routes a phase: flows of more nodes than an L1 has must cross, wherever they are. "" when this count
// does not show it.
std::string excluded(const FredTarget& target, std::span<const FredPhaseFlows> phases) {
  const auto* tree = std::get_if<FredTreeShape>(&target);
  if (!tree) return "";
  for (const FredPhaseFlows& phase : phases)
    for (const auto side : {&Flow::inputs, &Flow::outputs}) {
      std::vector<std::size_t> spans;
      for (const Flow& flow : phase)
        if ((flow.*side).size() > tree->npus) spans.push_back(((flow.*side).size() + tree->npus - 1) / tree->npus);
      std::ranges::sort(spans);
      std::size_t most = 0, filled = 0;
      while (most < spans.size() && filled + spans[most] <= tree->l2_ports()) filled += spans[most++];
      if (most * tree->chips_per_plane < spans.size())
        return fmt::format(
            "wherever they are, {} flows of one phase have more NPUs than an L1 group and take {} or more links of an "
            "L2 "
            "chip each; a chip has {}, so {} chips carry at most {}",
            spans.size(), spans.front(), tree->l2_ports(), tree->chips_per_plane, most * tree->chips_per_plane);
    }
  return "";
}

// Tries candidates in order, then swaps from the best of them on.
FredPlacement search(const FredTarget& target, std::span<const FredPhaseFlows> phases,
                     const std::vector<Candidate>& candidates, const PlacementOptions& options) {
  FredPlacement result;
  Candidate best;
  std::optional<Verdict> verdict;
  for (const Candidate& candidate : candidates) {
    Verdict other = judge(target, phases, candidate.place, options.route);
    ++result.tried;
    if (verdict && other.left_out >= verdict->left_out) continue;
    best = candidate;
    verdict = std::move(other);
    if (verdict->left_out == 0) break;
  }

  // A node in trouble changes its place with any other, kept when nothing gets worse. Places beyond the ranks are empty
  const std::string reason = verdict->left_out == 0 ? "" : excluded(target, phases);
  Random random(options.seed);
  Nodes occupied = best.place;
  const auto ranks = static_cast<std::uint32_t>(occupied.size());
  for (std::uint32_t p = 0; p < places(target); ++p)
    if (std::ranges::find(best.place, p) == best.place.end()) occupied.push_back(p);
  std::uint32_t swaps = 0;
  for (; reason.empty() && verdict->left_out > 0 && swaps < options.swaps && !verdict->troubled.empty(); ++swaps) {
    const std::uint32_t one = verdict->troubled[random.below(verdict->troubled.size())];
    const std::uint64_t other_place = random.below(occupied.size());
    std::swap(occupied[one], occupied[other_place]);
    Nodes place(occupied.begin(), occupied.begin() + ranks);
    Verdict other = judge(target, phases, place, options.route);
    ++result.tried;
    if (other.left_out > verdict->left_out) {
      std::swap(occupied[one], occupied[other_place]);
      continue;
    }
    verdict = std::move(other);
    best = {fmt::format("local search, seed {}, {} swaps tried", options.seed, swaps + 1), std::move(place)};
  }

  result.how = best.how;
  result.place = best.place;
  if (verdict->left_out > 0) {
    result.outcome = reason.empty() ? PlacementOutcome::kNotFound : PlacementOutcome::kImpossible;
    result.reason = !reason.empty() ? reason
                                    : fmt::format(
                                          "none of {} structured placements and {} swaps (seed {}) routes "
                                          "every phase; that there is none is not shown",
                                          candidates.size(), swaps, options.seed);
  }
  for (const FredPhaseFlows& phase : phases) {
    FredPhaseFlows flows;
    for (const Flow& flow : phase) flows.push_back(moved(flow, best.place));
    result.rates.push_back(verdict->left_out == 0 ? 1 : rate_of(target, flows, options.route));
  }
  return result;
}

// Blocks of so many numbers kept whole inside L1s, or begun at the border of one when larger: where number i goes.
std::uint32_t with_blocks_whole(std::uint32_t i, std::uint32_t block, std::uint32_t l1) {
  const std::uint32_t which = i / block, inside = i % block;
  if (block > l1) return which * ((block + l1 - 1) / l1 * l1) + inside;
  const std::uint32_t per_l1 = l1 / block;
  return which / per_l1 * l1 + which % per_l1 * block + inside;
}

// The paper's order first, then the others; each dense, with blocks of its first dimension whole, and of its first two.
std::vector<Candidate> orders(const FredTarget& target, std::array<std::uint32_t, 3> sizes) {
  constexpr const char* kNames[] = {"mp", "pp", "dp"};  // sizes in this order: the paper's, fastest first
  const std::uint32_t ranks = sizes[0] * sizes[1] * sizes[2];
  std::vector<Candidate> list;
  std::array<int, 3> order{0, 1, 2};
  for (const int whole : {0, 1, 2}) {
    std::ranges::sort(order);
    do {
      std::uint32_t block = 1;
      for (int i = 0; i < whole; ++i) block *= sizes[order[i]];
      const std::string name = fmt::format("{}-{}-{}", kNames[order[0]], kNames[order[1]], kNames[order[2]]);
      Candidate candidate{
          whole == 0 ? (list.empty() ? "paper" : name + ", dense") : fmt::format("{}, blocks of {} whole", name, block),
          Nodes(ranks)};
      for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        const std::array at{rank % sizes[0], rank / sizes[0] % sizes[1], rank / sizes[0] / sizes[1]};
        const std::uint32_t number = at[order[0]] + sizes[order[0]] * (at[order[1]] + sizes[order[1]] * at[order[2]]);
        candidate.place[rank] = with_blocks_whole(number, block, l1_size(target));
      }
      const bool fits = std::ranges::max(candidate.place) < places(target);
      if (fits && std::ranges::find(list, candidate.place, &Candidate::place) == list.end())
        list.push_back(std::move(candidate));
    } while (std::ranges::next_permutation(order).found);
  }
  return list;
}

// The nodes of one phase's flows packed into L1s, the largest flow first: whole L1s, then the fullest with room, then anywhere.
Candidate packed(const FredTarget& target, const FredPhaseFlows& phase, std::string how) {
  const std::uint32_t l1 = l1_size(target), l1s = places(target) / l1;
  Candidate candidate{std::move(how), Nodes(places(target), kNoLink)};
  Nodes used(l1s, 0);
  const auto put = [&](std::uint32_t node, std::uint32_t group) { candidate.place[node] = group * l1 + used[group]++; };
  std::vector<Nodes> sets;
  std::vector<bool> named(places(target), false);
  for (const Flow& flow : phase) {
    sets.emplace_back();
    for (const auto* side : {&flow.inputs, &flow.outputs})
      for (const std::uint32_t node : *side)
        if (node < places(target) && !named[node]) named[node] = true, sets.back().push_back(node);
  }
  std::ranges::stable_sort(sets, std::greater{}, &Nodes::size);
  for (std::uint32_t node = 0; node < places(target); ++node)
    if (!named[node]) sets.push_back({node});
  for (const Nodes& set : sets)
    for (std::size_t done = 0; done < set.size();) {
      const auto rest = static_cast<std::uint32_t>(set.size() - done);
      const std::uint32_t wanted = std::min(rest, l1);
      std::optional<std::uint32_t> best, roomiest;
      for (std::uint32_t g = 0; g < l1s; ++g) {
        if (used[g] + wanted <= l1 && (!best || used[g] > used[*best])) best = g;
        if (used[g] < l1 && (!roomiest || used[g] < used[*roomiest])) roomiest = g;
      }
      const std::uint32_t group = best ? *best : *roomiest;
      for (std::uint32_t room = std::min(rest, l1 - used[group]); room > 0; --room) put(set[done++], group);
    }
  return candidate;
}

void check_target(const FredTarget& target) {
  if (const auto* tree = std::get_if<FredTreeShape>(&target)) return check_shape(*tree);
  fred_census(std::get<FredFlat>(target).ports, std::get<FredFlat>(target).middles);
}

}  // namespace

std::uint32_t places(const FredTarget& target) {
  const auto* tree = std::get_if<FredTreeShape>(&target);
  return tree ? tree->places() : std::get<FredFlat>(target).ports;
}

FredPlacement place_ranks(const FredTarget& target, const std::array<std::uint32_t, 3>& extents,
                          std::span<const FredPhaseFlows> phases, const PlacementOptions& options) {
  check_target(target);
  std::uint32_t room = places(target);
  for (const std::uint32_t extent : extents) {
    if (extent == 0 || extent > room)
      throw Error(ErrorKind::kInput,
                  fmt::format("ranks of {}x{}x{} do not stand on {} places", extents[0], extents[1], extents[2],
                              places(target)),
                  {}, "give one or more in each dimension, and as many places");
    room /= extent;
  }
  return search(target, phases, orders(target, extents), options);
}

FredPlacement replace_flows(const FredTarget& target, std::span<const FredPhaseFlows> phases,
                            const PlacementOptions& options) {
  check_target(target);
  const auto* tree = std::get_if<FredTreeShape>(&target);
  for (const FredPhaseFlows& phase : phases) check_flows(tree ? tree->ends() : places(target), phase);
  std::vector<Candidate> candidates{{"as it is", Nodes(places(target))}};
  std::iota(candidates[0].place.begin(), candidates[0].place.end(), 0u);
  for (std::size_t i = 0; i < phases.size(); ++i)
    candidates.push_back(packed(target, phases[i], fmt::format("flows of phase {} packed into L1s", i)));
  return search(target, phases, candidates, options);
}

Flow moved(const Flow& flow, std::span<const std::uint32_t> place) {
  return {moved(flow.inputs, place), moved(flow.outputs, place)};
}

std::vector<std::uint32_t> moved(std::span<const std::uint32_t> nodes, std::span<const std::uint32_t> place) {
  std::vector<std::uint32_t> there;
  for (const std::uint32_t node : nodes) there.push_back(node < place.size() ? place[node] : node);
  return there;
}

}  // namespace helio::fabric
