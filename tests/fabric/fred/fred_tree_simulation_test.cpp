// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/fred_tree_simulation.h"

#include <gtest/gtest.h>

namespace helio::fabric {
namespace {

// A setting that is gone is found out, and so is what comes down and goes up again: NPU 4 sends up to chip 0, which
// sends it down to L1 0, whose chiplet returns it on uplink 1.
TEST(FredTreeSimulation, FindsWhatIsWrong) {
  const FredTreeShape shape;
  const std::vector<Flow> flows{all_reduce_flow({0, 4})};
  const FredTreeRouting routing = route_tree(shape, flows);
  ASSERT_TRUE(std::holds_alternative<FredPlane>(routing));
  FredPlane broken = std::get<FredPlane>(routing);
  for (MicroSetting& setting : broken.l2[broken.ways[0].chip].configuration.settings) setting = {};
  EXPECT_NE(check_collective(shape, broken, flows).failure, "");

  FredPlane looping = std::get<FredPlane>(route_tree(shape, std::span<const Flow>{}));
  const auto set = [](FredChip& chip, std::uint32_t ports, Flow flow) {
    chip.configuration = std::get<FredConfiguration>(route(FredSwitch(ports, 3), std::span(&flow, 1)));
  };
  set(looping.l1[1], 12, {{0}, {4}});
  set(looping.l2[0], 10, {{2}, {0}});
  set(looping.l1[0], 12, {{4}, {5}});
  EXPECT_EQ(check_collective(shape, looping, {}).failure, "what came down from an L2 chip goes up again");
}

}  // namespace
}  // namespace helio::fabric
