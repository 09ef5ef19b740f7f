// SPDX-License-Identifier: Apache-2.0
// `--algorithm wdm-planned`: the best schedule that we know of for an all-reduce on a WDM ring.
//
// The search goes over closed forms (wdm_cost.h): every chain of radices of the circulant schedule (from the static striped ring,
// which is the chain N, to log2 N levels), every group size and stripe of WRHT with and without its shortcut, rings and the
// binary tree. The fastest few are then lowered and run by the engine, and the fastest of those is the answer.
//
//     closed forms of all candidates ─▶ best few ─▶ engine ─▶ the fastest ─▶ verify ─▶ Result
//
// Invariant: the answer is what pipeline::run gives for the algorithm and settings that it names, and no candidate that closes was
// faster: only what the link budget lets arrive is an answer, unless fabric.enforce_budget says no, or fabric.light = generous leaves it
// open. The result lists the fastest whether it closes or not, what WRHT would take, by default and at its own best, and the plain
// baselines.
#pragma once

#include <string_view>

#include "pipeline/run.h"

namespace helio::plan {

inline constexpr std::string_view kWdmPlanned = "wdm-planned";

// Whether there is anything to plan: an all-reduce of all nodes of a WDM ring.
bool can_plan_wdm(const pipeline::Experiment& experiment, const pipeline::Collective& collective);
// Requires: collective.algorithm.name is kWdmPlanned. Throws as pipeline::run; Error(kInfeasible) on other fabrics, for other kinds
// and for groups.
pipeline::Result plan_wdm(const pipeline::Experiment& experiment, const pipeline::Collective& collective,
                          const pipeline::RunOptions& options);

}  // namespace helio::plan
