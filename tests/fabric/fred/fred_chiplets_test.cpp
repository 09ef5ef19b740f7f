// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/fred_chiplets.h"

#include <gtest/gtest.h>

namespace helio::fabric {
namespace {

// 15·685 + 10·678 + 10·814 = 10,275 + 6,780 + 8,140 = 25,195 mm² in 35 chiplets, both published (papers/fred.md, 2.6).
TEST(FredChiplets, TheWaferAddsUp) {
  EXPECT_EQ(fred_wafer_area_mm2(), kFredWaferAreaMm2);
  std::uint32_t count = 0, ports = 0;
  for (const FredChiplet& chiplet : fred_chiplets())
    count += chiplet.on_wafer, ports += chiplet.on_wafer * chiplet.ports;
  EXPECT_EQ(count, 35u);
  // Ports: 20 NPUs and 18 I/O controllers in 5 planes, and 100 uplinks with two ends
  EXPECT_EQ(ports, 5 * (20 + 18) + 2 * 100u);
}

// (107.4/250)² = 0.18456; at 1 TB/s per mm (107.4/1000)² = 0.0115, below the logic: 5 %. Both as published.
TEST(FredChiplets, DenserEdgesShrinkAreaToTheLogic) {
  EXPECT_NEAR(fred_area_share(250), 0.1846, 5e-5);
  EXPECT_EQ(fred_area_share(1000), 0.05);
  EXPECT_EQ(fred_area_share(107.4), 1);
}

}  // namespace
}  // namespace helio::fabric
