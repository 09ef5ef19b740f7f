// SPDX-License-Identifier: Apache-2.0
// A configured FRED switch on a page: micro-switches, wires, flows in colours, where vectors are added and copied (drawn by web/fred.js;
// places from fred_picture.h). What fred_drawing.h has as a picture of its own, here with flows that come to the front.
#pragma once

#include <span>
#include <string>

#include "fabric/fred/fred_picture.h"
#include "fabric/fred/fred_router.h"
#include "fabric/fred/fred_switch.h"
#include "report/figures/figure.h"

namespace helio::report {

struct ShownSwitch {
  std::string title;
  const fabric::FredSwitch* fred = nullptr;
  const fabric::FredConfiguration* configuration = nullptr;
  std::span<const fabric::Flow> flows;
};

// One or more, of which the reader chooses. Requires: each configuration carries its flows (fabric::check_collective passed).
Figure fred_figure(std::span<const ShownSwitch> switches);

// Of a collective on fabric `fred`, as its carrier shows it.
Figure fred_figure(const fabric::FredPicture& picture);

}  // namespace helio::report
