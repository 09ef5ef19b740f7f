// SPDX-License-Identifier: Apache-2.0
// What speed-ups of whole iterations rest on, shared by the chapters about them.
#pragma once

#include "studies/fred/assumption.h"
#include "studies/fred/iteration_model.h"

namespace helio::studies::fred_study {

inline constexpr double kOneKappa = 10;  // for all workloads alike (papers/fred.md 5.3)

// The readings of papers/fred.md 5.3, and the sensitivity list of 5.5 at these knobs.
Assumptions readings(const Workload& workload, const Knobs& knobs);

Assumption one_kappa();
Assumption own_kappa(const Workload& workload, double kappa);  // solved from its Fred-D

inline const std::string kHeadlines = paper("8.2, headline speed-ups (papers/fred.md 4)");

}  // namespace helio::studies::fred_study
