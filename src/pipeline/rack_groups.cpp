// SPDX-License-Identifier: Apache-2.0
#include "pipeline/rack_groups.h"

#include "base/units.h"
#include "fabric/electrical/fat_tree.h"

namespace helio::pipeline {

std::optional<std::uint32_t> k_for_groups(const Choice& fabric, long long group) {
  const auto nodes = fabric.settings.find("nodes");
  if (fabric.name != "fat-tree" || fabric.settings.contains("k") || nodes == fabric.settings.end()) return std::nullopt;
  const std::uint32_t smallest =
      fabric::smallest_fat_tree(static_cast<std::uint64_t>(parse_integer(nodes->second.text)));
  if (group < 2) return std::nullopt;
  std::uint32_t k = smallest;
  while (k <= fabric::kMostFatTreePorts && k / 2 % static_cast<std::uint64_t>(group) != 0) k += 2;
  if (k == smallest || k > fabric::kMostFatTreePorts) return std::nullopt;
  return k;
}

}  // namespace helio::pipeline
