// SPDX-License-Identifier: Apache-2.0
#include "schedule/symmetry.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace helio::schedule {
namespace {

// The group element "shift by k" on ranks and slots.
class Shift {
 public:
  Shift(const Schedule& schedule, Position k) : schedule_(schedule), k_(k) {}

  Position rank(Position p) const {
    if (schedule_.symmetry == Symmetry::kXor) return p ^ k_;
    return p < schedule_.ranks - k_ ? p + k_ : p - (schedule_.ranks - k_);
  }

  bool maps_endpoint(const Position& from, const Position& to) const {
    const auto a = schedule_.members(from), b = schedule_.members(to);
    if (a.size() != b.size()) return false;
    if (a.size() == static_cast<std::size_t>(schedule_.ranks)) return true;
    if (a.size() == 1) return rank(a[0]) == b[0];
    return std::all_of(a.begin(), a.end(), [&](Position p) { return std::binary_search(b.begin(), b.end(), rank(p)); });
  }

  // Whether the slots of `from` become those of `to` in every round.
  bool maps_slots(const Move& from, const Move& to, const Phase& phase) const {
    if (from.count == schedule_.chunks) return true;
    const std::uint32_t block = schedule_.block();
    const auto k = static_cast<std::uint32_t>(k_);
    if (schedule_.symmetry == Symmetry::kRotation)
      return (static_cast<std::uint64_t>(from.source_slot) + static_cast<std::uint64_t>(k) * block) %
                 schedule_.chunks ==
             to.source_slot;

    // xor keeps a range together only inside a block, or where it is 2^j whole blocks from a multiple of 2^j on
    const Window active = window(from, phase);
    if (from.stride != 0 && active.last - active.first > 1) return false;
    const std::uint32_t first = from.source_slot / block, offset = from.source_slot % block;
    if (offset + from.count <= block) return to.source_slot == (first ^ k) * block + offset;
    const std::uint32_t blocks = from.count / block;
    if (offset != 0 || from.count % block != 0 || !std::has_single_bit(blocks) || first % blocks != 0) return false;
    return to.source_slot == ((first ^ k) & ~(blocks - 1)) * block;
  }

  bool maps(const Move& from, const Move& to, const Phase& phase) const {
    return from.count == to.count && from.stride == to.stride && from.first_round == to.first_round &&
           from.last_round == to.last_round && from.action == to.action && from.source_buffer == to.source_buffer &&
           from.destination_buffer == to.destination_buffer && maps_endpoint(from.source, to.source) &&
           maps_endpoint(from.destination, to.destination) && maps_slots(from, to, phase);
  }

 private:
  const Schedule& schedule_;
  Position k_;
};

}  // namespace

bool keeps_slots(const Schedule& schedule) {
  if (schedule.kind == Kind::kAllToAll) return false;
  for (const Phase& phase : schedule.phases)
    for (const Move& move : phase.moves)
      if (move.source_slot != move.destination_slot || schedule.slots(move.source_buffer) != schedule.chunks ||
          schedule.slots(move.destination_buffer) != schedule.chunks)
        return false;
  return true;
}

std::string symmetry_fault(const Schedule& schedule) {
  // Claims that cannot be true of the shape
  const auto n = static_cast<std::size_t>(schedule.ranks);
  if (schedule.symmetry == Symmetry::kNone) return "no symmetry is claimed";
  if (schedule.pieces != 1) return "it is claimed of each piece, not of the whole";
  if (schedule.kind == Kind::kBroadcast || schedule.kind == Kind::kReduce) return "a root has no symmetry";
  if (schedule.chunks % n != 0) return fmt::format("{} ranks do not divide {} slots", n, schedule.chunks);
  if (schedule.symmetry == Symmetry::kXor && !std::has_single_bit(n))
    return fmt::format("xor is claimed of {} ranks, which is no power of two", n);

  // Every run of n moves is its first move, shifted; a move of all ranks on all slots is a run of its own
  for (const Phase& phase : schedule.phases)
    for (std::size_t first = 0; first < phase.moves.size();) {
      const Move& pattern = phase.moves[first];
      if (pattern.count == schedule.chunks && schedule.members(pattern.source).size() == n &&
          schedule.members(pattern.destination).size() == n) {
        ++first;
        continue;
      }
      if (phase.moves.size() - first < n)
        return fmt::format("phase '{}' ends with {} moves instead of {}", phase.name, phase.moves.size() - first, n);
      for (std::size_t k = 0; k < n; ++k)
        if (!Shift(schedule, static_cast<Position>(k)).maps(pattern, phase.moves[first + k], phase))
          return fmt::format("phase '{}', move {} is not move {} shifted by {}", phase.name, first + k, first, k);
      first += n;
    }
  return "";
}

}  // namespace helio::schedule
