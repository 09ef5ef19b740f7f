// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/full_mesh.h"

#include <gtest/gtest.h>

#include "fabric/timed.h"

namespace helio::fabric {
namespace {

using schedule::Kind;
using schedule::request_on_all;

TEST(FullMesh, DirectUsesEveryLinkAtOnce) {
  // Two rounds of 1 s latency and d/n = 2 B at 1 B/s on every one of the 12 links: 6 s.
  const Timed t = time_on("full-mesh", settings({{"nodes", "4"}, {"rate", "8 b/s"}, {"latency", "1 s"}}), "direct",
                          request_on_all(Kind::kAllReduce, Bytes{8}, 4));
  EXPECT_NEAR(seconds(t), 6, 1e-9);
  for (double busy : t.timeline.busy_seconds) EXPECT_NEAR(busy, 4, 1e-9);
}

TEST(FullMesh, LinksAreNamedByTheirEnds) {
  const auto fabric = make("full-mesh", settings({{"nodes", "3"}}));
  flow::Program program;
  fabric->install(program);
  ASSERT_EQ(program.resources.size(), 6u);
  EXPECT_EQ(program.resources.name(flow::ResourceId{2}), "link 1 to 0");
  EXPECT_EQ(program.resources.name(flow::ResourceId{3}), "link 1 to 2");
}

}  // namespace
}  // namespace helio::fabric
