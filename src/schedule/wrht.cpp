// SPDX-License-Identifier: Apache-2.0
#include "schedule/wrht.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "schedule/fact_kinds.h"
#include "schedule/ring_exchange.h"

namespace helio::schedule {
namespace {

constexpr FactKind kAllToAllFact = {"all_to_all", "", "wrht: whether the last level exchanges all to all"};

constexpr std::int8_t kClockwise = 0, kCounter = 1;

// What the request, the fabric and the parameters come to.
struct Shape {
  long long wavelengths = 0, group = 0, stripe = 1;
  bool shortcut = true, alternate = false, multicast = false;
};

Shape shape_of(const CollectiveRequest& request, const Capabilities& capabilities, const Parameters& parameters) {
  Shape shape{.wavelengths = capabilities.wavelengths,
              .stripe = parameters.integer("stripe"),
              .shortcut = parameters.boolean("shortcut"),
              .alternate = parameters.boolean("alternate"),
              .multicast = parameters.boolean("multicast")};
  if (shape.wavelengths < 1 || capabilities.directions < 2)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("wrht sends on wavelengths in both directions of a ring, and '{}' has {}",
                            capabilities.fabric, shape.wavelengths < 1 ? "no wavelengths" : "one direction"),
                "", "use the fabric wdm-ring, or an algorithm that needs no light such as ring or binary-tree");

  if (shape.multicast && !capabilities.multicasts)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("wrht should broadcast by drop and continue, and '{}' does not", capabilities.fabric),
                parameters.place("multicast"), "set fabric.multicast=true, or leave it out");

  // Either side of a group takes a wavelength for each member
  const long long largest = 2 * shape.wavelengths + 1;
  shape.group = parameters.has("group") ? parameters.integer("group") : largest;
  if (shape.group > largest)
    throw Error(
        ErrorKind::kInfeasible,
        fmt::format("groups of {} need {} wavelengths per direction, one for each member on a side, and there are {}",
                    shape.group, shape.group / 2, shape.wavelengths),
        parameters.place("group"),
        fmt::format("choose a group of at most 2*{}+1 = {}, or raise fabric.wavelengths to {}", shape.wavelengths,
                    largest, shape.group / 2));
  shape.group = std::min<long long>(shape.group, request.ranks());

  // And stripes share what there is
  const long long widest =
      std::min<long long>(shape.wavelengths / (shape.group / 2), std::numeric_limits<std::int16_t>::max());
  if (shape.stripe > widest)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("groups of {} striped {} ways need {} wavelengths per direction, and there are {}",
                            shape.group, shape.stripe, shape.group / 2 * shape.stripe, shape.wavelengths),
                parameters.place("stripe"),
                fmt::format("choose a stripe of at most {}, or a group of at most {}", widest,
                            2 * (shape.wavelengths / shape.stripe) + 1));
  return shape;
}

Lane lane(std::int8_t direction, long long wavelength, long long width) {
  return {static_cast<std::int32_t>(wavelength), static_cast<std::int16_t>(width), direction};
}

// One level: everyone to the middle of its group. Leaves the representatives in `alive`.
Phase gather(std::vector<Position>& alive, const Shape& shape, std::size_t level) {
  Phase phase{.name = fmt::format("gather {}", level)};
  std::vector<Position> representatives;
  const auto group = static_cast<std::size_t>(shape.group);
  for (std::size_t first = 0; first < alive.size(); first += group) {
    const std::size_t length = std::min(group, alive.size() - first), middle = first + length / 2;
    for (std::size_t i = first; i < first + length; ++i) {
      if (i == middle) continue;
      const auto distance = static_cast<long long>(i < middle ? middle - i : i - middle);
      phase.moves.push_back(
          {.source = alive[i],
           .destination = alive[middle],
           .lane = lane(i < middle ? kClockwise : kCounter, (distance - 1) * shape.stripe, shape.stripe),
           .action = Action::kReduce});
    }
    representatives.push_back(alive[middle]);
  }
  alive = std::move(representatives);
  return phase;
}

Phase all_to_all_among(const std::vector<Position>& alive, const Shape& shape) {
  Phase phase{.name = "all-to-all"};
  const auto needed = static_cast<long long>(exchange_wavelengths(alive.size()));
  const long long stripe = std::min(shape.stripe, shape.wavelengths / needed);
  for (const Lightpath& path : exchange_on_ring(static_cast<std::uint32_t>(alive.size())))
    phase.moves.push_back({.source = alive[path.source],
                           .destination = alive[path.destination],
                           .lane = lane(static_cast<std::int8_t>(path.direction), path.wavelength * stripe, stripe),
                           .action = Action::kReduce});
  return phase;
}

// A level taken back: arrows turned round, copies instead of sums, the same light.
Phase broadcast(Phase phase, std::size_t level) {
  phase.name = fmt::format("broadcast {}", level);
  for (Move& move : phase.moves) {
    std::swap(move.source, move.destination);
    move.lane.direction = move.lane.direction == kClockwise ? kCounter : kClockwise;
    move.action = Action::kStore;
  }
  return phase;
}

