// SPDX-License-Identifier: Apache-2.0
#include "schedule/direct.h"

#include <string>
#include <utility>

#include <fmt/format.h>

namespace helio::schedule {
namespace {

// Past this a phase is more than 17 million moves.
constexpr Position kMostRanks = 4096;

// n(n-1) moves, those of rank 0 and their translates; slots are what `slots_of(from, to)` says, a pair of source and destination block.
template <class SlotsOf>
Phase every_pair(std::string name, Position n, Action action, Buffer destination, SlotsOf slots_of) {
  Phase phase{.name = std::move(name)};
  std::vector<Move> moves;
  for (Position distance = 1; distance < n; ++distance) {
    const auto [source_slot, destination_slot] = slots_of(Position{0}, distance);
    moves.push_back({.source = 0,
                     .destination = distance,
                     .source_slot = static_cast<std::uint32_t>(source_slot),
                     .destination_slot = static_cast<std::uint32_t>(destination_slot),
                     .action = action,
                     .destination_buffer = destination});
  }
  phase.moves = Moves::translated(std::move(moves), Symmetry::kRotation, n, static_cast<std::uint32_t>(n));
  return phase;
}

Phase reduce_scatter(Position n) {
  return every_pair("reduce-scatter", n, Action::kReduce, Buffer::kData,
                    [](Position, Position to) { return std::pair(to, to); });
}
Phase all_gather(Position n) {
  return every_pair("all-gather", n, Action::kStore, Buffer::kData,
                    [](Position from, Position) { return std::pair(from, from); });
}
Phase all_to_all(Position n) {
  return every_pair("all-to-all", n, Action::kStore, Buffer::kOutput,
                    [](Position from, Position to) { return std::pair(to, from); });
}

// The whole vector, from the root to everybody or from everybody to the root.
Phase star(Kind kind, Position n, Position root) {
  const bool outward = kind == Kind::kBroadcast;
  Phase phase{.name = std::string(name_of(kind))};
  phase.moves.reserve(static_cast<std::size_t>(n - 1));
  for (Position p = 0; p < n; ++p)
    if (p != root)
      phase.moves.push_back({.source = outward ? root : p,
                             .destination = outward ? p : root,
                             .action = outward ? Action::kStore : Action::kReduce});
  return phase;
}

Schedule build_direct(const CollectiveRequest& request, const Capabilities&, const Parameters&) {
  const Position n = request.ranks();
  Schedule schedule{.algorithm = "direct", .kind = request.kind, .ranks = n, .root = request.root};
  if (request.kind == Kind::kBroadcast || request.kind == Kind::kReduce) {
    schedule.phases.push_back(star(request.kind, n, request.root));
    return schedule;
  }

  if (n > kMostRanks)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("direct {} of {} ranks is {:.2g} moves", name_of(request.kind), n, 1.0 * n * (n - 1)), "",
                fmt::format("take at most {} ranks, or an algorithm with fewer moves such as ring", kMostRanks));
  schedule.chunks = static_cast<std::uint32_t>(n);
  schedule.symmetry = Symmetry::kRotation;
  switch (request.kind) {
    case Kind::kReduceScatter: schedule.phases.push_back(reduce_scatter(n)); break;
    case Kind::kAllGather: schedule.phases.push_back(all_gather(n)); break;
    case Kind::kAllToAll:
      schedule.result = Buffer::kOutput;
      schedule.phases.push_back(all_to_all(n));
      break;
    default:
      schedule.phases.reserve(2);
      schedule.phases.push_back(reduce_scatter(n));
      schedule.phases.push_back(all_gather(n));
      break;
  }
  return schedule;
}

}  // namespace

AlgorithmEntry direct() {
  return {{.name = "direct",
           .summary = "every rank sends straight to every other; one step (all-reduce two), all links at once",
           .reference = "Thakur, Rabenseifner & Gropp 2005",
           .parameters = {}},
          {.kinds = {std::begin(kAllKinds), std::end(kAllKinds)}, .build = build_direct}};
}

}  // namespace helio::schedule
