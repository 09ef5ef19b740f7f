// SPDX-License-Identifier: Apache-2.0
#include "schedule/ring.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "schedule/fact_kinds.h"

namespace helio::schedule {
namespace {

constexpr std::uint32_t kMostPieces = 1024;

Position wrap(Position p, Position n) { return (p % n + n) % n; }

// One walk of every block around the ring: n moves for each direction in rank order. In round i rank p hands on block
// p - d*(lag+i): with lag 1 a block ends where it belongs, with lag 0 it starts there.
Phase walk(const Schedule& shape, std::span<const int> directions, Action action) {
  const Position n = shape.ranks;
  const Position lag = action == Action::kReduce ? 1 : 0;
  Phase phase{.name = action == Action::kReduce ? "reduce-scatter" : "all-gather",
              .repeat = static_cast<std::uint32_t>(n - 1)};
  phase.moves.reserve(directions.size() * static_cast<std::size_t>(n));
  const std::uint32_t block = shape.block();
  for (std::uint32_t share = 0; share < directions.size(); ++share) {
    const int d = directions[share];
    for (Position p = 0; p < n; ++p) {
      const std::uint32_t slot = static_cast<std::uint32_t>(wrap(p - d * lag, n)) * block + share;
      phase.moves.push_back({.source = p,
                             .destination = wrap(p + d, n),
                             .source_slot = slot,
                             .destination_slot = slot,
                             .stride = -d * static_cast<std::int32_t>(block),
                             .action = action});
    }
  }
  return phase;
}

// Pieces [share*pieces, (share+1)*pieces) along the chain of every direction: away from the root, or towards it with sums.
Phase chain(const Schedule& shape, std::span<const int> directions, std::uint32_t pieces) {
  const Position n = shape.ranks;
  const bool outward = shape.kind == Kind::kBroadcast;
  Phase phase{.name = outward ? "broadcast chain" : "reduce chain",
              .repeat = pieces + static_cast<std::uint32_t>(n) - 2};
  phase.moves.reserve(directions.size() * static_cast<std::size_t>(n - 1));
  for (std::uint32_t share = 0; share < directions.size(); ++share) {
    const int d = directions[share];
    for (Position link = 0; link < n - 1; ++link) {
      const Position from = outward ? link : n - 1 - link;  // distance from the root
      const Position to = outward ? from + 1 : from - 1;
      const auto start = static_cast<std::uint32_t>(link);
      phase.moves.push_back({.source = wrap(shape.root + d * from, n),
                             .destination = wrap(shape.root + d * to, n),
                             .source_slot = share * pieces,
                             .destination_slot = share * pieces,
                             .stride = 1,
                             .first_round = start,
                             .last_round = start + pieces,
                             .action = outward ? Action::kStore : Action::kReduce});
    }
  }
  return phase;
}

}  // namespace

std::uint32_t best_pieces(Position ranks, Bytes bytes, const Capabilities& capabilities) {
  if (ranks <= 2) return 1;
  const double start =
      (capabilities.nearest_latency + capabilities.step_overhead + capabilities.step_setup).to_seconds();
  const double busy = capabilities.link_rate.value > 0 ? seconds_at(bytes, capabilities.link_rate) : 0;
  const double most = std::clamp(std::floor(bytes.value), 1.0, static_cast<double>(kMostPieces));
  if (start <= 0) return static_cast<std::uint32_t>(most);
  return static_cast<std::uint32_t>(std::clamp(std::round(std::sqrt((ranks - 2) * busy / start)), 1.0, most));
}

Parameter chunks_parameter(std::string_view algorithm) {
  return {.name = "chunks",
          .type = ParameterType::kInteger,
          .minimum = "1",
          .maximum = "65536",
          .description =
              "pieces of the pipelined chain in each direction, broadcast and reduce only; unset: the number "
              "that takes least, tried on the fabric where that is quick",
          .matters = {.question = fmt::format("broadcast fabric=ring nodes=8 bytes=1MB algorithm={}", algorithm),
                      .other = "4",
                      .value = "16"},
          .optional = true};
}

Schedule walk_ring(std::string_view name, std::span<const int> directions, const CollectiveRequest& request,
                   const Capabilities& capabilities, const Parameters& parameters) {
  const auto shares = static_cast<std::uint32_t>(directions.size());
  Schedule schedule{
      .algorithm = std::string(name), .kind = request.kind, .ranks = request.ranks(), .root = request.root};

  // Broadcast and reduce: chains
  if (request.kind == Kind::kBroadcast || request.kind == Kind::kReduce) {
    const std::uint32_t pieces = parameters.has("chunks")
                                     ? static_cast<std::uint32_t>(parameters.integer("chunks"))
                                     : best_pieces(schedule.ranks, request.bytes / shares, capabilities);
    schedule.chunks = shares * pieces;
    schedule.phases.push_back(chain(schedule, directions, pieces));
    schedule.facts.push_back({kChunksFact, static_cast<double>(pieces)});
    return schedule;
  }
  if (parameters.has("chunks"))
    throw Error(ErrorKind::kInput,
                fmt::format("chunks of {} shapes broadcast and reduce, not {}", name, name_of(request.kind)),
                parameters.place("chunks"), "leave it out");

  // The others: one walk, or two
  schedule.chunks = shares * static_cast<std::uint32_t>(schedule.ranks);
  schedule.symmetry = Symmetry::kRotation;
  if (request.kind != Kind::kAllGather) schedule.phases.push_back(walk(schedule, directions, Action::kReduce));
  if (request.kind != Kind::kReduceScatter) schedule.phases.push_back(walk(schedule, directions, Action::kStore));
  return schedule;
}

AlgorithmEntry ring() {
  static constexpr std::array kOneWay = {+1};
  return {{.name = "ring",
           .summary = "blocks walk around a ring of neighbours; the fewest bytes, 2(n-1) steps",
           .reference = "Patarasuk & Yuan 2009",
           .parameters = {chunks_parameter("ring")},
           .facts = {kChunksFact}},
          {.kinds = {Kind::kAllReduce, Kind::kReduceScatter, Kind::kAllGather, Kind::kBroadcast, Kind::kReduce},
           .build = [](const auto& request, const auto& capabilities, const auto& parameters) {
             return walk_ring("ring", kOneWay, request, capabilities, parameters);
           }}};
}

}  // namespace helio::schedule
