// SPDX-License-Identifier: Apache-2.0
// This machine as a graph that can be simulated (docs/graph-file.md): how long messages between its ranks take, and what they share.
//
//     rank 0 ══▷┐                    ┌══▷ rank 0          a message goes to the memory of its host and from there to its rank;
//     rank 1 ══▷┤ in 0 ──memory──▷ out 0 ══▷ rank 1       all that are under way share the memory
//       …       └──▷ network ──▷ out 1 …                  to another host it goes through its port of the network
//
//     between rank and memory   the rate of one message alone, and the latency
//     memory                    what all ranks of the host together move, every other message being added
//     to and from the network   what a host sends when all of its ranks send to the next
//
// Measured by the same steps as schedules are run by (runner.h): every rank sends to the next, round after round, what it got the round
// before, by turns stored and added. Short vectors stay in caches, so there is a rate for each size of the vector: the time of a round is
// that of a round of next to nothing and bytes / rate.
#pragma once

#include <mpi.h>

#include <map>
#include <string>
#include <vector>

#include "execute/measure.h"

namespace helio::execute {

struct RoundTime {
  double vector = 0;  // bytes that each rank holds
  double bytes = 0;   // that each rank sends
  double seconds = 0;
  double spread = 1;  // the slowest pass over the fastest
};

// seconds = latency + bytes / rate of the vector.
struct Speed {
  double latency_s = 0;
  std::map<double, double> rates = {};  // bytes a second, by bytes of the vector
  double spread = 1;                    // of any vector: the slowest pass over the fastest
  double fastest() const;               // of them; 0: none
};
// The first, of nearly nothing, is the latency. Requires: two times or more.
Speed speed_of(const std::vector<RoundTime>& times);

struct Calibration {
  std::vector<int> host;  // of each rank, counted from 0
  Speed together;         // every rank to the next on its host
  Speed alone;            // one rank to another on its host
  Speed between;          // every rank of a host to the next host; nothing where there is one
};

// Takes about a minute at most. All ranks call it. Requires: two ranks or more.
Calibration calibrate(MPI_Comm world, const Progress& progress);
std::string graph_text(const Calibration& calibration);

}  // namespace helio::execute
