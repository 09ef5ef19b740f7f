// SPDX-License-Identifier: Apache-2.0
#include "report/figures/schedule_again.h"

#include "pipeline/run.h"
#include "pipeline/strategy_groups.h"
#include "schedule/algorithm.h"

namespace helio::report {
namespace {

schedule::CollectiveRequest request_for(const pipeline::Collective& collective,
                                        const schedule::Capabilities& capabilities) {
  const auto root = static_cast<schedule::Position>(collective.root.value);
  const auto groups = collective.strategy.value
                          ? pipeline::groups_of(*collective.strategy.value, capabilities, collective.strategy.place)
                          : collective.groups.value;
  if (groups.empty())
    return schedule::request_on_all(collective.kind, collective.bytes.value,
                                    static_cast<schedule::Position>(capabilities.nodes), root);
  return {collective.kind, collective.bytes.value, groups, root};
}

Settings settings_of(const pipeline::Result& result) {
  Settings settings;
  for (const pipeline::Configuration& configuration : result.configuration)
    if (configuration.owner == "algorithm")
      for (const auto& [name, value] : configuration.values) settings[name] = {value, "result"};
  return settings;
}

}  // namespace

ScheduleAgain schedule_again(const pipeline::Experiment& experiment, const pipeline::Collective& collective,
                             const pipeline::Result& result) {
  ScheduleAgain again{.fabric = pipeline::make_fabric(experiment.fabric), .request = {}, .schedule = {}};
  again.request = request_for(collective, again.fabric->capabilities());
  again.schedule = schedule::build(result.algorithm, again.request, again.fabric->capabilities(), settings_of(result));
  return again;
}

}  // namespace helio::report
