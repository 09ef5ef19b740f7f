// SPDX-License-Identifier: Apache-2.0
// The schedule language: what moves, between whom, in which round. Nothing about when or over which wire.
//
// Every rank of a group owns a row of slots in three buffers:
//
//     data     [0, chunks)    holds the input before the first round
//     output   [0, chunks)    starts as a copy of data; only where a schedule does not work in place
//     scratch  [0, scratch)   starts undefined
//
// The full vector of the request (`bytes`) is cut into `chunks` equal slots; block b of a rank-indexed kind is slots
// [b*chunks/n, (b+1)*chunks/n). Before and after, with x(r,s) the input of rank r in slot s:
//
//     kind            data[s] of rank r before      result[s] of rank r after
//     all-reduce      x(r,s)                        sum over q of x(q,s)
//     reduce-scatter  x(r,s)                        sum over q of x(q,s)    for s in block r
//     all-gather      x(r,s) for s in block r       x(q,s), q the owner of block s
//     broadcast       x(root,s) at the root         x(root,s)
//     reduce          x(r,s)                        sum over q of x(q,s)    at the root
//     all-to-all      x(r,s)                        block q holds x(q, block r)
//
// A Phase is a list of moves, repeated. From round to round only slots change: in round i of a phase a move whose
// first active round is f touches slots first + stride*(i-f) .. +count-1, modulo the buffer's size. Endpoints, lanes
// and therefore routes do not change, so they are settled once per phase however often it repeats.
// All moves of a round read what was there before the round. In one round a slot may be reduced into by many moves
// or stored to by one, not both.
//
//     ring all-reduce, n = 4, one move of phase 1:   2 --reduce slot 1,0,3--> 3     repeat 3, stride -1
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/fact.h"
#include "schedule/moves.h"
#include "schedule/network.h"
#include "schedule/request.h"

namespace helio::schedule {

// How the rounds of a group wait for each other.
//   step      a group's round starts when its last round has ended everywhere
//   dataflow  a move waits only for the moves of earlier rounds that wrote what it reads or touched what it
//             overwrites, and for the one before it in its queue. A move without a queue is a queue of its own:
//             its rounds follow each other.
enum class Order : std::uint8_t { kStep, kDataflow };

struct Phase {
  std::string name;          // "reduce-scatter"
  std::uint32_t repeat = 1;  // rounds
  Moves moves;
};

struct Schedule;

// One level of a schedule that goes by levels (by_level.h): the same schedule among the units of every team, each unit being one node of
// the level's fabric. What moves between two units is divided evenly among their holders.
struct LevelStage {
  struct Team {
    std::vector<std::vector<Position>> holders;  // by rank of `schedule`; as many of each
  };
  std::uint32_t part = 0;                    // of Capabilities::parts: the level
  std::shared_ptr<const Schedule> schedule;  // among units
  double share = 1;                          // of the request's bytes: the request among units
  std::vector<Team> teams = {};              // disjoint; they run side by side
  std::uint32_t chain = 0;  // stages of one part of the vector follow each other; parts know nothing of each other
  double wire = 1;          // bytes that travel for one of the vector: less where codes of averages do
};

struct Schedule {
  std::string algorithm;
  Kind kind = Kind::kAllReduce;
  Position ranks = 1;
  Position root = 0;
  std::uint32_t chunks = 1;   // slots of `data` and of `output`; a multiple of `ranks` for rank-indexed kinds
  std::uint32_t scratch = 0;  // slots of `scratch`
  Buffer result = Buffer::kData;
  Order order = Order::kStep;
  bool adds_commute =
      false;  // dataflow: what adds to a slot does not wait for others that add to it, only who reads it does
  Symmetry symmetry = Symmetry::kNone;
  std::uint32_t pieces = 1;  // a claim too: that many equal pieces pass through the rounds of one (pipelined.h)
  std::vector<Phase> phases;
  // How `phases` are carried by a fabric made of fabrics: stage after stage of each chain, in `waves` equal parts that follow each other.
  std::vector<LevelStage> stages;
  std::uint32_t waves = 1;
  std::vector<std::vector<Position>> sets;  // endpoints of in-fabric moves, each sorted and without repeats
  std::vector<PlannedWay> ways;             // sorted by key, each once; other moves take the fabric's own
  Facts facts;                              // what the algorithm chose: "group", "stripe", "levels"

  // The positions behind an endpoint of a move of this schedule. The span of a single position points into the move.
  std::span<const Position> members(const Position& endpoint) const {
    if (endpoint >= 0) return {&endpoint, 1};
    return sets[static_cast<std::size_t>(~endpoint)];
  }
  std::uint32_t slots(Buffer buffer) const { return buffer == Buffer::kScratch ? scratch : chunks; }
  std::uint32_t block() const { return chunks / static_cast<std::uint32_t>(ranks); }
  Bytes slot_bytes(Bytes full) const { return full / static_cast<double>(chunks); }
};

// Whether the kind's slots belong to ranks, so that `chunks` must be a multiple of `ranks`.
bool is_rank_indexed(Kind kind);

// First slot that `move` touches in `round`, on either side, in [0, size).
// Requires: the move is active in the round; size > 0.
std::uint32_t slot_in_round(const Move& move, std::uint32_t first_slot, std::uint32_t round, std::uint32_t size);

// The rounds of its phase in which a move is active: [first, last).
struct Window {
  std::uint32_t first = 0, last = 0;
};
inline Window window(const Move& move, const Phase& phase) {
  const std::uint32_t last = move.last_round < phase.repeat ? move.last_round : phase.repeat;
  return {move.first_round < last ? move.first_round : last, last};
}

// Throws Error(kInput) naming phase and move when an index is out of range, a move sends to itself, a set is unsorted, or
// a rank-indexed kind has chunks that its ranks do not divide. Every other room may rely on a checked schedule.
void check(const Schedule& schedule);

// Whole rounds over all phases, sub-rounds of a fabric not counted.
std::uint64_t rounds(const Schedule& schedule);

}  // namespace helio::schedule
