// SPDX-License-Identifier: Apache-2.0
// A FRED switch with flows on it, in words and as one object (docs/fred.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fabric/fred/fred_router.h"
#include "fabric/fred/fred_simulation.h"

namespace helio::report {

struct FredRoute {
  std::uint32_t ports = 0, middle = 0;
  std::vector<fabric::Flow> flows;
  fabric::FredRouting routing;
  fabric::FredCheck check;  // of what was routed
  std::string svg;          // where a drawing was asked for,
  bool drawn = false;       // and whether it is there
};

std::string to_json(const FredRoute& route);
std::string to_text(const FredRoute& route);

}  // namespace helio::report
