// SPDX-License-Identifier: Apache-2.0
#include "schedule/dimension_ordered.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schedule/walk.h"

namespace helio::schedule {
namespace {

constexpr FactKind kSplitFact = {"split", "",
                                 "dimension-ordered: shares of the vector by the dimension in which they start"};

constexpr std::uint32_t kMostWeight = 1000;
constexpr std::uint64_t kMostSlots = 1u << 31;

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

// The weight of the shares that begin in each of the dimensions, in lowest terms.
std::vector<std::uint32_t> split_of(const Parameters& parameters, std::size_t dimensions) {
  if (!parameters.has("split")) return std::vector<std::uint32_t>(dimensions, 1);
  const std::string& text = parameters.text("split");
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::kInput, fmt::format("split '{}' {}", text, what), parameters.place("split"),
                fmt::format("give {} integers from 1 to {} with colons between them, such as {}", dimensions,
                            kMostWeight, fmt::join(std::vector<int>(dimensions, 1), ":")));
  };
  std::vector<std::uint32_t> weights;
  for (const char *at = text.data(), *end = at + text.size();;) {
    std::uint32_t weight = 0;
    const auto [next, fault] = std::from_chars(at, end, weight);
    if (fault != std::errc() || weight < 1 || weight > kMostWeight || (next != end && *next != ':'))
      refuse("is no list of weights");
    weights.push_back(weight);
    if (next == end) break;
    at = next + 1;
  }
  if (weights.size() != dimensions)
    refuse(fmt::format("has {} weights, and the group {} dimensions", weights.size(), dimensions));
  std::uint32_t divisor = 0;
  for (const std::uint32_t weight : weights) divisor = std::gcd(divisor, weight);
  for (std::uint32_t& weight : weights) weight /= divisor;
  return weights;
}

// Every slot of share s becomes widths[s] slots: in a range of its own where shares lie apart, in its part of a rank's block
// where they lie by rank (lattice.h).
void widen(Schedule& schedule, const std::vector<std::uint32_t>& widths, bool apart) {
  const auto n = static_cast<std::uint32_t>(schedule.ranks), shares = static_cast<std::uint32_t>(widths.size());
  std::vector<std::uint32_t> before(shares, 0);
  std::partial_sum(widths.begin(), widths.end() - 1, before.begin() + 1);
  const std::uint32_t all = before.back() + widths.back();
  if (std::uint64_t{all} * n >= kMostSlots)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("a split into {} parts on {} ranks is {:.2g} slots", all, n, 1.0 * all * n), "",
                "choose smaller weights");
  for (Phase& phase : schedule.phases)
    for (Move& move : phase.moves) {
      const std::uint32_t share = apart ? move.source_slot / n : move.source_slot % shares;
      const std::uint32_t block = apart ? move.source_slot % n : move.source_slot / shares;
      move.source_slot = apart ? before[share] * n + block * widths[share] : block * all + before[share];
      move.destination_slot = move.source_slot;
      move.count *= widths[share];
      move.stride = apart ? move.stride * static_cast<std::int32_t>(widths[share])
                          : move.stride / static_cast<std::int32_t>(shares) * static_cast<std::int32_t>(all);
    }
  schedule.chunks = all * n;
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
  const std::vector<std::uint32_t> weights = split_of(parameters, dimensions);
  const bool both_ways = parameters.has("bidirectional") ? parameters.boolean("bidirectional") : all_close;
  const auto number = static_cast<std::uint32_t>(dimensions * (both_ways ? 2 : 1));
  std::vector<Share> shares;
  std::vector<std::uint32_t> widths;
  for (std::size_t begin = 0; begin < dimensions; ++begin)
    for (int direction = +1; direction >= (both_ways ? -1 : +1); direction -= 2) {
      std::vector<std::size_t> order;
      for (std::size_t i = 0; i < dimensions; ++i) order.push_back((begin + i) % dimensions);
      shares.push_back(lay_out(lattice, request.kind, std::move(order), direction,
                               static_cast<std::uint32_t>(shares.size()), number));
      widths.push_back(weights[begin]);
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
  if (std::ranges::all_of(weights, [](std::uint32_t weight) { return weight == 1; })) return schedule;
  widen(schedule, widths, !is_rank_indexed(request.kind));
  schedule.facts.push_back({kSplitFact, fmt::format("{}", fmt::join(weights, ":"))});
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
                       .matters = {.question = "all-reduce fabric=torus nodes=16 fabric.dimensions=4x4 bytes=1MB "
                                               "algorithm=dimension-ordered",
                                   .other = "false"},
                       .optional = true},
                      {.name = "split",
                       .type = ParameterType::kText,
                       .description =
                           "weights of the shares that begin in each dimension of the group, dimension 0 first, "
                           "as in 11:13; unset: equal ones",
                       .matters = {.question = "all-reduce fabric=mesh nodes=20 fabric.dimensions=5x4 bytes=1MB "
                                               "algorithm=dimension-ordered",
                                   .other = "11:13"},
                       .optional = true}},
       .facts = {kSplitFact}},
      {.kinds = {Kind::kAllReduce, Kind::kReduceScatter, Kind::kAllGather}, .build = build_dimension_ordered}};
}

}  // namespace helio::schedule
