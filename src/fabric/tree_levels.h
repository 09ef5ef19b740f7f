// SPDX-License-Identifier: Apache-2.0
// A tree of switches over NPUs or servers, by levels: which switches lie between them (FRED, OptINC).
//
//     radix 4x5       L2  ┌───────────── 0 ─────────────┐        level 2: 1 switch over 20 NPUs
//                         │                             │        uplinks of level 1: 5
//                     L1  0       1      2      3       4        level 1: 5 switches over 4 NPUs each
//                       0 1 2 3  4 5 …                16 … 19    level 0: the NPUs, each with its own link
//
// Requires throughout: at least one level, radices of at least one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/id.h"

namespace helio::fabric {

class TreeLevels {
 public:
  TreeLevels() = default;
  // `radix[l]`: what a switch of level l+1 has below it.
  explicit TreeLevels(std::span<const long long> radix);

  std::string words() const;  // "4x5"
  std::uint32_t levels() const { return static_cast<std::uint32_t>(radix_.size()); }
  std::uint32_t radix(std::uint32_t level) const { return radix_[level - 1]; }  // level 1 …
  std::uint32_t nodes() const { return span_.back(); }
  std::uint32_t span(std::uint32_t level) const {
    return span_[level];
  }  // NPUs below a switch of the level; 1 at level 0
  std::uint32_t switches(std::uint32_t level) const { return nodes() / span_[level]; }
  std::uint32_t switch_of(NodeId node, std::uint32_t level) const { return node.value / span_[level]; }
  // The lowest level at which one switch is above all of these. Requires: not empty.
  std::uint32_t meeting(std::span<const NodeId> nodes) const;
  // The switches of a level that are above any of these, each once, in increasing order.
  std::vector<std::uint32_t> above(std::span<const NodeId> nodes, std::uint32_t level) const;
  // How many of these are below a switch.
  std::uint32_t below(std::span<const NodeId> nodes, std::uint32_t level, std::uint32_t which) const;

 private:
  std::vector<std::uint32_t> radix_;
  std::vector<std::uint32_t> span_{1};
};

}  // namespace helio::fabric
