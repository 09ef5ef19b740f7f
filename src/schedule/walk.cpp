// SPDX-License-Identifier: Apache-2.0
#include "schedule/walk.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace helio::schedule {
namespace {

// The ring along one axis, walked in one direction. Blocks are named by the coordinate of their rank.
class AxisRing {
 public:
  AxisRing(const Axis& axis, int direction, bool cyclic) : extent_(axis.extent), direction_(direction) {
    // Who stands where on the ring
    for (Position x = 0; x < extent_; ++x) order_.push_back(x);
    if (axis.folded) std::stable_partition(order_.begin(), order_.end(), [](Position x) { return x % 2 == 0; });
    if (axis.folded) std::reverse(order_.begin() + (extent_ + 1) / 2, order_.end());
    place_.resize(order_.size());
    for (Position j = 0; j < extent_; ++j) place_[at(order_[at(j)])] = j;

    // How far blocks are equally spaced, walking from each place on
    steps_.resize(order_.size());
    for (Position j = 0; j < extent_; ++j) steps_[at(j)] = order_[at(onwards(j, 1))] - order_[at(j)];
    if (cyclic && !axis.folded) steps_.assign(order_.size(), -direction);
    reach_.assign(order_.size(), extent_);
    if (std::equal(steps_.begin() + 1, steps_.end(), steps_.begin())) return;
    for (Position turns = 2 * extent_, j = 0; turns > 0; --turns, j = onwards(j, -1)) {
      const Position next = onwards(j, 1);
      reach_[at(j)] = steps_[at(j)] == steps_[at(next)] ? std::min(extent_, reach_[at(next)] + 1) : 2;
    }
  }

  // To whom the rank at coordinate x sends.
  Position neighbour(Position x) const { return order_[at(onwards(place_[at(x)], -1))]; }

  // Calls visit(block, blocks from round to round, first round, last round) for equally spaced stretches of what the
  // rank at x sends in rounds [first, last): in round i the block i+lag places behind it.
  template <class Visit>
  void for_each_stretch(Position x, Position lag, Position first, Position last, Visit visit) const {
    for (Position i = first; i < last;) {
      const Position j = onwards(place_[at(x)], lag + i);
      const Position length = std::min(reach_[at(j)], last - i);
      visit(order_[at(j)], length > 1 ? steps_[at(j)] : 0, i, i + length);
      i += length;
    }
  }

 private:
  static std::size_t at(Position p) { return static_cast<std::size_t>(p); }
  // The place whose block is sent `rounds` later than that of place j: against the direction.
  Position onwards(Position j, Position rounds) const {
    return ((j - direction_ * rounds) % extent_ + extent_) % extent_;
  }

  Position extent_;
  int direction_;
  std::vector<Position> order_, place_;  // coordinate of a place on the ring, and back
  std::vector<Position> steps_, reach_;  // by place
};

// Rounds [done, done + rounds) of one stage.
Moves moves_of(const Lattice& lattice, const Share& share, std::size_t k, Action action, std::uint32_t chunks,
               std::uint32_t done, std::uint32_t rounds) {
  const Stage stage(lattice, share, k, chunks);
  const AxisRing ring(lattice.axes()[stage.axis()], share.direction, stage.is_cyclic());
  const Position lag = action == Action::kReduce ? 1 : 0;
  const auto first = static_cast<Position>(done), last = static_cast<Position>(done + rounds);
  std::vector<Move> moves;  // of the first run of each block; other runs go with it
  for (Position p = 0; p < lattice.ranks(); ++p) {
    const Position x = lattice.coordinate(p, stage.axis());
    const Position to = lattice.at(p, stage.axis(), ring.neighbour(x));
    ring.for_each_stretch(x, lag, first, last, [&](Position block, Position spacing, Position from, Position until) {
      const std::uint32_t slot = stage.first_run(p, block);
      moves.push_back({.source = p,
                       .destination = to,
                       .source_slot = slot,
                       .destination_slot = slot,
                       .count = stage.run(),
                       .stride = spacing * static_cast<std::int32_t>(stage.weight()),
                       .first_round = static_cast<std::uint32_t>(from - first),
                       .last_round = static_cast<std::uint32_t>(until - first),
                       .action = action});
    });
  }
  moves.shrink_to_fit();
  return Moves::in_runs(std::move(moves), stage.runs());
}

// When a share enters each of its stages.
struct Entry {
  std::uint32_t round = 0;
  std::size_t stage = 0;
};
std::vector<Entry> itinerary(const Lattice& lattice, const Share& share, Action action, std::size_t first_stage) {
  std::vector<Entry> entries;
  std::uint32_t round = 0;
  const std::size_t stages = share.order.size();
  for (std::size_t i = first_stage; i < stages; ++i) {
    const std::size_t stage = action == Action::kReduce ? i : stages - 1 - (i - first_stage);
    entries.push_back({round, stage});
    round += static_cast<std::uint32_t>(lattice.axes()[share.order[stage]].extent - 1);
  }
  entries.push_back({round, stages});
  return entries;
}

}  // namespace

std::vector<Phase> walk_axes(const Lattice& lattice, std::span<const Share> shares, Action action, std::uint32_t chunks,
                             std::size_t first_stage) {
  // Cut where a share changes axis
  std::vector<std::vector<Entry>> itineraries;
  std::vector<std::uint32_t> cuts;
  for (const Share& share : shares) {
    itineraries.push_back(itinerary(lattice, share, action, first_stage));
    for (const Entry& entry : itineraries.back()) cuts.push_back(entry.round);
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());

  // Between two cuts every share walks along one axis
  std::vector<Phase> phases;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    Phase& phase = phases.emplace_back(Phase{.repeat = cuts[i + 1] - cuts[i]});
    std::vector<std::string> names;
    for (std::size_t s = 0; s < shares.size(); ++s) {
      const auto entered =
          std::prev(std::upper_bound(itineraries[s].begin(), itineraries[s].end(), cuts[i],
                                     [](std::uint32_t round, const Entry& e) { return round < e.round; }));
      Moves moves =
          moves_of(lattice, shares[s], entered->stage, action, chunks, cuts[i] - entered->round, phase.repeat);
      if (s == 0)
        phase.moves = std::move(moves);
      else
        for (const Move& move : std::as_const(moves)) phase.moves.push_back(move);
      const std::string& name = lattice.axes()[shares[s].order[entered->stage]].name;
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    phase.name =
        fmt::format("{}, {}", action == Action::kReduce ? "reduce-scatter" : "all-gather", fmt::join(names, " and "));
  }
  return phases;
}

}  // namespace helio::schedule
