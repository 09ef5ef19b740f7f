// SPDX-License-Identifier: Apache-2.0
#include "schedule/halving_doubling.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace helio::schedule {
namespace {

bool is_power_of_two(Position n) { return std::has_single_bit(static_cast<std::uint32_t>(n)); }

// One slot per block, so block b is slot b.
Move give(Position from, Position to, Position first_block, Position blocks, Action action) {
  const auto slot = static_cast<std::uint32_t>(first_block);
  return {.source = from, .destination = to, .source_slot = slot, .destination_slot = slot,
          .count = static_cast<std::uint32_t>(blocks), .action = action};
}

std::vector<Phase> reduce_scatter(Position n) {
  std::vector<Phase> phases;
  for (Position range = n; range > 1;) {
    const Position skip = (range + 1) / 2;
    Phase& phase = phases.emplace_back(Phase{.name = fmt::format("reduce-scatter, distance {}", skip)});
    phase.moves.reserve(static_cast<std::size_t>(n));
    for (Position p = 0; p < n; ++p) {
      const Position partner = is_power_of_two(n) ? p ^ skip : (p + skip) % n;
      const Position first_block = is_power_of_two(n) ? partner & ~(skip - 1) : partner;
      phase.moves.push_back(give(p, partner, first_block, range - skip, Action::kReduce));
    }
    range = skip;
  }
  return phases;
}

// From the root, over positions relative to it: the holder of a range gives all past the next skip to the rank there.
std::vector<Phase> scatter(Position n, Position root) {
  std::vector<Phase> phases;
  std::vector<std::pair<Position, Position>> ranges = {{0, n}};
  for (Position skip = (n + 1) / 2, range = n; range > 1; range = skip, skip = (skip + 1) / 2) {
    Phase& phase = phases.emplace_back(Phase{.name = fmt::format("scatter, distance {}", skip)});
    for (std::size_t i = 0, before = ranges.size(); i < before; ++i) {
      const auto [low, high] = ranges[i];
      const Position middle = low + skip;
      if (middle >= high) continue;
      const Position to = (root + middle) % n;
      phase.moves.push_back(give((root + low) % n, to, to, high - middle, Action::kStore));
      ranges[i].second = middle;
      ranges.emplace_back(middle, high);
    }
  }
  return phases;
}

// Phases backwards, moves turned around: what spread out comes together, and the other way round.
std::vector<Phase> mirror(std::vector<Phase> phases, std::string_view name) {
  std::reverse(phases.begin(), phases.end());
  for (Phase& phase : phases) {
    phase.name = fmt::format("{}{}", name, phase.name.substr(phase.name.find(',')));
    for (Move& move : phase.moves) {
      std::swap(move.source, move.destination);
      move.action = Action::kStore;
    }
  }
  return phases;
}

Schedule build_halving_doubling(const CollectiveRequest& request, const Capabilities&, const Parameters&) {
  const Position n = request.ranks();
  Schedule schedule{.algorithm = "halving-doubling", .kind = request.kind, .ranks = n, .root = request.root,
                    .chunks = static_cast<std::uint32_t>(n)};
  if (request.kind != Kind::kBroadcast && request.kind != Kind::kReduce)
    schedule.symmetry = is_power_of_two(n) ? Symmetry::kXor : Symmetry::kRotation;

  const auto append = [&](std::vector<Phase> phases) {
    std::move(phases.begin(), phases.end(), std::back_inserter(schedule.phases));
  };
  const auto all_gather = [n] { return mirror(reduce_scatter(n), "all-gather"); };
  switch (request.kind) {
    case Kind::kReduceScatter: append(reduce_scatter(n)); break;
    case Kind::kAllGather: append(all_gather()); break;
    case Kind::kBroadcast: append(scatter(n, request.root)); append(all_gather()); break;
    case Kind::kReduce: append(reduce_scatter(n)); append(mirror(scatter(n, request.root), "gather")); break;
    default: append(reduce_scatter(n)); append(all_gather()); break;
  }
  return schedule;
}

}  // namespace

AlgorithmEntry halving_doubling() {
  return {{.name = "halving-doubling",
           .summary = "recursive halving, then doubling; the fewest bytes in 2 ceil(log2 n) steps, for any n",
           .reference = "Rabenseifner 2004; Thakur, Rabenseifner & Gropp 2005; Träff 2024 where n is not a power of two",
           .parameters = {}},
          {.kinds = {Kind::kAllReduce, Kind::kReduceScatter, Kind::kAllGather, Kind::kBroadcast, Kind::kReduce},
           .build = build_halving_doubling}};
}

}  // namespace helio::schedule
