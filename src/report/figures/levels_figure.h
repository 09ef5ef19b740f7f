// SPDX-License-Identifier: Apache-2.0
// A composite as it ran: levels, instances and gateways, which classes of traffic each level carries, how full its links are (drawn by
// web/levels.js).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fabric/composite/levels_picture.h"
#include "report/figures/figure.h"

namespace helio::report {

// What one level did.
struct LevelLoad {
  double mean = 0, most = 0;  // share of the time that its links carry bytes: on average, and the busiest of them
  std::string busiest = {};   // the name of that
  std::vector<std::pair<std::string, double>> carried = {};  // by class of traffic: bytes over its links
};

// Requires: a load for each level.
Figure levels_figure(const fabric::LevelsPicture& composite, const std::vector<LevelLoad>& loads);

}  // namespace helio::report
