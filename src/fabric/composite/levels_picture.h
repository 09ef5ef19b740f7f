// SPDX-License-Identifier: Apache-2.0
// What a composite looks like: its levels, the lowest first, and who reaches them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/quantity.h"

namespace helio::fabric {

struct LevelsPicture {
  struct Level {
    std::string name, fabric;                  // "between", "wdm-ring"
    std::uint64_t instances = 1;               // of the level,
    std::uint64_t units = 1;                   // what each of them joins: nodes, or instances of the level below,
    std::uint64_t unit = 1;                    // and how many nodes one of these has
    std::vector<std::uint32_t> gateways = {};  // nodes of a unit that reach the level; empty: all of them
    std::optional<BitRate> gateway_rate = {};
    BitRate injection;                                        // of one unit
    std::vector<std::pair<std::uint32_t, double>> slow = {};  // instances with lower rates, and what is left of them
  };
  std::vector<Level> levels;
};

}  // namespace helio::fabric
