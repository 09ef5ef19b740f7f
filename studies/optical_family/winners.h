// SPDX-License-Identifier: Apache-2.0
// Who is quickest, by the size of a flow and by the time that a path takes to change.
//
//     change │ · · J J J J       an iteration of phases that are known (all-reduce in pieces of the flow's size, then everyone to everyone
//            │ · S S S J J       with as much for each), or the mean time of flows that nobody foresaw
//            │ S S F F F F
//            └──────────── flow size
//
// Everybody has the same lights and the same time to change; who changes once for a job shares it among kIterations. Of those within kTie
// of the quickest the one whose paths change least, and are decided most simply, is named.
#pragma once

#include <vector>

#include "studies/optical_family/runs.h"

namespace helio::studies::optical_family_study {

inline constexpr Job kMapJob{16, 64};  // of phases
inline constexpr int kMapNodes = 32;   // of flows
inline constexpr double kTie = 1.02;
inline constexpr double kMapSizes[] = {1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
inline constexpr double kMapChanges[] = {1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1};

struct Cell {
  double bytes = 0, change = 0;
  const Member* winner = nullptr;
  double seconds = 0;
  std::vector<double> all;  // of each of the members that are compared, in their order; infinity: it carries none
};

struct Map {
  std::vector<const Member*> compared;
  std::vector<Cell> cells;                            // by size, then by change
  const Cell& at(double bytes, double change) const;  // Requires: there is one.
};

Map phases_map(FamilyRuns& runs);
Map flows_map(FamilyRuns& runs);

}  // namespace helio::studies::optical_family_study
