// SPDX-License-Identifier: Apache-2.0
// helio sweep across machines: every rank has a pool of processes, rank 0 hands out points and holds the database, and works, too.
//
//     rank r ── hello, n ──▶ rank 0          n: points that its pool takes at once
//     rank r ◀── point ───── rank 0          n times, or "no more"
//     rank r ── row ───────▶ rank 0          each is answered by the next point, or "no more"
//
// A rank that dies ends the run, as mpirun has it: the database keeps what was committed, and the same command goes on.
#pragma once

#include <mpi.h>

#include <string>

#include "swept.h"

namespace helio::apps {

// What rank 0 prints; "" elsewhere. Throws AgreedFailure for what is wrong before points are handed out.
std::string sweep_on_ranks(const SweepQuestion& question, bool json, MPI_Comm world);

}  // namespace helio::apps
