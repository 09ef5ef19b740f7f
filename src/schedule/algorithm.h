// SPDX-License-Identifier: Apache-2.0
// The catalogue of algorithms: CollectiveRequest + Capabilities -> Schedule.
#pragma once

#include <functional>
#include <vector>

#include "base/catalogue.h"
#include "schedule/capabilities.h"
#include "schedule/request.h"
#include "schedule/schedule.h"

namespace helio::schedule {

struct Algorithm {
  std::vector<Kind> kinds;  // those it has
  // Throws Error(kInfeasible) with the reason when this request or fabric does not admit it.
  // Requires: request is checked, its kind is in `kinds`, ranks >= 2.
  std::function<Schedule(const CollectiveRequest&, const Capabilities&, const Parameters&)> build;
};

// What the file pair of an algorithm exports: its description and the factory above.
using AlgorithmEntry = Catalogue<Algorithm>::Entry;

const Catalogue<Algorithm>& algorithms();

// The schedule of the named algorithm: looks it up, refuses a kind it lacks (kInfeasible, naming those that have it),
// answers N = 1 with an empty schedule, and checks what was built; "file:PATH" is a schedule file (schedule_file.h). `place` is where the algorithm was named; errors of the
// algorithm itself have none, and the caller adds it.
Schedule build(std::string_view algorithm, const CollectiveRequest& request, const Capabilities& capabilities,
               const Settings& settings = {}, std::string_view place = {});

}  // namespace helio::schedule
