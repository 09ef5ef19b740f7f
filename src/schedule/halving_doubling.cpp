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
Move give(Position from, Position to, Position first_block, Position blocks) {
  const auto slot = static_cast<std::uint32_t>(first_block);
  return {.source = from,
          .destination = to,
          .source_slot = slot,
          .destination_slot = slot,
          .count = static_cast<std::uint32_t>(blocks)};
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
      phase.moves.push_back(give((root + low) % n, to, to, high - middle));
      ranges[i].second = middle;
      ranges.emplace_back(middle, high);
    }
  }
  return phases;
}

}  // namespace

std::vector<Phase> halve(const Lattice& lattice, const Share& share, std::size_t stage, std::uint32_t chunks) {
  const Stage slots(lattice, share, stage, chunks);
  const Position m = lattice.axes()[slots.axis()].extent;
  std::vector<Phase> phases;
  for (Position range = m; range > 1;) {
    const Position skip = (range + 1) / 2;
    Phase& phase = phases.emplace_back(Phase{.name = fmt::format("reduce-scatter, distance {}", skip)});
    // On a line what the others do is what rank 0 does, shifted; elsewhere each does it in every run
    const bool on_a_line = lattice.axes().size() == 1 && slots.is_cyclic();
    const Position listed = on_a_line ? 1 : lattice.ranks();
    std::vector<Move> moves;
    bool in_runs = !on_a_line;
    const auto first_block = [&](Position partner) { return is_power_of_two(m) ? partner & ~(skip - 1) : partner; };
    const auto partner_of = [&](Position x) { return is_power_of_two(m) ? x ^ skip : (x + skip) % m; };
    for (Position x = 0; x < m; ++x) in_runs = in_runs && slots.in_one_range(first_block(partner_of(x)), range - skip);
    moves.reserve((in_runs ? 1 : slots.runs().size()) * static_cast<std::size_t>(listed));
    for (Position p = 0; p < listed; ++p) {
      const Position partner = partner_of(lattice.coordinate(p, slots.axis()));
      const std::size_t before = moves.size();
      slots.for_each_run(p, first_block(partner), range - skip, [&](std::uint32_t slot, std::uint32_t count) {
        if (in_runs && moves.size() > before) return;
        moves.push_back({.source = p,
                         .destination = lattice.at(p, slots.axis(), partner),
                         .source_slot = slot,
                         .destination_slot = slot,
                         .count = count,
                         .action = Action::kReduce});
      });
    }
    if (on_a_line)
      phase.moves =
          Moves::translated(std::move(moves), is_power_of_two(m) ? Symmetry::kXor : Symmetry::kRotation, m, chunks);
    else
      phase.moves = in_runs ? Moves::in_runs(std::move(moves), slots.runs()) : Moves(std::move(moves));
    range = skip;
  }
  return phases;
}

std::vector<Phase> mirror(std::vector<Phase> phases, std::string_view name) {
  std::reverse(phases.begin(), phases.end());
  for (Phase& phase : phases) {
    phase.name = fmt::format("{}{}", name, phase.name.substr(phase.name.find(',')));
    for (Move& move : phase.moves.listed()) {
      std::swap(move.source, move.destination);
      move.action = Action::kStore;
    }
  }
  return phases;
}

namespace {

Schedule build_halving_doubling(const CollectiveRequest& request, const Capabilities&, const Parameters&) {
  const Position n = request.ranks();
  Schedule schedule{.algorithm = "halving-doubling",
                    .kind = request.kind,
                    .ranks = n,
                    .root = request.root,
                    .chunks = static_cast<std::uint32_t>(n)};
  if (request.kind != Kind::kBroadcast && request.kind != Kind::kReduce)
    schedule.symmetry = is_power_of_two(n) ? Symmetry::kXor : Symmetry::kRotation;

  const auto append = [&](std::vector<Phase> phases) {
    std::move(phases.begin(), phases.end(), std::back_inserter(schedule.phases));
  };
  const Lattice line({Axis{.extent = n}});
  const Share whole = lay_out(line, request.kind, {0});
  const auto reduce_scatter = [&] { return halve(line, whole, 0, schedule.chunks); };
  const auto all_gather = [&] { return mirror(reduce_scatter(), "all-gather"); };
  switch (request.kind) {
    case Kind::kReduceScatter: append(reduce_scatter()); break;
    case Kind::kAllGather: append(all_gather()); break;
    case Kind::kBroadcast:
      append(scatter(n, request.root));
      append(all_gather());
      break;
    case Kind::kReduce:
      append(reduce_scatter());
      append(mirror(scatter(n, request.root), "gather"));
      break;
    default:
      append(reduce_scatter());
      append(all_gather());
      break;
  }
  return schedule;
}

}  // namespace

AlgorithmEntry halving_doubling() {
  return {
      {.name = "halving-doubling",
       .summary = "recursive halving, then doubling; the fewest bytes in 2 ceil(log2 n) steps, for any n",
       .reference = "Rabenseifner 2004; Thakur, Rabenseifner & Gropp 2005; Träff 2024 where n is not a power of two",
       .parameters = {}},
      {.kinds = {Kind::kAllReduce, Kind::kReduceScatter, Kind::kAllGather, Kind::kBroadcast, Kind::kReduce},
       .build = build_halving_doubling}};
}

}  // namespace helio::schedule
