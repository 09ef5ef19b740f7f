// SPDX-License-Identifier: Apache-2.0
// No schedule on this fabric can be faster than this: a true lower bound for every kind, from Capabilities alone.
//
// Notation: n ranks, d bytes, I and E what a rank can send and receive, s the step overhead, l1 and lf the latency between
// the nearest and the farthest pair, u the first setup, S the fewest rounds, X the time that the bytes need.
//
//     step order    max( X + S (s + l1) + u ,  S s + lf + u )
//     dataflow      max( X +   (s + l1) + u ,    s + lf + u )
//
// X is the largest of: what ranks must send over I, what they must receive over E, what must cross each cut over its rate
// (P. Patarasuk and X. Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC 69, 2009, for the
// endpoint case). docs/bounds.md derives every line.
#pragma once

#include <cstdint>
#include <string>

#include "schedule/capabilities.h"
#include "schedule/request.h"
#include "schedule/schedule.h"

namespace helio::pipeline {

struct Bound {
  double seconds = 0;
  std::string words;  // which term binds, and the terms
};

// `copies_below`: bytes that a copied sum is on the levels below one that averages, for one of the vector: less than 1 where its codes
// travel there. Requires: request is checked and its nodes are below capabilities.nodes.
Bound lower_bound(const schedule::Capabilities& capabilities, const schedule::CollectiveRequest& request,
                  schedule::Order order, double copies_below = 1);

// No run of this very schedule can be faster: what its ranks send over I and receive over E, and units of a composite's levels among each other
// over theirs, phase by phase in step order, with as many overheads and latencies as there are rounds, and u. Requires: schedule and request belong together; as above.
double least_time(const schedule::Capabilities& capabilities, const schedule::CollectiveRequest& request,
                  const schedule::Schedule& schedule, schedule::Order order);

// Every result keeps this: 0 <= bound <= time, both numbers. What does not is our mistake: std::logic_error. Returns the bound, or the time
// where that is less only by rounding: the double's, and the clock's in each of `steps`.
double kept_bound(double bound_s, double time_s, std::uint64_t steps = 0);

}  // namespace helio::pipeline
