// SPDX-License-Identifier: Apache-2.0
#include "schedule/tree.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <string>

namespace helio::schedule {

Tree binomial_tree(Position ranks, Position root) {
  Tree tree{.levels = static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint32_t>(ranks - 1)))};
  tree.edges.reserve(static_cast<std::size_t>(ranks - 1));
  for (std::uint32_t level = 0; level < tree.levels; ++level) {
    const Position distance = Position{1} << (tree.levels - 1 - level);
    // Distances from the root that are multiples of twice this one have it already
    for (std::int64_t from = 0; from + distance < ranks; from += 2 * static_cast<std::int64_t>(distance)) {
      const auto rank = [&](std::int64_t away) { return static_cast<Position>((root + away) % ranks); };
      tree.edges.push_back({.parent = rank(from), .child = rank(from + distance), .level = level});
    }
  }
  return tree;
}

Phase climb(const Schedule& shape, const std::vector<Tree>& trees, std::uint32_t pieces) {
  assert(!is_rank_indexed(shape.kind) && "a tree carries whole vectors");
  Phase phase{.name = std::string(name_of(shape.kind)), .repeat = 0};
  const bool up = shape.kind != Kind::kBroadcast, down = shape.kind != Kind::kReduce;
  for (std::uint32_t t = 0; t < trees.size(); ++t) {
    const Tree& tree = trees[t];
    const auto add = [&](Position from, Position to, std::uint32_t start, Action action) {
      phase.moves.push_back({.source = from,
                             .destination = to,
                             .source_slot = t * pieces,
                             .destination_slot = t * pieces,
                             .stride = pieces > 1 ? 1 : 0,
                             .first_round = start,
                             .last_round = start + pieces,
                             .action = action});
      phase.repeat = std::max(phase.repeat, start + pieces);
    };
    if (up)
      for (const TreeEdge& edge : tree.edges)
        add(edge.child, edge.parent, tree.levels - 1 - edge.level, Action::kReduce);
    if (down)
      for (const TreeEdge& edge : tree.edges)
        add(edge.parent, edge.child, (up ? tree.levels : 0) + edge.level, Action::kStore);
  }
  return phase;
}

}  // namespace helio::schedule
