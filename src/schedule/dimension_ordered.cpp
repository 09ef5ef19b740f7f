// SPDX-License-Identifier: Apache-2.0
#include "schedule/dimension_ordered.h"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schedule/walk.h"

namespace helio::schedule {
namespace {

// The extents of the box of the grid that a group fills in the order of its nodes; empty when it does not.
std::vector<Position> box_of(const std::vector<NodeId>& group, const std::vector<long long>& dimensions) {
  // Its shadow on every dimension
  std::vector<std::set<long long>> shadows(dimensions.size());
  for (const NodeId node : group) {
    long long rest = node.value;
    for (std::size_t d = 0; d < dimensions.size(); rest /= dimensions[d], ++d) shadows[d].insert(rest % dimensions[d]);
  }
  std::vector<Position> extents;
  std::size_t volume = 1;
  for (const auto& shadow : shadows) {
    extents.push_back(static_cast<Position>(shadow.size()));
    volume *= shadow.size();
    const bool gaps = *shadow.rbegin() - *shadow.begin() + 1 != static_cast<long long>(shadow.size());
    if (gaps || volume > group.size()) return {};
  }

  // As many nodes as the box has, all in it, and in order: then they are all of it
  if (volume != group.size() || !std::is_sorted(group.begin(), group.end())) return {};
  return extents;
}

// The box that all groups of the request are, each in its place.
std::vector<Position> box_of(const CollectiveRequest& request, const Capabilities& capabilities) {
  const std::string advice =
      "take an algorithm that asks for no grid, such as ring, bidirectional-ring or hierarchical-ring";
  if (capabilities.adjacency != Adjacency::kGrid || capabilities.dimensions.empty())
    throw Error(
        ErrorKind::kInfeasible,
        fmt::format("dimension-ordered {} needs a grid, and '{}' is none", name_of(request.kind), capabilities.fabric),
        "", "use the fabric torus or mesh, or " + advice);
  std::vector<Position> box;
  for (std::size_t g = 0; g < request.groups.size(); ++g) {
    const std::vector<Position> own = box_of(request.groups[g], capabilities.dimensions);
    if (own.empty() || (g > 0 && own != box))
      throw Error(
          ErrorKind::kInfeasible,
          fmt::format("group {} is no box of the {} grid{}", g, fmt::join(capabilities.dimensions, "x"),
                      own.empty() ? ", in the order of its nodes" : " of the shape of group 0"),
          "", "let every group be the grid, or rows or planes of one shape, nodes in increasing order, or " + advice);
    box = own;
  }
  return box;
}

Schedule build_dimension_ordered(const CollectiveRequest& request, const Capabilities& capabilities,
                                 const Parameters& parameters) {
  // The dimensions that the group has more than one rank in; those that close are rings, others lines
  const std::vector<Position> box = box_of(request, capabilities);
  std::vector<Axis> axes;
  bool all_close = true;
  for (std::size_t d = 0; d < box.size(); ++d) {
    if (box[d] == 1) continue;
    const bool closes = capabilities.wraps && box[d] == capabilities.dimensions[d];
    axes.push_back({.extent = box[d], .name = fmt::format("dimension {}", d), .folded = !closes});
    all_close = all_close && closes;
  }
  const Lattice lattice(std::move(axes));

  // A share for every dimension to begin in, and every direction
  const std::size_t dimensions = lattice.axes().size();
  const bool both_ways = parameters.has("bidirectional") ? parameters.boolean("bidirectional") : all_close;
  const auto number = static_cast<std::uint32_t>(dimensions * (both_ways ? 2 : 1));
  std::vector<Share> shares;
  for (std::size_t begin = 0; begin < dimensions; ++begin)
    for (int direction = +1; direction >= (both_ways ? -1 : +1); direction -= 2) {
      std::vector<std::size_t> order;
      for (std::size_t i = 0; i < dimensions; ++i) order.push_back((begin + i) % dimensions);
      shares.push_back(lay_out(lattice, request.kind, std::move(order), direction,
                               static_cast<std::uint32_t>(shares.size()), number));
    }

  Schedule schedule{.algorithm = "dimension-ordered",
                    .kind = request.kind,
                    .ranks = request.ranks(),
                    .root = request.root,
                    .chunks = number * static_cast<std::uint32_t>(request.ranks())};
  if (dimensions == 1 && all_close) schedule.symmetry = Symmetry::kRotation;
  for (const Action action : {Action::kReduce, Action::kStore}) {
    if (request.kind == (action == Action::kReduce ? Kind::kAllGather : Kind::kReduceScatter)) continue;
    std::vector<Phase> phases = walk_axes(lattice, shares, action, schedule.chunks);
    std::move(phases.begin(), phases.end(), std::back_inserter(schedule.phases));
  }
  return schedule;
}

}  // namespace

AlgorithmEntry dimension_ordered() {
  return {
      {.name = "dimension-ordered",
       .summary = "on a mesh or torus, rings along each dimension in turn, all dimensions at once; the fewest bytes",
       .reference = "Barnett et al. 1995; Jain & Sabharwal 2010",
       .parameters = {{.name = "bidirectional",
                       .type = ParameterType::kBoolean,
                       .description =
                           "whether half of each share goes round each way; unset: where every dimension closes "
                           "(torus), not along lines (mesh), whose folded ring uses both directions already",
                       .matters = {.arguments =
                                       "all-reduce --fabric torus --nodes 16 --set fabric.dimensions=4x4 --bytes 1MB "
                                       "--algorithm dimension-ordered",
                                   .other = "false"},
                       .optional = true}}},
      {.kinds = {Kind::kAllReduce, Kind::kReduceScatter, Kind::kAllGather}, .build = build_dimension_ordered}};
}

}  // namespace helio::schedule
