// SPDX-License-Identifier: Apache-2.0
// Which algorithm each level of a composite runs (schedule/levels/by_level.h), where nobody says: `auto` is asked on the level's fabric by itself,
// for what the level has to do of the whole.
//
//     all-reduce on fred / wdm-ring        reduce-scatter on fred? in-fabric        all-reduce on wdm-ring? wdm-planned: circulant 4x16
//                                          └────────────────────── by-level, levels = in-fabric/circulant:radices=4x16
//
// Four answers are compared: every level by what was found, every level by what its fabric is usually good at, the lowest by the latter
// (which may add up at gateways) with the others by the former, and small levels that show their links by schedules fitted to them, which let
// waves pass each other.
//
// In how many waves is asked of the engine, too: from what was best so far on twice as many, or half, as long as that is faster. Then an
// all-reduce both ways around (`above_first`, from the share at which both levels should end together downwards), and broadcast and reduce by
// all nodes of a unit.
//
// Invariant: the answer is what pipeline::run gives for the settings that the result tells, and none of those compared was faster. A level
// whose search takes too long, or finds nothing, keeps what its fabric is usually good at.
#pragma once

#include <string>
#include <vector>

#include "pipeline/run.h"

namespace helio::plan {

// Whether something is left open of a by-level collective.
bool chooses_levels(const pipeline::ChosenFabric& fabric, const pipeline::Collective& collective);

// The fastest answer. Throws as pipeline::run. Requires: chooses_levels.
pipeline::Result run_with_levels(const pipeline::ChosenFabric& fabric, const pipeline::Experiment& experiment,
                                 const pipeline::Collective& collective, const pipeline::RunOptions& options);

}  // namespace helio::plan
