// SPDX-License-Identifier: Apache-2.0
#include "schedule/stripe.h"

#include <utility>

#include "schedule/fact_kinds.h"

namespace helio::schedule {

AlgorithmEntry striped(AlgorithmEntry entry) {
  Parameter stripe{
      .name = "stripe",
      .type = ParameterType::kInteger,
      .fallback = "1",
      .minimum = "1",
      .maximum = "4096",
      .description = "wavelengths that carry each move together; more than 1 only on fabrics that have them",
      .matters = {"all-reduce fabric=wdm-ring nodes=16 bytes=1MB algorithm=" + entry.description.name, "4", ""}};
  entry.description.parameters.push_back(std::move(stripe));
  entry.description.facts.push_back(kStripeFact);
  entry.factory.build = [build = std::move(entry.factory.build)](const CollectiveRequest& request,
                                                                 const Capabilities& capabilities,
                                                                 const Parameters& parameters) {
    Schedule schedule = build(request, capabilities, parameters);
    const auto width = static_cast<std::int16_t>(parameters.integer("stripe"));
    if (width == 1) return schedule;
    for (Phase& phase : schedule.phases)
      for (Move& move : phase.moves.listed()) move.lane.width = width;
    schedule.facts.push_back({kStripeFact, static_cast<double>(width)});
    return schedule;
  };
  return entry;
}

}  // namespace helio::schedule
