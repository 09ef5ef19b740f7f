// SPDX-License-Identifier: Apache-2.0
// The chapters of the study, in the order in which they are printed.
#pragma once

#include "studies/catalogue.h"
#include "studies/optical_family/runs.h"
#include "studies/optical_family/winners.h"

namespace helio::studies::optical_family_study {

// The first of every row.
inline constexpr const char* kSameForAll =
    "the same jobs over all: every node sends 100 Gb/s in all, steps and propagation cost nothing";

Rows same_phases(FamilyRuns& runs);     // gradients, and everyone to everyone, over an ideal switch
Rows same_flows(FamilyRuns& runs);      // flows that nobody foresaw
Rows same_log(const std::string& log);  // jobs that come and go; "": generated
Rows published_rows(FamilyRuns& runs);
Rows map_rows(const Map& phases, const Map& flows);

std::vector<report::Chart> charts(const Map& phases, const Map& flows);
std::vector<report::Headline> headlines();
std::vector<std::string> words(const Map& phases, const Map& flows);

}  // namespace helio::studies::optical_family_study
