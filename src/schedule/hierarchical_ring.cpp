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

// How many ranks in a row share an instance of the fabric's first part; 0 where runs differ, or there is no part.
Position ranks_side_by_side(const CollectiveRequest& request, const Capabilities& capabilities) {
  if (capabilities.parts.empty()) return 0;
  constexpr std::uint32_t kNone = 0xffffffffu;
  std::vector<std::uint32_t> instance_of(capabilities.nodes, kNone);
  const auto& instances = capabilities.parts.front().instances;
  for (std::uint32_t i = 0; i < instances.size(); ++i)
    for (const std::uint32_t node : instances[i]) instance_of[node] = i;

  const auto side_by_side = [&](NodeId a, NodeId b) {
    return instance_of.at(a.value) != kNone && instance_of[a.value] == instance_of.at(b.value);
  };

  Position members = 0;
  for (const std::vector<NodeId>& group : request.groups)
    for (std::size_t first = 0, last = 0; first < group.size(); first = last) {
      for (last = first + 1; last < group.size() && side_by_side(group[first], group[last]);) ++last;
      const auto run = static_cast<Position>(last - first);
      if (members != 0 && run != members) return 0;
      members = run;
    }
  return members;
}

Schedule build_hierarchical_ring(const CollectiveRequest& request, const Capabilities& capabilities,
                                 const Parameters& parameters) {
  const Position n = request.ranks();
  const Lattice lattice = lattice_of_groups(n, ranks_per_group(request, capabilities, parameters));
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
  return {.name = "group",
          .type = ParameterType::kInteger,
          .minimum = "1",
          .description =
              "ranks per group, consecutive ones, a divisor of their number; unset: those of one server where the "
              "fabric has "
              "servers, else the least one from the square root on",
          .matters = {.question = fmt::format("all-reduce fabric=switch nodes=16 bytes=1MB algorithm={}", algorithm),
                      .other = "8"},
          .optional = true};
}

Position ranks_per_group(const CollectiveRequest& request, const Capabilities& capabilities,
                         const Parameters& parameters) {
  const Position ranks = request.ranks();
  const std::vector<Position> legal = divisors(ranks);
  if (!parameters.has("group")) {
    if (const Position near = ranks_side_by_side(request, capabilities); near > 0) return near;
    return *std::find_if(legal.begin(), legal.end(), [&](Position d) { return d >= ranks / d; });
  }
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
