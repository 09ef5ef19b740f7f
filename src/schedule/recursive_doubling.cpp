// SPDX-License-Identifier: Apache-2.0
#include "schedule/recursive_doubling.h"

#include <bit>

#include <fmt/format.h>

#include "schedule/halving_doubling.h"

namespace helio::schedule {
namespace {

// The whole vector is one slot.
std::vector<Phase> all_reduce(Position n) {
  const auto core = static_cast<Position>(std::bit_floor(static_cast<std::uint32_t>(n)));
  const Position extra = n - core;
  const auto rank = [extra](Position i) { return i < extra ? 2 * i : i + extra; };  // of member i of the core
  std::vector<Phase> phases;

  // The odd ranks of the first pairs hand their vectors in
  if (extra > 0) {
    Phase& fold = phases.emplace_back(Phase{.name = "fold"});
    for (Position i = 0; i < extra; ++i)
      fold.moves.push_back({.source = 2 * i + 1, .destination = 2 * i, .action = Action::kReduce});
  }

  // Doubling among a power of two
  for (Position distance = 1; distance < core; distance *= 2) {
    Phase& phase = phases.emplace_back(Phase{.name = fmt::format("doubling, distance {}", distance)});
    phase.moves.reserve(static_cast<std::size_t>(core));
    for (Position i = 0; i < core; ++i)
      phase.moves.push_back({.source = rank(i), .destination = rank(i ^ distance), .action = Action::kReduce});
  }

  // And are handed the sum
  if (extra > 0) {
    Phase& unfold = phases.emplace_back(Phase{.name = "unfold"});
    for (Position i = 0; i < extra; ++i) unfold.moves.push_back({.source = 2 * i, .destination = 2 * i + 1});
  }
  return phases;
}

Schedule build_recursive_doubling(const CollectiveRequest& request, const Capabilities&, const Parameters&) {
  const Position n = request.ranks();
  Schedule schedule{.algorithm = "recursive-doubling", .kind = request.kind, .ranks = n, .root = request.root};
  if (request.kind == Kind::kAllReduce) {
    schedule.phases = all_reduce(n);
    return schedule;
  }
  const Lattice line({Axis{.extent = n}});
  schedule.chunks = static_cast<std::uint32_t>(n);
  schedule.symmetry = std::has_single_bit(schedule.chunks) ? Symmetry::kXor : Symmetry::kRotation;
  schedule.phases = mirror(halve(line, lay_out(line, request.kind, {0}), 0, schedule.chunks), "all-gather");
  return schedule;
}

}  // namespace

AlgorithmEntry recursive_doubling() {
  return {{.name = "recursive-doubling",
           .summary = "the whole vector exchanged at doubling distances; the fewest steps, log2 n times the bytes",
           .reference = "Thakur, Rabenseifner & Gropp 2005",
           .parameters = {}},
          {.kinds = {Kind::kAllReduce, Kind::kAllGather}, .build = build_recursive_doubling}};
}

}  // namespace helio::schedule
