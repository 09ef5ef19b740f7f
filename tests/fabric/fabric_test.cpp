// SPDX-License-Identifier: Apache-2.0
#include "fabric/fabric.h"

#include <gtest/gtest.h>

#include "fabric/example.h"
#include "fabric/timed.h"

namespace helio::fabric {
namespace {

TEST(Fabrics, AnUnknownNameIsAnErrorWithTheNearest) {
  try {
    make("rign", {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_NE((error.message() + error.advice()).find("ring"), std::string::npos);
  }
}

TEST(Fabrics, EveryOneSaysWhatItCan) {
  for (const auto& entry : fabrics().entries()) {
    const auto fabric = make(entry.description.name, example_settings(entry.description));
    const schedule::Capabilities& can = fabric->capabilities();
    EXPECT_EQ(can.fabric, entry.description.name);
    EXPECT_GE(can.nodes, 8u);
    EXPECT_GT(can.injection.value, 0);
    EXPECT_GE(can.farthest_latency, can.nearest_latency);
    EXPECT_FALSE(entry.description.summary.empty());
    EXPECT_FALSE(entry.description.reference.empty());
  }
}

TEST(Fabrics, NonsenseIsRefused) {
  for (const char* nodes : {"0", "-3", "1000000000000", "2.5", "many"})
    EXPECT_THROW(make("ring", settings({{"nodes", nodes}})), Error) << nodes;
  for (const char* rate : {"0 Gb/s", "-1 Gb/s", "40", "40 Gb", "fast"})
    EXPECT_THROW(make("ring", settings({{"nodes", "4"}, {"rate", rate}})), Error) << rate;
  EXPECT_THROW(make("ring", settings({{"nodes", "4"}, {"latency", "-1 us"}})), Error);
  EXPECT_THROW(make("ring", settings({{"nodes", "4"}, {"wavelengths", "3"}})), Error);
}

}  // namespace
}  // namespace helio::fabric
