// SPDX-License-Identifier: Apache-2.0
// What the critical path of one job was spent on: by activity, by row, and in words.
#pragma once

#include <array>
#include <map>
#include <string>

#include "pipeline/lower_jobs.h"
#include "simulate/timeline.h"

namespace helio::pipeline {

struct PathShares {
  std::array<double, placement::kActivities> seconds{};                        // by activity
  std::map<std::uint32_t, double> rows;                                        // by row of the job's program
  double host = 0;                                                             // of computing: the host issuing kernels
  std::map<std::uint32_t, std::array<double, placement::kActivities>> levels;  // of a composite: by activity
};

// Of all iterations of job `job`, whose call is operation `job` of the entry.
PathShares shares_of(const simulate::Timeline& timeline, const LoweredJobs& assembled, std::uint32_t job);

std::string in_words(const PathShares& shares, const placement::Program& program);

}  // namespace helio::pipeline
