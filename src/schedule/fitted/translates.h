// SPDX-License-Identifier: Apache-2.0
// Trees of one root that are everybody's, on a network that looks the same from every node: a ring, a torus.
//
//     torus 5x3, root 0, in which round each node gets a piece, and by which link
//
//       0   1▶  2▶  2◀  1◀          the trees of root r are these, moved by r: what node o gets of 0 in round t, r + o gets of r
//       1▼  2▼  3▼  3▼  2▼
//       1▲  2▲  3▲  3▲  2▲          a round lasts as long as the direction that most pieces take
//
// In a round every direction takes as many pieces as every other, as long as there are enough: if q each is possible decides Hall's theorem,
// and who goes where augmenting paths (Hall 1935; Kuhn 1955). Pieces with few ways in go first, the nearest before others, so that what is left for the end can come
// from anywhere. So bytes are those that the tightest cut demands, and rounds hardly more than the way to the farthest node.
//
// The tightest cut needs no flow: of a connected network that looks the same from every node it is all but one of them (Mader 1971;
// with directions Hamidoune 1977).
//
// Invariant: a piece comes in a round from a neighbour that had it before; every node gets every piece once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "schedule/network.h"

namespace helio::schedule {

// Nodes numbered as a torus is, dimension 0 fastest.
class Torus {
 public:
  explicit Torus(std::span<const long long> sides);

  std::uint32_t nodes() const { return nodes_; }
  std::uint32_t sum(std::uint32_t a, std::uint32_t b) const;
  std::uint32_t difference(std::uint32_t a, std::uint32_t b) const;  // a moved back by b

 private:
  std::vector<std::uint32_t> sides_;
  std::uint32_t nodes_ = 1;
};

// Where the links out of every node lead, as differences, if they are the same for all: one link each, of one rate and one latency.
// Empty: they are not, or they are too many to be balanced this way.
std::vector<std::uint32_t> directions_of(const Network& network, const Torus& torus);

struct TranslatedTrees {
  struct Step {
    std::uint32_t direction = 0;  // index: the last link
    std::uint32_t node = 0;       // that the piece comes to
    std::uint32_t piece = 0;
  };
  std::uint32_t pieces = 1;
  std::vector<std::vector<Step>> rounds;  // in each by direction, then by node, the last first
  std::uint64_t busiest = 0;              // pieces, over all rounds, of the direction that has most in each
};

enum class Rounds : std::uint8_t { kThrifty, kFewest };  // all directions alike, or whatever can be had in each

// Requires: directions lead everywhere.
TranslatedTrees translated_trees(const Torus& torus, std::span<const std::uint32_t> directions, std::uint32_t pieces,
                                 Rounds rounds);

}  // namespace helio::schedule
