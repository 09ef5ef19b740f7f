// SPDX-License-Identifier: Apache-2.0
// FRED: every number that was published about the wafer with switches that add and copy, beside what we make of it.
//
//     chapters.h          what is told, in order: one function per chapter
//     assumption.h        what a row rests on; label and `predicted` follow from it
//     wafer.h             the published machine: mesh and variants A to D
//     phase_time.h        a phase of a strategy on each of them, as algebra
//     iteration_model.h   compute, communication and streaming of one iteration, and their sum
//     calibration.h       one ratio solved from one published number, another predicted
//     strategy_sweep.h    the 17 B model over all strategies of 20 NPUs
//     training_job.h      a workload as a job of the product
//     runs.h              questions to the product, each asked once
//
// Spec: papers/fred.md. The paper's tables and figures are not known to us, and neither are layer shapes, sequence lengths and the
// FLOPS of an NPU; every row says which reading it rests on.
#pragma once

#include "studies/catalogue.h"

namespace helio::studies {

Catalogue<Study>::Entry fred();

}  // namespace helio::studies
