// SPDX-License-Identifier: Apache-2.0
// The timeline of a page: the same bars that --trace writes (trace.h), by who is busy (drawn by web/timeline.js).
//
//     all-reduce, steps                        ├ gather 1 ┤├ all-to-all ┤├ broadcast 1 ┤
//     segment 0-1 clockwise, wavelength 1      ├ gather 1 ┤
//     segment 2-3 clockwise, wavelength 0                  ├ all-to-all ┤├ broadcast 1 ┤
//
// Of a collective, a row for the steps and one for each link, channel or port that a transfer starts on; what would overlap in a row
// stands in further rows of its name. A transfer is called, and coloured, after its step. Of a job, the rows of job_trace.h, coloured by
// name without number. Collectives follow each other on one clock, and jobs begin when the last has ended, as in the trace. On a composite
// the levels come first, a row for each that moves anything and, of jobs, for each class of work: when any of its bars goes over it.
//
// Data are arrays of numbers and tables of texts, so that 100,000 bars take a few megabytes; times are kept to 1e-10 of the whole.
#pragma once

#include <optional>
#include <vector>

#include "pipeline/iteration.h"
#include "pipeline/result.h"
#include "report/figures/figure.h"

namespace helio::report {

inline constexpr std::size_t kMostSpansInCsv = 20000;  // more are in the JSON data only

// None where there are no bars. Requires: run with tracing.
std::optional<Figure> timeline_figure(const std::vector<pipeline::Result>& results,
                                      const std::vector<pipeline::IterationResult>& jobs = {});

}  // namespace helio::report
