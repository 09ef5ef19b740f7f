// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/ring.h"

#include <gtest/gtest.h>

#include "fabric/timed.h"

namespace helio::fabric {
namespace {

using schedule::Kind;
using schedule::request_on_all;

TEST(Ring, AllReduceMeetsItsClosedForm) {
  // 2 (n-1) rounds of 0.5 us and d/n bytes at 50 GB/s: 2*1023*(0.5e-6 + 97656.25/50e9) = 5.0191 ms.
  const Timed t = time_on("ring", settings({{"nodes", "1024"}, {"rate", "400 Gb/s"}, {"latency", "500 ns"}}), "ring",
                          request_on_all(Kind::kAllReduce, Bytes{100e6}, 1024));
  const double expected = 2 * 1023 * (0.5e-6 + 97656.25 / 50e9);
  EXPECT_NEAR(seconds(t), expected, 1e-12 * expected);
  EXPECT_NEAR(seconds(t), 5.0191e-3, 1e-7);
  EXPECT_EQ(t.timeline.steps, 2046u);
}

TEST(Ring, FarNodesAreReachedTheShortWayAndEveryHopCosts) {
  // Direct broadcast on 6 nodes: from 0 to 1,2,3 clockwise, to 5,4 counter-clockwise. The clockwise link out of 0 carries 3
  // copies, the other 2: 3 * 6 B at 1 B/s = 18 s. The farthest, 3 hops, has 3 s of latency: all three share the first link;
  // they start at 1, 2 and 3 s.
  //   1-2 s: one flow at 1 (5 B left); 2-3 s: two at 1/2 (4.5, 5.5 left); then three at 1/3: the first is done after
  //   13.5 s at 16.5; 1 B left of the second after 2 s at 18.5; the last ends when 18 B have passed: 1 + 18 = 19 s.
  const Timed t = time_on("ring", settings({{"nodes", "6"}, {"rate", "8 b/s"}, {"latency", "1 s"}}), "direct",
                          request_on_all(Kind::kBroadcast, Bytes{6}, 6));
  EXPECT_NEAR(seconds(t), 19, 1e-9);
}

TEST(Ring, BothDirectionsHalveTheTime) {
  // Half of each block each way at the same time: 2 (n-1) rounds of d/(2n).
  const auto s = settings({{"nodes", "8"}, {"rate", "8 b/s"}, {"latency", "0 s"}});
  const auto request = request_on_all(Kind::kAllReduce, Bytes{16}, 8);
  EXPECT_NEAR(seconds(time_on("ring", s, "ring", request)), 14 * 2.0, 1e-9);
  EXPECT_NEAR(seconds(time_on("ring", s, "bidirectional-ring", request)), 14 * 1.0, 1e-9);
}

TEST(Ring, AMillionRanksMeetTheClosedFormTo1e9) {
  const std::uint32_t n = 1 << 20;
  const Timed t = time_on("ring", settings({{"nodes", "1048576"}, {"rate", "400 Gb/s"}, {"latency", "500 ns"}}), "ring",
                          request_on_all(Kind::kAllReduce, Bytes{100e6}, n));
  const long double expected = 2.0L * (n - 1) * (0.5e-6L + 100e6L / n / 50e9L);
  EXPECT_NEAR(seconds(t), static_cast<double>(expected), 1e-9 * static_cast<double>(expected));
}

TEST(Ring, DataflowEqualsStepWhereAllAreAlike) {
  const auto s = settings({{"nodes", "16"}, {"rate", "8 b/s"}, {"latency", "1 s"}, {"step_overhead", "2 s"}});
  const auto request = request_on_all(Kind::kAllReduce, Bytes{16}, 16);
  // 30 rounds of 2 + 1 + 1 s either way.
  const Timed step = time_on("ring", s, "ring", request),
              flow = time_on("ring", s, "ring", request, schedule::Order::kDataflow);
  EXPECT_NEAR(seconds(step), 120, 1e-9);
  EXPECT_NEAR(seconds(flow), 120, 1e-9);
  EXPECT_EQ(flow.timeline.steps, 30u);
}

}  // namespace
}  // namespace helio::fabric
