// SPDX-License-Identifier: Apache-2.0
#include "fabric/tree_levels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace helio::fabric {

TreeLevels::TreeLevels(std::span<const long long> radix) {
  for (const long long r : radix) {
    radix_.push_back(static_cast<std::uint32_t>(r));
    span_.push_back(span_.back() * radix_.back());
  }
}

std::string TreeLevels::words() const { return fmt::format("{}", fmt::join(radix_, "x")); }

std::uint32_t TreeLevels::meeting(std::span<const NodeId> nodes) const {
  const auto [least, most] = std::ranges::minmax(nodes, {}, [](NodeId node) { return node.value; });
  std::uint32_t level = 1;
  while (least.value / span_[level] != most.value / span_[level]) ++level;
  return level;
}

std::vector<std::uint32_t> TreeLevels::above(std::span<const NodeId> nodes, std::uint32_t level) const {
  std::vector<std::uint32_t> found;
  for (const NodeId node : nodes) found.push_back(switch_of(node, level));
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::uint32_t TreeLevels::below(std::span<const NodeId> nodes, std::uint32_t level, std::uint32_t which) const {
  return static_cast<std::uint32_t>(
      std::ranges::count_if(nodes, [&](NodeId node) { return switch_of(node, level) == which; }));
}

}  // namespace helio::fabric
