// SPDX-License-Identifier: Apache-2.0
// FRED switches as they were laid out: area and power of the published chiplets (arXiv 2406.19580, Table 4; 15 nm NanGate,
// post-layout). Nothing here is computed from a census: logic is below 5 % of the area, the rest is the edge that the links
// need, so area follows bandwidth and not the number of micro-switches.
//
//     wafer of 20 NPUs     5 L1 groups × 5 planes = 25 chiplets        2 L2 chips × 5 planes = 10 chiplets
//                          3 groups with 4 I/O: Fred_3(12), 15 of 685 mm²      Fred_3(10), 10 of 814 mm²
//                          2 groups with 3 I/O: Fred_3(11), 10 of 678 mm²
//                          15·685 + 10·678 + 10·814 = 25,195 mm², the published total exactly (spec 2.6, derived)
//
// Known: the areas, the total of 25,195 mm² and 179.35 W, 3.75 W for Fred_3(12). Not known: the power of the other two, and
// whether the total contains the wires.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/quantity.h"

namespace helio::fabric {

struct FredChiplet {
  std::uint32_t ports = 0, middles = 0;
  double area_mm2 = 0;
  std::optional<Power> power;  // nothing: not published
  std::uint32_t on_wafer = 0;  // how many the published wafer has
  std::string_view reference;
};

std::span<const FredChiplet> fred_chiplets();

inline constexpr double kFredWaferAreaMm2 = 25195;   // published, paper section 6
inline constexpr Power kFredWaferPower{179.35};      // published, paper section 6
inline constexpr double kFredEdgeGBpsPerMm = 107.4;  // published, what the chiplets were laid out with
inline constexpr double kFredLogicShare = 0.05;      // published: logic is less than 5 % of the area

double fred_wafer_area_mm2();  // of all chiplets on the wafer

// Area with a denser edge, as a share of the published one: an edge shrinks with its density, an area with the square, down
// to the logic. Published: 18.4 % at 250 GB/s per mm, 5 % at 1 TB/s per mm. Requires: density > 0.
double fred_area_share(double edge_gbps_per_mm);

}  // namespace helio::fabric
