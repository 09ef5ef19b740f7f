// SPDX-License-Identifier: Apache-2.0
#include "schedule/lattice.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"

namespace helio::schedule {
namespace {

// Of one phase, 0.8 GB.
constexpr double kMostMoves = 1 << 24;

}  // namespace

Lattice::Lattice(std::vector<Axis> axes) : axes_(std::move(axes)) {
  for (const Axis& axis : axes_) {
    steps_.push_back(ranks_);
    ranks_ *= axis.extent;
  }
}

Share lay_out(const Lattice& lattice, Kind kind, std::vector<std::size_t> order, int direction, std::uint32_t index,
              std::uint32_t shares) {
  Share share{.order = std::move(order),
              .direction = direction,
              .first = index,
              .weight = std::vector<std::uint32_t>(lattice.axes().size())};
  if (is_rank_indexed(kind) || lattice.axes().size() == 1) {
    for (std::size_t a = 0; a < share.weight.size(); ++a)
      share.weight[a] = static_cast<std::uint32_t>(lattice.step(a)) * shares;
    return share;
  }
  share.first = index * static_cast<std::uint32_t>(lattice.ranks());
  std::uint32_t slots = 1;
  for (auto axis = share.order.rbegin(); axis != share.order.rend(); ++axis) {
    share.weight[*axis] = slots;
    slots *= static_cast<std::uint32_t>(lattice.axes()[*axis].extent);
  }
  return share;
}

Stage::Stage(const Lattice& lattice, const Share& share, std::size_t stage, std::uint32_t chunks)
    : lattice_(lattice),
      share_(share),
      stage_(stage),
      axis_(share.order[stage]),
      extent_(lattice.axes()[axis_].extent),
      weight_(share.weight[axis_]),
      cyclic_(static_cast<std::uint64_t>(extent_) * weight_ == chunks),
      offsets_{0} {
  // The axes still to come, finest first: they lengthen the run, or multiply the runs
  std::vector<std::size_t> coming(share.order.begin() + static_cast<std::ptrdiff_t>(stage) + 1, share.order.end());
  std::sort(coming.begin(), coming.end(),
            [&](std::size_t a, std::size_t b) { return share.weight[a] < share.weight[b]; });
  for (const std::size_t axis : coming) {
    const auto extent = static_cast<std::uint32_t>(lattice.axes()[axis].extent);
    if (share.weight[axis] == run_) {
      run_ *= extent;
      continue;
    }
    const double moves = static_cast<double>(lattice.ranks()) * static_cast<double>(offsets_.size()) * extent;
    if (moves > kMostMoves)
      throw Error(ErrorKind::kInfeasible,
                  fmt::format("the blocks of {} ranks lie so scattered that a round takes {:.2g} moves",
                              lattice.ranks(), moves),
                  "", "take fewer ranks, all-reduce, or an algorithm with fewer moves such as ring");
    const std::size_t before = offsets_.size();
    for (std::uint32_t x = 1; x < extent; ++x)
      for (std::size_t i = 0; i < before; ++i) offsets_.push_back(offsets_[i] + x * share.weight[axis]);
  }
}

std::uint32_t Stage::first_slot(Position p) const {
  std::uint32_t slot = share_.first;
  for (std::size_t k = 0; k < stage_; ++k)
    slot += static_cast<std::uint32_t>(lattice_.coordinate(p, share_.order[k])) * share_.weight[share_.order[k]];
  return slot;
}

}  // namespace helio::schedule
