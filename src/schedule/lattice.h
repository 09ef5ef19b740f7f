// SPDX-License-Identifier: Apache-2.0
// Ranks on a lattice, and blocks that are reduced along one axis after the other.
//
//       ─▶ axis 0              position p = x0 + X0 (x1 + X1 (x2 + …)), axis 0 fastest; every extent X at least 2
//     │  0  1  2  3
//     ▼  4  5  6  7
//     1  8  9 10 11
//
// A share of the vector takes the axes in an order of its own. When rank x enters stage k it is in charge of the blocks
// of all ranks that agree with it in the axes before k; the stage is a reduce-scatter along axis order[k], after which
// they agree in that axis too.
//
//     order 0, 1:  rank 6 is in charge of all  →  2, 6, 10  →  6
//     order 1, 0:  rank 6 is in charge of all  →  4, 5, 6, 7  →  6
//
// All-gather takes the stages backwards. Every block of the share is a slot, and where it lies is linear in the
// coordinates of its rank, first + sum of x[a]*weight[a]:
//
//     by rank   block r of the vector holds one slot of each share, as rank-indexed kinds demand
//     apart     a share is a range of its own, the axis of its first stage slowest: its part of a rank is one run
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "schedule/schedule.h"

namespace helio::schedule {

struct Axis {
  Position extent = 2;
  std::string name;     // "dimension 0"
  bool folded = false;  // a line whose ends are far apart: see walk.h
};

class Lattice {
 public:
  explicit Lattice(std::vector<Axis> axes);

  Position ranks() const { return ranks_; }
  const std::vector<Axis>& axes() const { return axes_; }
  Position step(std::size_t axis) const { return steps_[axis]; }  // positions from one rank to the next along the axis
  Position coordinate(Position p, std::size_t axis) const { return p / steps_[axis] % axes_[axis].extent; }
  // The rank at `coordinate` of `axis` that agrees with p in all others.
  Position at(Position p, std::size_t axis, Position coordinate) const {
    return p + (coordinate - this->coordinate(p, axis)) * steps_[axis];
  }

 private:
  std::vector<Axis> axes_;
  std::vector<Position> steps_;
  Position ranks_ = 1;
};

struct Share {
  std::vector<std::size_t> order;     // axes, each once
  int direction = +1;                 // in which its walks go along every axis
  std::uint32_t first = 0;            // slot of the block of rank 0
  std::vector<std::uint32_t> weight;  // by axis
};

// Share `index` of `shares` of a schedule of `kind` with ranks*shares slots: by rank where the kind demands it, or
// where that is one run too because there is one axis; else apart.
Share lay_out(const Lattice& lattice, Kind kind, std::vector<std::size_t> order, int direction = +1,
              std::uint32_t index = 0, std::uint32_t shares = 1);

// The slots of one stage of one share in a buffer of `chunks`.
class Stage {
 public:
  // Throws Error(kInfeasible) where the blocks are scattered over so many runs that the moves would not fit into
  // memory.
  Stage(const Lattice& lattice, const Share& share, std::size_t stage, std::uint32_t chunks);

  std::size_t axis() const { return axis_; }
  std::uint32_t weight() const { return weight_; }  // slots from one block to the next
  bool is_cyclic() const { return cyclic_; }        // the block after the last lies where the first does, modulo chunks
  std::span<const std::uint32_t> runs() const { return offsets_; }  // of one block, by where they begin
  std::uint32_t run() const { return run_; }                        // slots of each
  // Where the first run of this block begins, of what p is in charge of.
  std::uint32_t first_run(Position p, Position block) const {
    return first_slot(p) + static_cast<std::uint32_t>(block) * weight_;
  }
  // Whether these blocks are one range of slots in each run.
  bool in_one_range(Position block, Position blocks) const {
    return run_ == weight_ && (cyclic_ || block + blocks <= extent_);
  }

  // Calls visit(first slot, slots) for the runs of blocks [block, block+blocks), modulo the extent, of what p is in
  // charge of.
  template <class Visit>
  void for_each_run(Position p, Position block, Position blocks, Visit visit) const {
    const std::uint32_t base = first_slot(p);
    const auto within = [&](Position from, Position count) {
      for (const std::uint32_t offset : offsets_)
        visit(base + offset + static_cast<std::uint32_t>(from) * weight_, static_cast<std::uint32_t>(count) * run_);
    };
    if (in_one_range(block, blocks))
      within(block, blocks);
    else if (run_ != weight_)
      for (Position b = 0; b < blocks; ++b) within((block + b) % extent_, 1);
    else
      within(block, extent_ - block), within(0, blocks - (extent_ - block));
  }

 private:
  std::uint32_t first_slot(Position p) const;

  const Lattice& lattice_;
  const Share& share_;
  std::size_t stage_, axis_;
  Position extent_;
  std::uint32_t weight_, run_ = 1;
  bool cyclic_;
  std::vector<std::uint32_t> offsets_;  // of the runs of block 0
};

}  // namespace helio::schedule
