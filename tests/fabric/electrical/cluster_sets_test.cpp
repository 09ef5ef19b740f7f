// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/cluster_sets.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "fabric/fabric.h"
#include "fabric/timed.h"

namespace helio::fabric {
namespace {

// 18 links of 25 GB/s, and what a user says himself stays.
TEST(ClusterSets, AnNpuBringsItsLinks) {
  const Settings h100 = with_defaults("cluster", settings({{"npu", "h100"}, {"launch", "1 us"}}));
  EXPECT_EQ(h100.at("rate").text, "3600 Gb/s");
  EXPECT_EQ(h100.at("rate").place, "npu h100");
  EXPECT_EQ(h100.at("launch").text, "1 us");
  EXPECT_EQ(with_defaults("switch", settings({{"npu", "h100"}})).size(), 1u);
  EXPECT_EQ(with_defaults("cluster", settings({{"nodes", "8"}})).size(), 1u);
}

// Every set makes a cluster, of a part of a server, a server and, but for domains of 72, two.
TEST(ClusterSets, AllCanBeMade) {
  for (const ClusterSet& set : cluster_sets())
    for (const char* nodes : {"4", "8", "144"})
      EXPECT_EQ(make("cluster", settings({{"npu", set.npu.c_str()}, {"nodes", nodes}}))->capabilities().nodes,
                std::stoull(nodes))
          << set.npu;
  EXPECT_THROW(make("cluster", settings({{"npu", "h1000"}, {"nodes", "8"}})), Error);
}

}  // namespace
}  // namespace helio::fabric
