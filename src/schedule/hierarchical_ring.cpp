// SPDX-License-Identifier: Apache-2.0
#include "schedule/hierarchical_ring.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schedule/walk.h"

namespace helio::schedule {
namespace {

// Legal values that an error still lists.
constexpr std::size_t kMostListed = 16;

std::vector<Position> divisors(Position n) {
  std::vector<Position> low, high;
  for (Position d = 1; d <= n / d; ++d)
    if (n % d == 0) {
      low.push_back(d);
      if (d != n / d) high.push_back(n / d);
    }
  low.insert(low.end(), high.rbegin(), high.rend());
  return low;
}

Schedule build_hierarchical_ring(const CollectiveRequest& request, const Capabilities&, const Parameters& parameters) {
  const Position n = request.ranks();
  const Lattice lattice = lattice_of_groups(n, ranks_per_group(n, parameters));
  std::vector<std::size_t> inside_first(lattice.axes().size());
  std::iota(inside_first.begin(), inside_first.end(), std::size_t{0});
  const Share whole = lay_out(lattice, request.kind, std::move(inside_first));

  Schedule schedule{.algorithm = "hierarchical-ring",
                    .kind = request.kind,
                    .ranks = n,
                    .root = request.root,
                    .chunks = static_cast<std::uint32_t>(n)};
  if (lattice.axes().size() == 1) schedule.symmetry = Symmetry::kRotation;
  for (const Action action : {Action::kReduce, Action::kStore}) {
    if (request.kind == (action == Action::kReduce ? Kind::kAllGather : Kind::kReduceScatter)) continue;
    std::vector<Phase> phases = walk_axes(lattice, {&whole, 1}, action, schedule.chunks);
    std::move(phases.begin(), phases.end(), std::back_inserter(schedule.phases));
  }
  return schedule;
}

}  // namespace

Parameter group_parameter(std::string_view algorithm) {
  return {
      .name = "group",
      .type = ParameterType::kInteger,
      .minimum = "1",
      .description =
          "ranks per group, consecutive ones, a divisor of their number; unset: the least one from the square root on",
      .matters = {.arguments =
                      fmt::format("all-reduce --fabric switch --nodes 16 --bytes 1MB --algorithm {}", algorithm),
                  .other = "8"},
      .optional = true};
}

Position ranks_per_group(Position ranks, const Parameters& parameters) {
  const std::vector<Position> legal = divisors(ranks);
  if (!parameters.has("group"))
    return *std::find_if(legal.begin(), legal.end(), [&](Position d) { return d >= ranks / d; });
  const long long group = parameters.integer("group");
  if (group > ranks || ranks % group != 0)
    throw Error(ErrorKind::kInfeasible, fmt::format("groups of {} do not divide {} ranks", group, ranks),
                parameters.place("group"),
                legal.size() > kMostListed
                    ? fmt::format("choose a divisor of {}, such as {}", ranks, legal[legal.size() / 2])
                    : fmt::format("choose one of: {}", fmt::join(legal, ", ")));
  return static_cast<Position>(group);
}

Lattice lattice_of_groups(Position ranks, Position members) {
  std::vector<Axis> axes;
  if (members > 1) axes.push_back({.extent = members, .name = "inside groups"});
  if (members < ranks) axes.push_back({.extent = ranks / members, .name = "across groups"});
  return Lattice(std::move(axes));
}

AlgorithmEntry hierarchical_ring() {
  return {
      {.name = "hierarchical-ring",
       .summary = "rings inside groups, then a ring across for every block; the fewest bytes, about 4 sqrt(n) steps",
       .reference = "Jia et al. 2018; Mikami et al. 2018",
       .parameters = {group_parameter("hierarchical-ring")}},
      {.kinds = {Kind::kAllReduce, Kind::kReduceScatter, Kind::kAllGather}, .build = build_hierarchical_ring}};
}

}  // namespace helio::schedule
