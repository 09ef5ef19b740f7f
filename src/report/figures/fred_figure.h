// SPDX-License-Identifier: Apache-2.0
// A configured FRED switch on a page: micro-switches, wires, flows in colours, where vectors are added and copied (drawn by web/fred.js;
// places from fred_picture.h). What fred_drawing.h has as a picture of its own, here with flows that come to the front.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "fabric/fred/fred_router.h"
#include "fabric/fred/fred_switch.h"
#include "pipeline/experiment.h"
#include "pipeline/result.h"
#include "report/figures/figure.h"

namespace helio::report {

struct ShownSwitch {
  std::string title;
  const fabric::FredSwitch* fred = nullptr;
  const fabric::FredConfiguration* configuration = nullptr;
  std::span<const fabric::Flow> flows;
};

inline constexpr std::size_t kMostShownElements = 2000;  // of one switch; Fred_3(64) has 1,087

// One or more, of which the reader chooses. Requires: each configuration carries its flows (fabric::check_collective passed).
Figure fred_figure(std::span<const ShownSwitch> switches);

// Of a collective on fabric `fred`: the switch, or the chiplets of one plane, that carry most flows at once. None where no flow is
// added or copied in a switch, a remedy was needed, planes carry different flows, or a switch has more than kMostShownElements.
std::optional<Figure> fred_figure(const pipeline::Experiment& experiment, const pipeline::Collective& collective,
                                  const pipeline::Result& result);

}  // namespace helio::report
