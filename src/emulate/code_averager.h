// SPDX-License-Identifier: Apache-2.0
// Averages of codes as a cascade of optical switches computes them, by table: after preprocessing the inputs of a network are few.
//
//     codes u_0 … u_{N-1} ──spread──▶ Σ = index of the grid point ──table──▶ G        one level, N + 1 look-ups an element
//
// The index of a point is Σ_k s_k L^k (photonics::Grid), and s_k = Σ_i d_{i,k}: it is a sum over servers of Σ_k d_{i,k} L^k, which
// depends on one code only. So no symbol is ever taken apart.
//
//     level 1   N codes of B bits           ─▶ B bits and `fraction` symbols below the point
//     level 2   N averages of those         ─▶ B bits and 2·fraction symbols …
//     last      …                           ─▶ B bits
//
// A level may have several tables (a noisy network asked again and again): every element of every step asks one of them, by a hash.
//
// papers/optinc.md 2.2, 2.6. Where a level's grid is too large for a table (B = 16) its network is evaluated point by point.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/averaging.h"
#include "base/mix.h"
#include "photonics/onn.h"

namespace helio::emulate {

// Tables have at most so many points (N = 16, B = 8 has 5.76 million), unless the caller says otherwise.
inline constexpr double kMostTablePoints = 0x1p24;

class CodeAverager {
 public:
  // Every level computes the exact target of its task. Throws Error(kInput) for tasks that check() refuses.
  explicit CodeAverager(const AveragingCascade& cascade, double most_table_points = kMostTablePoints);
  // Every level computes what its network says, with `noise` (StageNoise::sigma) drawn for every element and step. Throws Error(kInput)
  // where a network is not made for its level's task. Requires: no tables with noise.
  CodeAverager(const AveragingCascade& cascade, std::span<const photonics::Onn> networks,
               double most_table_points = kMostTablePoints, double noise = 0);
  // Every level answers what it is told: answers[l] holds one or more tables over the grid of level l, one after the other, in the
  // order of photonics::Grid. Throws Error(kInput) for tables that are not as long as their grid.
  CodeAverager(const AveragingCascade& cascade, std::span<const std::vector<std::uint32_t>> answers);

  std::uint32_t servers() const { return servers_; }  // all ports of the first level
  int bits() const { return levels_.front().task.bits; }

  struct Level {
    AveragingTask task;
    std::vector<std::uint32_t> spread;      // of a code that enters, to its part of the index; empty: no table
    std::vector<std::uint8_t> small;        // the tables, where G has 8 bits,
    std::vector<std::uint32_t> large;       // or more
    std::uint32_t points = 0, tables = 1;   // of one table; how many there are
    std::optional<photonics::Onn> network;  // not set: the exact target, or tables that were given
    double noise = 0;                       // after every stage of the network

    bool has_table() const { return !spread.empty(); }
  };
  const std::vector<Level>& levels() const { return levels_; }

 private:
  std::vector<Level> levels_;
  std::uint32_t servers_ = 1;
};

// One block of elements on its way through a cascade: codes of server after server come in, their average goes out.
class AveragingBlock {
 public:
  // Keeps a reference. `seed` is that of the random light of Rounding::kDither, of the choice among tables, and of noise.
  AveragingBlock(const CodeAverager& averager, std::size_t most_elements, std::uint64_t seed = 0);

  // `first`: the number of the first element, so that the same element always gets the same dither. Requires: at most most_elements.
  void begin(std::size_t elements, std::uint64_t first);
  // The next server's. Requires: as many as elements, below 2^bits.
  void add(std::span<const std::uint32_t> codes);
  // Requires: all servers were added.
  std::span<const std::uint32_t> result() const { return {averages_.back().data(), elements_}; }

 private:
  void enter(std::size_t level, const std::uint32_t* codes);
  void finish(std::size_t level);

  const CodeAverager& averager_;
  std::uint64_t seed_, first_ = 0;
  std::size_t elements_ = 0;
  std::vector<std::uint32_t> entered_, finished_;     // by level: codes of this switch, switches before it
  std::vector<std::vector<std::uint32_t>> sums_;      // by level: indices, or the sums of position after position
  std::vector<std::vector<std::uint32_t>> averages_;  // by level
};

// Seeds of what is drawn for element after element: the light of level l, and the table that switch `number` of level l asks.
constexpr std::uint64_t light_seed(std::uint64_t seed, std::uint64_t level) { return seed + level; }
constexpr std::uint64_t table_seed(std::uint64_t seed, std::uint64_t level, std::uint64_t number) {
  return mixed(seed, (level << 32) + number);
}

}  // namespace helio::emulate
