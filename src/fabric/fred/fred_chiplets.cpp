// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/fred_chiplets.h"

#include <algorithm>
#include <array>

namespace helio::fabric {
namespace {

constexpr std::array<FredChiplet, 3> kChiplets = {{
    {.ports = 12,
     .middles = 3,
     .area_mm2 = 685,
     .power = Power{3.75},
     .on_wafer = 15,
     .reference = "Table 4; count derived"},
    {.ports = 11,
     .middles = 3,
     .area_mm2 = 678,
     .power = {},
     .on_wafer = 10,
     .reference = "Table 4, size and count derived"},
    {.ports = 10,
     .middles = 3,
     .area_mm2 = 814,
     .power = {},
     .on_wafer = 10,
     .reference = "Table 4 (secondary); count derived"},
}};

}  // namespace

std::span<const FredChiplet> fred_chiplets() { return kChiplets; }

double fred_wafer_area_mm2() {
  double area = 0;
  for (const FredChiplet& chiplet : kChiplets) area += chiplet.on_wafer * chiplet.area_mm2;
  return area;
}

double fred_area_share(double edge_gbps_per_mm) {
  const double edge = kFredEdgeGBpsPerMm / edge_gbps_per_mm;
  return std::max(edge * edge, kFredLogicShare);
}

}  // namespace helio::fabric
