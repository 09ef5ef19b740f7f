// SPDX-License-Identifier: Apache-2.0
// The same question asked again with one thing changed, for the explanations of a page (report/pages/explain.h):
//
//     retune_rule = changed        where every step was retuned, and setting up circuits costs time
//     twice each rate              of the fabric
//     half of each latency         and of what starting a step and retuning cost
//     twice the wavelengths
//     racks that hold groups       of a fat-tree whose k was not given
//     another algorithm            the fastest there is, where one was named
//
// Which ones are asked depends on counts alone, never on the clock: the same question has the same page.
#pragma once

#include <string>
#include <vector>

#include "pipeline/experiment.h"
#include "pipeline/iteration.h"
#include "pipeline/run.h"
#include "report/pages/explain.h"
#include "report/text/look.h"

namespace helio::ask {

// Past this many ranks no other algorithm is searched for.
inline constexpr std::uint64_t kMostRanksToSearch = 1024;

std::vector<report::WhatIf> what_if(const pipeline::Experiment& experiment, const pipeline::Collective& collective,
                                    const pipeline::Result& result, const pipeline::RunOptions& options);

// Of one question the three changes that help most, each with the time that it would take: lines for people. Empty where it has several
// parts, or nothing helps.
std::string what_if_text(const pipeline::Experiment& experiment, const std::vector<pipeline::Result>& results,
                         const std::vector<pipeline::IterationResult>& jobs, const pipeline::RunOptions& options,
                         const report::Look& look);

// For each job, in order.
std::vector<std::vector<report::WhatIf>> what_if(const pipeline::Experiment& experiment,
                                                 const std::vector<pipeline::IterationResult>& jobs,
                                                 const pipeline::RunOptions& options);

}  // namespace helio::ask
