// SPDX-License-Identifier: Apache-2.0
// Wavelength assignment on a ring: lightpaths are arcs, and arcs that share a segment need different wavelengths.
//
//     segment   0   1   2   3   4   5   6   7      cut where the fewest arcs cross; what crosses the cut is coloured
//     arc a     ├───────┤                          first, each differently; the rest in order of their starts, each
//     arc b         ├───────┤                      with the first colour that is free there and stays free to its end.
//     arc c ────┤                       ├───       With arcs of one length that divides the ring this takes as many
//                                                  colours as the busiest segment has arcs, which is the fewest.
//
// Without wavelength conversion a lightpath keeps its colour on every segment. Directions are apart: one fibre each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace helio::fabric {

struct Arc {
  std::uint32_t start = 0;  // first segment, in the direction of travel
  std::uint32_t hops = 1;   // segments; at most the ring
};

// A colour for each arc of one direction on a ring of `segments`; returns how many there are.
std::uint32_t colour_arcs(std::span<const Arc> arcs, std::uint32_t segments, std::vector<std::uint32_t>& colours);

}  // namespace helio::fabric
