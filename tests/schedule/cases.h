// SPDX-License-Identifier: Apache-2.0
// Every algorithm on every kind it has, for many sizes and roots; the mathematics that each kind must compute; and what
// the tests measure of a schedule.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/random.h"
#include "emulate/execute.h"
#include "schedule/algorithm.h"
#include "schedule/symmetry.h"
#include "schedule/verify.h"

namespace helio::schedule {

using Vectors = std::vector<std::vector<std::int64_t>>;

// A fabric that can do everything and whose cost of starting a round is unknown.
inline Capabilities able_fabric() {
  Capabilities capabilities;
  capabilities.fabric = "able";
  capabilities.reduces = capabilities.multicasts = true;
  return capabilities;
}

// The same, and it shows its links: a ring both ways around, and one way from each node to the second next.
inline Capabilities linked_fabric(Position n) {
  Capabilities capabilities = able_fabric();
  capabilities.network = [ranks = static_cast<std::uint32_t>(n)] {
    Network network{.nodes = ranks, .vertices = ranks, .arcs = {}};
    for (std::uint32_t i = 0; i < ranks; ++i)
      for (const std::uint32_t away : {1u, 2u, ranks - 1})
        if (away % ranks != 0)
          network.arcs.push_back({i, (i + away) % ranks, BitRate{1e9}, Time::microseconds(1),
                                  static_cast<std::uint32_t>(network.arcs.size())});
    return network;
  };
  return capabilities;
}

// The same on a mesh or torus.
inline Capabilities grid_fabric(std::vector<long long> dimensions, bool wraps) {
  Capabilities capabilities = able_fabric();
  capabilities.adjacency = Adjacency::kGrid;
  capabilities.dimensions = std::move(dimensions);
  capabilities.wraps = wraps;
  return capabilities;
}

// A grid of n nodes in up to three dimensions, prime factors dealt to the smallest; a mesh where 3 divides n, else a torus.
inline Capabilities some_grid(Position n) {
  std::vector<long long> dimensions = {1, 1, 1};
  for (Position rest = n, factor = 2; rest > 1; factor += rest % factor != 0)
    if (rest % factor == 0) {
      *std::min_element(dimensions.begin(), dimensions.end()) *= factor;
      rest /= factor;
    }
  return grid_fabric(std::move(dimensions), n % 3 != 0);
}

// A bidirectional ring with w wavelengths per direction.
inline Capabilities wdm_fabric(int wavelengths) {
  Capabilities capabilities;
  capabilities.fabric = "wdm";
  capabilities.adjacency = Adjacency::kRing;
  capabilities.wavelengths = wavelengths;
  capabilities.directions = 2;
  return capabilities;
}

// Up to three levels of plain networks, the lowest able to add and copy where 5 divides n.
inline Capabilities level_fabric(Position n) {
  Capabilities capabilities;
  capabilities.fabric = "levels";
  capabilities.nodes = static_cast<std::uint64_t>(n);
  std::uint64_t unit = 1;
  for (const long long width : some_grid(n).dimensions) {
    if (width == 1) continue;
    Capabilities::Part level{.name = fmt::format("level {}", capabilities.parts.size()), .unit = unit};
    if (n % 5 == 0 && unit == 1) level.capabilities = able_fabric();
    level.capabilities.nodes = static_cast<std::uint64_t>(width);
    unit *= level.capabilities.nodes;
    capabilities.parts.push_back(std::move(level));
  }
  return capabilities;
}

// Chains and pairs of trees get five pieces, so that they are filled, full and drained whatever n is.
inline Schedule build_case(const std::string& algorithm, Kind kind, Position n, Position root = 0) {
  Settings settings;
  if (has_root(kind) && (algorithm == "ring" || algorithm == "bidirectional-ring")) settings["chunks"] = {"5", "test"};
  if (algorithm == "double-binary-tree") settings["chunks"] = {"5", "test"};
  return build(algorithm, request_on_all(kind, Bytes{1e6}, n, root),
               algorithm == "dimension-ordered"               ? some_grid(n)
               : algorithm == "by-level"                      ? level_fabric(n)
               : algorithm == "fitted"                        ? linked_fabric(n)
               : algorithm == "wrht" || algorithm == "optree" ? wdm_fabric(4)
                                                              : able_fabric(),
               settings);
}

inline std::string describe(const Schedule& s) {
  return fmt::format("{} {} n={} root={}", s.algorithm, name_of(s.kind), s.ranks, s.root);
}

// Calls visit(schedule) for every algorithm, kind, n in `sizes` and a few roots.
template <class Visit>
void for_every_case(const std::vector<Position>& sizes, Visit visit) {
  for (const AlgorithmEntry& entry : algorithms().entries())
    for (const Kind kind : entry.factory.kinds)
      for (const Position n : sizes) {
        if (entry.description.name == "fitted" && n > 12) continue;  // a search: its own tests have more
        std::vector<Position> roots = {0};
        if (has_root(kind)) roots = {0, n / 2, n - 1};
        roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
        for (const Position root : roots) visit(build_case(entry.description.name, kind, n, root));
      }
}

inline std::vector<Position> two_to_forty_and_some() {
  std::vector<Position> sizes;
  for (Position n = 2; n <= 40; ++n) sizes.push_back(n);
  sizes.insert(sizes.end(), {64, 100, 128});
  return sizes;
}

inline std::vector<VerifyMethod> applicable_methods(const Schedule& schedule) {
  std::vector<VerifyMethod> methods = {VerifyMethod::kChoose, VerifyMethod::kExplicitSets, VerifyMethod::kFingerprints};
  if (keeps_slots(schedule)) methods.push_back(VerifyMethod::kSlotBySlot);
  if (keeps_slots(schedule) && schedule.symmetry != Symmetry::kNone) methods.push_back(VerifyMethod::kOneSlotPerOrbit);
  return methods;
}

// Small enough that no sum of the tests overflows.
inline Vectors random_vectors(Position ranks, std::size_t elements, std::uint64_t seed) {
  Random random(seed);
  Vectors vectors(static_cast<std::size_t>(ranks), std::vector<std::int64_t>(elements));
  for (auto& vector : vectors)
    for (auto& element : vector) element = static_cast<std::int64_t>(random.below(1u << 20)) + 1;
  return vectors;
}

// Whether `after` is what the kind makes of `before`, straight from its definition (schedule.h). Slot s holds elements
// [s*E/chunks, (s+1)*E/chunks).
inline bool is_collective(const Schedule& s, const Vectors& before, const Vectors& after) {
  const std::size_t elements = before[0].size();
  for (std::size_t slot = 0; slot < s.chunks; ++slot)
    for (std::size_t e = slot * elements / s.chunks; e < (slot + 1) * elements / s.chunks; ++e)
      for (std::size_t r = 0; r < before.size(); ++r) {
        std::int64_t sum = 0;
        for (const auto& vector : before) sum += vector[e];
        const std::size_t block = is_rank_indexed(s.kind) ? slot / s.block() : 0, length = elements / before.size();
        const std::int64_t have = after[r][e];
        bool right = true;
        switch (s.kind) {
          case Kind::kAllReduce: right = have == sum; break;
          case Kind::kReduceScatter: right = block != r || have == sum; break;
          case Kind::kAllGather: right = have == before[block][e]; break;
          case Kind::kBroadcast: right = have == before[static_cast<std::size_t>(s.root)][e]; break;
          case Kind::kReduce: right = static_cast<std::size_t>(s.root) != r || have == sum; break;
          case Kind::kAllToAll: right = have == before[block][r * length + (e - block * length)]; break;
        }
        if (!right) return false;
      }
  return true;
}

inline bool executes_correctly(const Schedule& schedule, std::size_t elements, std::uint64_t seed) {
  const Vectors before = random_vectors(schedule.ranks, elements, seed);
  Vectors after = before;
  emulate::execute(schedule, after);
  return is_collective(schedule, before, after);
}

// Slots that `rank` sends, over all rounds.
inline std::uint64_t slots_sent(const Schedule& schedule, Position rank) {
  std::uint64_t sent = 0;
  for (const Phase& phase : schedule.phases)
    for (const Move& move : phase.moves) {
      const auto sources = schedule.members(move.source);
      const Window active = window(move, phase);
      if (std::binary_search(sources.begin(), sources.end(), rank))
        sent += static_cast<std::uint64_t>(move.count) * (active.last - active.first);
    }
  return sent;
}

// A dataflow program as MSCCL would write it: two nodes {0,1} and {2,3}, of which only 0 and 2 are connected. Slot 0 is
// reduced at 0 and 2, which exchange it; slot 1 at 1 and 3, which reach each other only through scratch of 0 and 2.
//
//     1 ─▶ 0.scratch[0] ─▶ 2.scratch[1] ─▶ 3        and the mirror        3 ─▶ 2.scratch[0] ─▶ 0.scratch[1] ─▶ 1
inline Schedule relayed_all_reduce() {
  Schedule schedule{.algorithm = "relayed", .ranks = 4, .chunks = 2, .scratch = 2, .order = Order::kDataflow};
  const auto data = Buffer::kData, scratch = Buffer::kScratch;
  const auto move = [](Position from, Buffer in, std::uint32_t slot, Position to, Buffer out, std::uint32_t into,
                       Action action, std::int32_t queue) {
    return Move{.source = from,
                .destination = to,
                .source_slot = slot,
                .destination_slot = into,
                .queue = queue,
                .action = action,
                .source_buffer = in,
                .destination_buffer = out};
  };
  const auto both = [&](std::string name, std::vector<Move> moves) {
    for (std::size_t i = 0, half = moves.size(); i < half; ++i) {
      Move mirrored = moves[i];
      mirrored.source ^= 2;
      mirrored.destination ^= 2;
      moves.push_back(mirrored);
    }
    schedule.phases.push_back({.name = std::move(name), .moves = std::move(moves)});
  };
  both("within nodes",
       {move(1, data, 0, 0, data, 0, Action::kReduce, 0), move(0, data, 1, 1, data, 1, Action::kReduce, 0)});
  both("out", {move(0, data, 0, 2, data, 0, Action::kReduce, 0), move(1, data, 1, 0, scratch, 0, Action::kStore, 1)});
  both("across", {move(0, scratch, 0, 2, scratch, 1, Action::kStore, 1)});
  both("in", {move(0, scratch, 1, 1, data, 1, Action::kReduce, 1)});
  both("back", {move(0, data, 0, 1, data, 0, Action::kStore, 0), move(1, data, 1, 0, data, 1, Action::kStore, 0)});
  return schedule;
}

}  // namespace helio::schedule
