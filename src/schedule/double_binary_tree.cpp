// SPDX-License-Identifier: Apache-2.0
#include "schedule/double_binary_tree.h"

#include <algorithm>

#include "schedule/fact_kinds.h"
#include "schedule/ring.h"

namespace helio::schedule {
namespace {

// The tree over 0..n-1 whose order from left to right is that of the numbers, 0 on top; `rank` says who a number is.
template <class Rank>
Tree ordered_tree(Position n, Rank rank) {
  struct Subtree {
    Position top, reach;  // children stand at distances of `reach` and less
  };
  Tree tree;
  std::vector<Subtree> level, next;
  const auto hang = [&](Position parent, Position child, Position reach) {
    tree.edges.push_back({.parent = rank(parent), .child = rank(child), .level = tree.levels});
    if (reach > 0) next.push_back({child, reach});
  };

  // The largest power of two under the top, then to both sides
  Position middle = 1;
  while (2 * static_cast<std::int64_t>(middle) < n) middle *= 2;
  hang(0, middle, middle / 2);
  for (++tree.levels; !next.empty(); ++tree.levels) {
    level.swap(next);
    next.clear();
    for (const Subtree& at : level) {
      hang(at.top, at.top - at.reach, at.reach / 2);
      Position after = at.reach;
      while (after > 0 && at.top + after >= n) after /= 2;
      if (after > 0) hang(at.top, at.top + after, after / 2);
    }
  }
  return tree;
}

// Bytes that take as long on one link at full rate as all of a tree's pieces keep the busiest link or port.
Bytes busiest(const CollectiveRequest& request, const Capabilities& capabilities) {
  const Bytes half = request.bytes / 2;
  const double sends = request.kind == Kind::kAllReduce ? 4 : 2;  // of a piece, by a rank in one round
  if (capabilities.injection.value <= 0) return half;
  return half * std::max(1.0, sends * capabilities.link_rate.value / capabilities.injection.value);
}

Schedule build_double_binary_tree(const CollectiveRequest& request, const Capabilities& capabilities,
                                  const Parameters& parameters) {
  const std::vector<Tree> trees = two_trees(request.ranks(), request.root);
  const std::uint32_t levels = (request.kind == Kind::kAllReduce ? 2 : 1) * std::max(trees[0].levels, trees[1].levels);
  // A chain over as many links takes as many rounds
  const std::uint32_t pieces = parameters.has("chunks") ? static_cast<std::uint32_t>(parameters.integer("chunks"))
                                                        : best_pieces(static_cast<Position>(levels) + 1,
                                                                      busiest(request, capabilities), capabilities);
  Schedule schedule{.algorithm = "double-binary-tree",
                    .kind = request.kind,
                    .ranks = request.ranks(),
                    .root = request.root,
                    .chunks = 2 * pieces};
  schedule.phases.push_back(climb(schedule, trees, pieces));
  schedule.facts.push_back({kChunksFact, static_cast<double>(pieces)});
  return schedule;
}

}  // namespace

std::vector<Tree> two_trees(Position n, Position root) {
  const auto rank = [=](Position away) { return away < n - root ? root + away : away - (n - root); };
  const auto other = [=](Position number) -> Position {
    if (number == 0) return 0;
    if (n % 2 == 1) return n - number;        // mirrored
    return number == n - 1 ? 1 : number + 1;  // turned on by one
  };
  return {ordered_tree(n, rank), ordered_tree(n, [&](Position number) { return rank(other(number)); })};
}

AlgorithmEntry double_binary_tree() {
  return {
      {.name = "double-binary-tree",
       .summary =
           "half the vector in pieces through each of two trees; full bandwidth in about 2 log2 n steps and the pieces",
       .reference = "Sanders, Speck & Träff 2009; NCCL",
       .parameters = {{.name = "chunks",
                       .type = ParameterType::kInteger,
                       .minimum = "1",
                       .maximum = "65536",
                       .description = "pieces that follow each other through each tree; unset: the number that takes "
                                      "least, tried on the fabric where that is quick",
                       .matters = {.question =
                                       "all-reduce fabric=switch nodes=8 bytes=1MB algorithm=double-binary-tree",
                                   .other = "4",
                                   .value = "16"},
                       .optional = true}},
       .facts = {kChunksFact}},
      {.kinds = {Kind::kAllReduce, Kind::kBroadcast, Kind::kReduce}, .build = build_double_binary_tree}};
}

}  // namespace helio::schedule
