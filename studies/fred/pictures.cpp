// SPDX-License-Identifier: Apache-2.0
#include "studies/fred/chapters.h"

#include <fmt/format.h>

#include <deque>
#include <variant>

#include "report/figures/fred_figure.h"
#include "studies/fred/strategy_flows.h"

namespace helio::studies::fred_study {

using placement::TrainingPhase;

std::vector<report::Figure> pictures() {
  const fabric::FredSwitch fred(8, 3);
  std::deque<std::vector<fabric::Flow>> flows;
  std::deque<fabric::FredConfiguration> settings;
  std::vector<report::ShownSwitch> shown;
  for (const TrainingPhase phase : {TrainingPhase::kDp, TrainingPhase::kMp, TrainingPhase::kPp}) {
    const placement::StrategyPhase what{.mp = 2, .dp = 2, .pp = 2, .phase = phase};
    flows.push_back(flows_of(what));
    settings.push_back(std::get<fabric::FredConfiguration>(fabric::route(fred, flows.back())));
    shown.push_back({fmt::format("strategy {}", what.name()), &fred, &settings.back(), flows.back()});
  }
  report::Figure figure = report::fred_figure(shown);
  figure.title = "Fred_3(8), set for the phases of strategy 2-2-2 (MP-DP-PP)";
  return {figure};
}

}  // namespace helio::studies::fred_study
