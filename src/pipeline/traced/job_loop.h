// SPDX-License-Identifier: Apache-2.0
// Arrivals and departures of jobs on one ground, one after the other.
//
//     arrival ──▶ waits ──▶ enters (nodes, light) ──▶ set-up ──▶ work goes on at its pace ──▶ leaves
//                   ▲                                    ▲                                      │
//                   └── somebody left: who is next? ─────┴── others go slower or faster now ◀───┘
//
// A job has so much work left and a speed; when its speed changes, what is left is counted and its end is told anew.
#pragma once

#include "pipeline/traced/job_ground.h"
#include "pipeline/traced/job_paces.h"
#include "pipeline/traced/job_stream.h"

namespace helio::pipeline {

// Fills in the result but for its names. `ideal`: paces over an ideal switch. Requires: the stream has jobs, none larger than the ground.
void pass_jobs(const JobStream& stream, Ground& ground, JobPaces& here, JobPaces& ideal, StreamResult& result);

}  // namespace helio::pipeline
