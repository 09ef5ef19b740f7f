// SPDX-License-Identifier: Apache-2.0
#include "schedule/optree.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>

#include <fmt/format.h>

#include "schedule/ring_exchange.h"

namespace helio::schedule {
namespace {

constexpr FactKind kDepthFact = {"depth", "", "optree: stages"};
constexpr FactKind kStepsFormulaFact = {"steps_formula", "", "optree: steps by the published formula"};

constexpr std::int8_t kClockwise = 0, kCounter = 1;
constexpr Position kMostRanks = 4096;  // n(n-1) moves of 48 bytes
constexpr int kDeepest = 64;           // past log2 of any n nothing is left to cut

// Ranks [first, last) in ring order.
struct Arc {
  Position first = 0, last = 0;
  Position length() const { return last - first; }
};

std::vector<Arc> cut(const Arc& arc, Position parts) {
  parts = std::min(parts, arc.length());
  std::vector<Arc> result;
  for (Position i = 0; i < parts; ++i) {
    const auto bound = [&](std::int64_t j) { return arc.first + static_cast<Position>(j * arc.length() / parts); };
    result.push_back({bound(i), bound(i + 1)});
  }
  return result;
}

// The rank of a part that stands in column i: its i-th, or its last where it is short.
Position in_column(const Arc& part, Position i) { return std::min(part.first + i, part.last - 1); }

// One block on one lightpath; `light` numbers (step, wavelength) pairs of the stage.
struct Parcel {
  Position source = 0, destination = 0;
  std::uint32_t block = 0, light = 0;
  std::int8_t direction = 0;
};

using Holdings = std::vector<std::vector<std::uint32_t>>;  // blocks, by rank

// Around the ring: every column is an all-to-all on wavelengths of its own.
std::vector<Parcel> around(const std::vector<Arc>& parts, const Holdings& holds) {
  const auto m = static_cast<std::uint32_t>(parts.size());
  const auto each = static_cast<std::uint32_t>(exchange_wavelengths(m));
  const std::vector<Lightpath> paths = exchange_on_ring(m);
  Position longest = 0;
  for (const Arc& part : parts) longest = std::max(longest, part.length());
  std::vector<Parcel> parcels;
  for (Position i = 0; i < longest; ++i)
    for (const Lightpath& path : paths) {
      if (i >= parts[path.source].length()) continue;
      const Position source = parts[path.source].first + i;
      for (const std::uint32_t block : holds[static_cast<std::size_t>(source)])
        parcels.push_back({source, in_column(parts[path.destination], i), block,
                           static_cast<std::uint32_t>(i) * each + path.wavelength,
                           static_cast<std::int8_t>(path.direction)});
    }
  return parcels;
}

// On an arc, in one direction: intervals by their beginning take the lowest light that is free again, so that as many
// are used as overlap anywhere.
void light_up(std::vector<Parcel>& parcels) {
  const auto low = [](const Parcel& p) { return std::min(p.source, p.destination); };
  const auto high = [](const Parcel& p) { return std::max(p.source, p.destination); };
  std::stable_sort(parcels.begin(), parcels.end(), [&](const Parcel& a, const Parcel& b) { return low(a) < low(b); });
  using Ending = std::pair<Position, std::uint32_t>;
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> lit;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> dark;
  std::uint32_t next = 0;
  for (Parcel& parcel : parcels) {
    while (!lit.empty() && lit.top().first <= low(parcel)) dark.push(lit.top().second), lit.pop();
    if (dark.empty()) dark.push(next++);
    parcel.light = dark.top();
    dark.pop();
    lit.push({high(parcel), parcel.light});
  }
}

std::vector<Parcel> along(const std::vector<Arc>& parts, const Holdings& holds) {
  std::vector<Parcel> both;
  for (const std::int8_t direction : {kClockwise, kCounter}) {
    std::vector<Parcel> parcels;
    for (std::size_t a = 0; a < parts.size(); ++a)
      for (std::size_t b = 0; b < parts.size(); ++b) {
        if (a == b || (a < b) != (direction == kClockwise)) continue;
        for (Position p = parts[a].first; p < parts[a].last; ++p)
          for (const std::uint32_t block : holds[static_cast<std::size_t>(p)])
            parcels.push_back({p, in_column(parts[b], p - parts[a].first), block, 0, direction});
      }
    light_up(parcels);
    both.insert(both.end(), parcels.begin(), parcels.end());
  }
  return both;
}

// Appends a stage, w lights to a step, and hands out what was sent.
void append(std::size_t stage, const std::vector<Parcel>& parcels, std::uint32_t wavelengths, Schedule& schedule,
            Holdings& holds) {
  std::uint32_t lights = 0;
  for (const Parcel& parcel : parcels) lights = std::max(lights, parcel.light + 1);
  const std::size_t before = schedule.phases.size(), steps = (lights + wavelengths - 1) / wavelengths;
  for (std::size_t i = 0; i < steps; ++i)
    schedule.phases.push_back({.name = steps == 1 ? fmt::format("stage {}", stage)
                                                  : fmt::format("stage {}, step {} of {}", stage, i + 1, steps)});
  for (const Parcel& parcel : parcels) {
    schedule.phases[before + parcel.light / wavelengths].moves.push_back(
        {.source = parcel.source,
         .destination = parcel.destination,
         .source_slot = parcel.block,
         .destination_slot = parcel.block,
         .lane = {static_cast<std::int32_t>(parcel.light % wavelengths), 1, parcel.direction}});
    holds[static_cast<std::size_t>(parcel.destination)].push_back(parcel.block);
  }
}

// The fewest parts that leave single ranks after `depth` cuts.
Position parts_for(Position ranks, int depth) {
  const auto leaves = [&](Position parts) {
    double product = 1;
    for (int i = 0; i < depth && product < ranks; ++i) product *= parts;
    return product >= ranks;
  };
  Position parts = 2;
  while (!leaves(parts)) ++parts;
  return parts;
}

Schedule build_optree(const CollectiveRequest& request, const Capabilities& capabilities,
                      const Parameters& parameters) {
  const Position n = request.ranks();
  if (capabilities.wavelengths < 1 || capabilities.directions < 2)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("optree sends on wavelengths in both directions of a ring, and '{}' has {}",
                            capabilities.fabric, capabilities.wavelengths < 1 ? "no wavelengths" : "one direction"),
                "", "use the fabric wdm-ring, or an algorithm that needs no light such as ring or recursive-doubling");
  if (n > kMostRanks)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("optree sends every block to every rank by itself, and {} ranks are too "
                            "many for that: {:.2g} moves",
                            n, 1.0 * n * n),
                "", fmt::format("take at most {} ranks, or an algorithm with fewer moves such as ring", kMostRanks));
  const auto w = static_cast<std::uint32_t>(capabilities.wavelengths);
  const auto ranks = static_cast<std::uint64_t>(n);
  const int depth = parameters.has("depth") ? static_cast<int>(parameters.integer("depth")) : optree_depth(ranks, w);

