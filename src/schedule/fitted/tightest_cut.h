// SPDX-License-Identifier: Apache-2.0
// The cut of a network that no schedule can beat, exactly, by max-flow.
//
// Say every source can put out data at the rate x, and every sink wants to have all of it. A set S of vertices that leaves out a sink must
// send the data of the sources in it through the arcs that leave it, so that
//
//     x  <=  rate(S -> outside) / sources(S)           for every such S, and the least of these is reached (Menger; Edmonds, 1973)
//
// Whether x is too much for a sink is one max-flow from a super-source, which gives every source x: where not all arrives, the
// minimum cut is a set with a smaller quotient, which is the next x (Dinkelbach; Newton's method on a concave function). A sink that
// was served at one x is served at all that are less, so sinks are asked one after the other. ForestColl (arXiv 2402.06787) bisects instead.
//
// Invariant: the quotient is that of the set that is returned, added up from rates, so it is a true bound whatever was rounded on the way.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "schedule/network.h"

namespace helio::schedule {

struct TightCut {
  std::vector<bool> inside;   // by vertex
  std::uint32_t sources = 0;  // inside
  std::uint32_t links = 0;    // that leave it
  BitRate outward;            // of these together
  BitRate per_source() const { return outward / sources; }
};

// Requires: sources and sinks are not empty; a sink that is the only source is not asked for. Throws Error(kInfeasible) where a sink
// cannot be reached from some source, with the names of both.
TightCut tightest_cut(const Network& network, std::span<const std::uint32_t> sources,
                      std::span<const std::uint32_t> sinks);

std::string name_of(const Network& network, std::uint32_t vertex);

// The nodes of its smaller side by name: "all but a, b" or "a, b", and how many more.
std::string words_of_side(const TightCut& cut, const Network& network);

}  // namespace helio::schedule