// The same by drop and continue: one lightpath for each side of a group, as wide as all wavelengths.
Phase multicast(const Phase& gathered, std::size_t level, long long wavelengths, Schedule& schedule) {
  Phase phase{.name = fmt::format("broadcast {}", level)};
  std::map<std::pair<Position, std::int8_t>, std::vector<Position>> sides;  // by representative and the way towards it
  for (const Move& move : gathered.moves) sides[{move.destination, move.lane.direction}].push_back(move.source);
  for (auto& [side, members] : sides) {
    std::sort(members.begin(), members.end());
    const bool single = members.size() == 1;
    if (!single) schedule.sets.push_back(members);
    phase.moves.push_back({.source = side.first,
                           .destination = single ? members.front() : ~static_cast<Position>(schedule.sets.size() - 1),
                           .lane = lane(side.second == kClockwise ? kCounter : kClockwise, 0, wavelengths),
                           .action = Action::kStore});
  }
  return phase;
}

bool may_exchange(std::uint64_t alive, std::uint64_t wavelengths) { return exchange_wavelengths(alive) <= wavelengths; }

Schedule build_wrht(const CollectiveRequest& request, const Capabilities& capabilities, const Parameters& parameters) {
  const Shape shape = shape_of(request, capabilities, parameters);
  Schedule schedule{.algorithm = "wrht", .kind = request.kind, .ranks = request.ranks(), .root = request.root};

  // Up, level by level, until one is left or all that are left can hear each other
  std::vector<Position> alive(static_cast<std::size_t>(request.ranks()));
  std::iota(alive.begin(), alive.end(), 0);
  bool all_to_all = false;
  while (alive.size() > 1 && !all_to_all) {
    all_to_all = shape.shortcut && !schedule.phases.empty() &&
                 may_exchange(alive.size(), static_cast<std::uint64_t>(shape.wavelengths));
    if (!all_to_all) schedule.phases.push_back(gather(alive, shape, schedule.phases.size() + 1));
  }
  const std::size_t levels = schedule.phases.size();
  if (all_to_all) schedule.phases.push_back(all_to_all_among(alive, shape));

  // And down again
  for (std::size_t level = levels; level > 0; --level)
    schedule.phases.push_back(shape.multicast
                                  ? multicast(schedule.phases[level - 1], level, shape.wavelengths, schedule)
                                  : broadcast(schedule.phases[level - 1], level));
  // Every other step counts its wavelengths from the last one down, so that it can be tuned while its neighbours run
  for (std::size_t step = 1; step < schedule.phases.size() && shape.alternate; step += 2)
    for (Move& move : schedule.phases[step].moves)
      move.lane.wavelength = static_cast<std::int32_t>(shape.wavelengths) - move.lane.wavelength - move.lane.width;
  schedule.facts = {{kGroupFact, static_cast<double>(shape.group)},
                    {kStripeFact, static_cast<double>(shape.stripe)},
                    {kLevelsFact, static_cast<double>(levels)},
                    {kAllToAllFact, all_to_all}};
  return schedule;
}

}  // namespace

std::uint64_t wrht_steps(std::uint64_t ranks, std::uint64_t wavelengths, std::uint64_t group, bool shortcut) {
  std::uint64_t levels = 0;
  for (std::uint64_t alive = ranks; alive > 1; alive = (alive + group - 1) / group, ++levels)
    if (shortcut && levels > 0 && may_exchange(alive, wavelengths)) return 2 * levels + 1;
  return 2 * levels;
}

AlgorithmEntry wrht() {
  const std::string example = "all-reduce fabric=wdm-ring nodes=64 bytes=1MB fabric.wavelengths=8 algorithm=wrht";
  return {
      {.name = "wrht",
       .summary = "whole vectors up and down a tree whose groups share wavelengths on a WDM ring; the fewest retunes",
       .reference = "Dai et al. 2022, arXiv 2207.10982; papers/wrht.md 2.2",
       .parameters =
           {{.name = "group",
             .type = ParameterType::kInteger,
             .minimum = "2",
             .description = "members of a group, at most 2w+1 with w wavelengths per direction; unset: that "
                            "many, or all ranks where they are fewer",
             .matters = {.question = example, .other = "3"},
             .optional = true},
            {.name = "stripe",
             .type = ParameterType::kInteger,
             .fallback = "1",
             .minimum = "1",
             .description = "consecutive wavelengths that carry each move, at most floor(w / floor(group/2)); "
                            "the all-to-all step takes fewer where they run out",
             .matters = {.question = fmt::format("{} algorithm.group=5", example), .other = "4"}},
            {.name = "shortcut",
             .type = ParameterType::kBoolean,
             .fallback = "true",
             .description = "whether representatives exchange all-to-all as soon as the wavelengths suffice",
             .matters = {.question = example, .other = "false"}},
            {.name = "multicast",
             .type = ParameterType::kBoolean,
             .fallback = "false",
             .description =
                 "broadcast by drop and continue, one lightpath on all wavelengths for each side of a group; "
                 "needs fabric.multicast",
             .matters = {.question = fmt::format("{} fabric.multicast=true", example), .other = "true"}},
            {.name = "alternate",
             .type = ParameterType::kBoolean,
             .fallback = "false",
             .description =
                 "every other step on the last wavelengths instead of the first; where that leaves a step's light at "
                 "rest before it, fabric.retune_ahead hides its retuning",
             .matters = {.question = fmt::format("{} algorithm.group=3 fabric.retune_ahead=true", example),
                         .other = "true"}}},
       .facts = {kGroupFact, kStripeFact, kLevelsFact, kAllToAllFact}},
      {.kinds = {Kind::kAllReduce}, .build = build_wrht}};
}

}  // namespace helio::schedule