  // The ring, then arcs within arcs until they are single ranks
  Schedule schedule{.algorithm = "optree",
                    .kind = request.kind,
                    .ranks = n,
                    .root = request.root,
                    .chunks = static_cast<std::uint32_t>(n)};
  Holdings holds(static_cast<std::size_t>(n));
  for (Position p = 0; p < n; ++p) holds[static_cast<std::size_t>(p)] = {static_cast<std::uint32_t>(p)};
  const Position m = parts_for(n, depth);
  std::vector<Arc> arcs = {{0, n}};
  std::size_t stages = 0;
  while (static_cast<Position>(arcs.size()) < n) {
    std::vector<Arc> smaller;
    std::vector<Parcel> parcels;
    for (const Arc& arc : arcs) {
      const std::vector<Arc> parts = cut(arc, m);
      const std::vector<Parcel> sent = stages == 0 ? around(parts, holds) : along(parts, holds);
      parcels.insert(parcels.end(), sent.begin(), sent.end());
      smaller.insert(smaller.end(), parts.begin(), parts.end());
    }
    append(++stages, parcels, w, schedule, holds);
    arcs = std::move(smaller);
  }
  schedule.facts = {{kDepthFact, static_cast<double>(stages)},
                    {kStepsFormulaFact, static_cast<double>(optree_steps(ranks, w, depth))}};
  return schedule;
}

}  // namespace

std::uint64_t optree_steps(std::uint64_t ranks, std::uint64_t wavelengths, int depth) {
  const double steps = (2.0 * depth - 1) * std::pow(static_cast<double>(ranks), 1 + 1.0 / depth) /
                       (8.0 * static_cast<double>(wavelengths));
  return static_cast<std::uint64_t>(
      std::ceil(steps * (1 - 1e-12)));  // a whole number that the power missed is not raised
}

int optree_depth(std::uint64_t ranks, std::uint64_t wavelengths) {
  int best = 1;
  for (int depth = 2; depth <= kDeepest; ++depth)
    if (optree_steps(ranks, wavelengths, depth) < optree_steps(ranks, wavelengths, best)) best = depth;
  return best;
}

std::uint64_t optree_steps(std::uint64_t ranks, std::uint64_t wavelengths) {
  return optree_steps(ranks, wavelengths, optree_depth(ranks, wavelengths));
}

AlgorithmEntry optree() {
  return {{.name = "optree",
           .summary = "all-gather in a few stages on a WDM ring: across arcs first, then within them; one block a step",
           .reference = "Dai et al. 2022, arXiv 2211.15119: step count; stages ours (papers/wrht.md 7.2)",
           .parameters = {{.name = "depth",
                           .type = ParameterType::kInteger,
                           .minimum = "1",
                           .maximum = "64",
                           .description =
                               "stages k, with the fewest parts m such that m^k covers all ranks; unset: the best "
                               "by the published step count",
                           .matters = {.question = "all-gather fabric=wdm-ring nodes=64 bytes=1MB "
                                                   "fabric.wavelengths=8 algorithm=optree",
                                       .other = "1"},
                           .optional = true}},
           .facts = {kDepthFact, kStepsFormulaFact}},
          {.kinds = {Kind::kAllGather}, .build = build_optree}};
}

}  // namespace helio::schedule
