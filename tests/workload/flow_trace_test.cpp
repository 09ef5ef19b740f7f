// SPDX-License-Identifier: Apache-2.0
#include "workload/flow_trace.h"

#include <gtest/gtest.h>

#include "workload/refusing.h"

namespace helio::workload {
namespace {

FlowTrace parse(const std::string& text) { return parse_flow_trace(text, "flows.csv", 8); }

TEST(FlowTrace, ReadsTimesSizesAndCoflows) {
  const FlowTrace trace = parse(
      "time,source,destination,bytes,coflow\n"
      "0.5,0,1,1 MB,b\n"
      "1 ms,2,3,20000,a\n"
      "1 ms,3,2,2e6,\n"
      "2,4,5,1,b\n");
  ASSERT_EQ(trace.flows.size(), 4u);
  EXPECT_EQ(trace.flows[0].at, Time::milliseconds(1));  // by time
  EXPECT_EQ(trace.flows[0].bytes, 20000);
  EXPECT_EQ(trace.flows[1].coflow, kNoCoflow);
  EXPECT_EQ(trace.flows[2].bytes, 1e6);
  EXPECT_EQ(trace.flows[2].coflow, trace.flows[3].coflow);
  EXPECT_EQ(trace.coflows, (std::vector<std::string>{"b", "a"}));
  EXPECT_TRUE(parse("bytes,destination,source,time\n1,0,1,0\n").coflows.empty());
}

TEST(FlowTrace, SaysWhatIsWrongAndWhere) {
  const std::string head = "time,source,destination,bytes\n";
  for (const Refused& refused : {Refused{head + "0,0,8,1\n", "flows.csv:2:5", "node 8 does not exist"},
                                 {head + "0,-1,2,1\n", "flows.csv:2:3", "node -1 does not exist"},
                                 {head + "0,2,2,1\n", "flows.csv:2:5", "node 2 to itself"},
                                 {head + "0,0,1,0\n", "flows.csv:2:7", "no size"},
                                 {head + "0,0,1,1 MB/s\n", "flows.csv:2:7", "MB/s"},
                                 {head + "-1,0,1,5\n", "flows.csv:2:1", "no time"},
                                 {"time,source,bytes\n0,1,2\n", "flows.csv:1:1", "'destination'"}})
    expect_refused(refused, [&] { parse(refused.text); });
}

// Half of the flows evenly between 1 and 3 kB, a quarter from there to 5 kB, a quarter of 5 to 9 kB: mean 0.5·2 + 0.25·4 + 0.25·7 = 3.75 kB.
TEST(FlowSizes, AreDrawnBetweenTheirRows) {
  const FlowSizes sizes = parse_flow_sizes("bytes,share\n1000,0\n3 kB,0.5\n5000,0.75\n9000,1\n", "sizes.csv");
  EXPECT_DOUBLE_EQ(sizes.at(0), 1000);
  EXPECT_DOUBLE_EQ(sizes.at(0.25), 2000);
  EXPECT_DOUBLE_EQ(sizes.at(0.5), 3000);
  EXPECT_DOUBLE_EQ(sizes.at(0.875), 7000);
  EXPECT_DOUBLE_EQ(sizes.mean(), 3750);
  // A first row above 0: so many are of its size
  const FlowSizes step = parse_flow_sizes("bytes,share\n100,0.5\n300,1\n", "sizes.csv");
  EXPECT_DOUBLE_EQ(step.at(0.4), 100);
  EXPECT_DOUBLE_EQ(step.mean(), 0.5 * 100 + 0.5 * 200);
  for (const Refused& refused : {Refused{"bytes,share\n1,0\n2,0.5\n", "sizes.csv:3:3", "not the share 1"},
                                 {"bytes,share\n1,0\n2,1.5\n", "sizes.csv:3:3", "no share"},
                                 {"bytes,share\n2,0\n1,1\n", "sizes.csv:3:3", "must rise"}})
    expect_refused(refused, [&] { parse_flow_sizes(refused.text, "sizes.csv"); });
}

// 4000 flows of 3750 bytes on average at half of 8 nodes of 1 Gb/s: 30 kb / 4 Gb/s = 7.5 us apart. Means of 4000 are met to 4 sigma: the
// gap to 6.4 %, the size (sigma below 2.5 kB) to 160 B.
TEST(FlowSizes, FlowsComeAtTheLoadThatIsAskedFor) {
  const FlowSizes sizes = parse_flow_sizes("bytes,share\n1000,0\n3 kB,0.5\n5000,0.75\n9000,1\n", "sizes.csv");
  const FlowTrace trace = draw_flows(sizes, 4000, 8, BitRate{1e9}, 0.5, 1);
  ASSERT_EQ(trace.flows.size(), 4000u);
  double bytes = 0;
  for (const TracedFlow& flow : trace.flows) {
    EXPECT_LT(flow.source, 8u);
    EXPECT_LT(flow.destination, 8u);
    EXPECT_NE(flow.source, flow.destination);
    bytes += flow.bytes;
  }
  EXPECT_NEAR(trace.flows.back().at.to_seconds() / 3999, 7.5e-6, 0.064 * 7.5e-6);
  EXPECT_NEAR(bytes / 4000, 3750, 160);
}

}  // namespace
}  // namespace helio::workload
