// SPDX-License-Identifier: Apache-2.0
#include "schedule/moves.h"

#include <cassert>
#include <utility>

namespace helio::schedule {

Moves Moves::translated(std::vector<Move> first, Symmetry symmetry, Position ranks, std::uint32_t chunks) {
  assert(symmetry != Symmetry::kNone && "translates by what?");
  Moves moves(std::move(first));
  moves.each_ = static_cast<std::uint32_t>(ranks);
  moves.chunks_ = chunks;
  moves.block_ = chunks / moves.each_;
  moves.symmetry_ = symmetry;
  return moves;
}

Moves Moves::in_runs(std::vector<Move> first, std::span<const std::uint32_t> offsets) {
  Moves moves(std::move(first));
  if (offsets.size() == 1 && offsets.front() == 0) return moves;
  moves.each_ = static_cast<std::uint32_t>(offsets.size());
  moves.offsets_.assign(offsets.begin(), offsets.end());
  return moves;
}

std::vector<Move>& Moves::list() {
  if (each_ == 1) return listed_;
  std::vector<Move> all;
  all.reserve(size());
  for (const Move& move : std::as_const(*this)) all.push_back(move);
  listed_ = std::move(all);
  each_ = 1;
  symmetry_ = Symmetry::kNone;
  offsets_.clear();
  return listed_;
}

std::uint32_t Moves::translate_slot(std::uint32_t slot, std::uint32_t count, std::uint32_t shift) const {
  if (count == chunks_) return slot;
  if (symmetry_ == Symmetry::kRotation) {
    const std::uint64_t moved = slot + std::uint64_t{shift} * block_;
    return static_cast<std::uint32_t>(moved < chunks_ ? moved : moved - chunks_);
  }
  if (block_ == 1) return (slot ^ shift) & ~(count - 1);
  const std::uint32_t offset = slot % block_, blocks = count <= block_ - offset ? 1 : count / block_;
  return ((slot / block_ ^ shift) & ~(blocks - 1)) * block_ + offset;
}

Move Moves::translate(std::uint32_t which, std::uint32_t shift) const {
  if (!offsets_.empty()) {
    Move run = listed_[which];
    run.source_slot += offsets_[shift];
    run.destination_slot += offsets_[shift];
    return run;
  }
  const auto rank = [&](Position p) {
    const auto at = static_cast<std::uint32_t>(p);
    if (symmetry_ == Symmetry::kXor) return static_cast<Position>(at ^ shift);
    return static_cast<Position>(at + shift < each_ ? at + shift : at + shift - each_);
  };
  Move move = listed_[which];
  move.source = rank(move.source);
  move.destination = rank(move.destination);
  move.source_slot = translate_slot(move.source_slot, move.count, shift);
  move.destination_slot = translate_slot(move.destination_slot, move.count, shift);
  return move;
}

}  // namespace helio::schedule
