// SPDX-License-Identifier: Apache-2.0
// Configured switches of a FRED fabric, as reports draw them: the switch of all NPUs, or the chiplets of one plane.
#pragma once

#include <string>
#include <vector>

#include "fabric/fred/fred_router.h"
#include "fabric/fred/fred_switch.h"

namespace helio::fabric {

struct FredShown {
  std::string title;  // "L2 chip 0"
  FredSwitch fred;
  FredConfiguration configuration;  // carries `flows`
  std::vector<Flow> flows;
};

struct FredPicture {
  std::vector<FredShown> switches;
};

inline constexpr std::size_t kMostShownElements = 2000;  // of one switch; Fred_3(64) has 1,087

}  // namespace helio::fabric
