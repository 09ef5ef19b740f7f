// SPDX-License-Identifier: Apache-2.0
// Jobs for users without a log, with the statistics that are published of one: those by which Gavel draws jobs after Philly (Narayanan et
// al., OSDI 2020; stanford-futuredata/gavel, scheduler/utils.py; facts only).
//
//     GPUs        1, 2, 4, 8 with probabilities 0.70, 0.10, 0.15, 0.05
//     duration    10^x minutes: x even in [1.5, 3] with probability 0.8, in [3, 4] else: mean 1006 min, median 274 min, heavy to the right
//     arrivals    Poisson
#pragma once

#include <cstdint>

#include "workload/job_log.h"

namespace helio::workload {

// Of one job, on average.
inline constexpr double kMeanGeneratedGpus = 0.70 * 1 + 0.10 * 2 + 0.15 * 4 + 0.05 * 8;  // 1.9

// `mean_gap_s`: from one arrival to the next. The same for the same seed; job i does not hang on how many there are.
// Requires: jobs > 0, mean_gap_s > 0.
JobLog generate_jobs(std::uint64_t jobs, double mean_gap_s, std::uint64_t seed);

}  // namespace helio::workload
