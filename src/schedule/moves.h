// SPDX-License-Identifier: Apache-2.0
// A move, and the moves of a phase: listed, or, where they are translates of one another, one of each kind.
//
//     halving-doubling, n = 2^20   0 --> n/2 and its n translates p --> p xor n/2, blocks likewise: 48 bytes instead of 48 MB
//     two-level, 128 x 128         a move of 64 slots and its translates by 128, 256, …: scattered runs of one message
//
// Whoever reads sees a sequence of moves, each made when it is looked at; whoever writes to one gets the list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <vector>

#include "schedule/request.h"

namespace helio::schedule {

enum class Action : std::uint8_t { kStore, kReduce };
enum class Buffer : std::uint8_t { kData, kOutput, kScratch };

// Direction and wavelength that a schedule may fix. What is -1 the fabric chooses.
struct Lane {
  std::int32_t wavelength = -1;  // first of `width` consecutive wavelengths
  std::int16_t width = 1;        // stripe: how many wavelengths carry the move together
  std::int8_t direction = -1;    // 0 towards increasing index, 1 towards decreasing index
  friend bool operator==(const Lane&, const Lane&) = default;
};

// Plain data, 48 bytes: a million of them are ordinary. An endpoint e >= 0 is a position; e < 0 is set ~e of the schedule
// (in-fabric reduce: the sum, or what the fabric makes of it, of all sources; multicast: to all destinations).
struct Move {
  Position source = 0;
  Position destination = 0;
  std::uint32_t source_slot = 0;
  std::uint32_t destination_slot = 0;
  std::uint32_t count = 1;
  std::int32_t stride = 0;
  std::uint32_t first_round = 0;           // active in rounds [first_round, last_round) of its phase
  std::uint32_t last_round = 0xffffffffu;  // the phase's repeat, where larger
  std::int32_t queue = -1;                 // dataflow: moves of one rank and queue follow each other in order
  Lane lane;
  Action action = Action::kStore;
  Buffer source_buffer = Buffer::kData;
  Buffer destination_buffer = Buffer::kData;
  std::uint8_t way = 0;  // of those that the schedule plans between its ends: Schedule::ways
};

// A claim of an algorithm about its schedule, checked on every move before it is used.
//   rotation  moves come in blocks of n; move p of a block is move 0 with positions and slots shifted by p
//             (slots by p*chunks/n); a move over all slots is its own shift
//   xor       the same with p -> p xor k and s -> s xor k*chunks/n; n a power of two, slot ranges aligned
// Of a schedule in pieces it is a claim about each piece.
enum class Symmetry : std::uint8_t { kNone, kRotation, kXor };

class Moves {
 public:
  // Moves in order, made one by one.
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Move;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Move;
    Iterator() = default;
    Iterator(const Moves* moves, std::size_t at) : moves_(moves), at_(at) {}
    Move operator*() const { return (*moves_)[at_]; }
    Iterator& operator++() { return ++at_, *this; }
    Iterator operator++(int) { return {moves_, at_++}; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    const Moves* moves_ = nullptr;
    std::size_t at_ = 0;
  };

  Moves() = default;
  Moves(std::initializer_list<Move> list) : listed_(list) {}
  Moves(std::vector<Move> list) : listed_(std::move(list)) {}
  // Every one of `first` followed by its translates under shifts 1 … ranks-1 of positions, and of blocks of chunks/ranks slots. A move
  // over all slots keeps them. Requires: endpoints are positions, buffers have `chunks` slots; for kXor ranks is a power of two, and a
  // range of slots lies in one block or is 2^j whole blocks from a multiple of 2^j on.
  static Moves translated(std::vector<Move> first, Symmetry symmetry, Position ranks, std::uint32_t chunks);
  // Every one of `first` once for each offset, which is added to its slots.
  static Moves in_runs(std::vector<Move> first, std::span<const std::uint32_t> offsets);

  std::size_t size() const { return listed_.size() * each_; }
  bool empty() const { return listed_.empty(); }
  Move operator[](std::size_t i) const {
    if (each_ == 1) return listed_[i];
    const auto at = static_cast<std::uint32_t>(i);  // fewer than 2^32 are asked for one by one
    return translate(at / each_, at % each_);
  }
  Move front() const { return listed_.front(); }
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size()}; }

  // What is listed, each of which stands for `each()` moves: all its translates by `symmetry()`, one per source, its runs, or itself.
  std::span<const Move> listed() const { return listed_; }
  std::span<Move> listed() { return listed_; }
  std::uint32_t each() const { return each_; }
  Symmetry symmetry() const { return symmetry_; }
  // Whether they are translates in a schedule of this shape, or just a list.
  bool fit(Position ranks, std::uint32_t chunks) const {
    return symmetry_ == Symmetry::kNone || (each_ == static_cast<std::uint32_t>(ranks) && chunks_ == chunks);
  }

  // All of them in a list.
  std::vector<Move>& list();
  auto begin() { return list().begin(); }
  auto end() { return list().end(); }
  Move& operator[](std::size_t i) { return list()[i]; }
  void push_back(const Move& move) { list().push_back(move); }
  void reserve(std::size_t count) { list().reserve(count); }

 private:
  Move translate(std::uint32_t which, std::uint32_t shift) const;
  std::uint32_t translate_slot(std::uint32_t slot, std::uint32_t count, std::uint32_t shift) const;

  std::vector<Move> listed_;
  std::uint32_t each_ = 1;
  std::uint32_t chunks_ = 1, block_ = 1;  // of translates
  std::vector<std::uint32_t> offsets_;    // of runs
  Symmetry symmetry_ = Symmetry::kNone;
};

}  // namespace helio::schedule
