// SPDX-License-Identifier: Apache-2.0
#include "pipeline/traced/flow_traffic.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "pipeline/asking.h"

namespace helio::pipeline {
namespace {

// 1 MB at 80 Gb/s takes 100 us.
Choice ideal() {
  return {"switch", "test", settings_of({{"nodes", "8"}, {"rate", "80 Gb/s"}, {"latency", "0 s"}}, "fabric.")};
}
Choice oddl(const std::string& policy = "srpt") {
  return {"oddl", "test", settings_of({{"nodes", "32"}, {"rate", "80 Gb/s"}, {"policy", policy}}, "fabric.")};
}

workload::FlowTrace trace(std::vector<workload::TracedFlow> flows, std::vector<std::string> coflows = {}) {
  return {.source = "test", .flows = std::move(flows), .coflows = std::move(coflows)};
}

// The second comes 50 us later and they share the receiver: the first has half of its bytes left, which take 100 us at half rate (150 in
// all), and then the second has half left, which takes 50 (150 from its start).
TEST(FlowTraffic, FlowsComeAtTheirOwnTimesAndShare) {
  const FlowResult told =
      run_flows(trace({{Time(), 0, 2, 1e6, 0}, {Time::microseconds(50), 1, 2, 1e6, 0}}, {"both"}), ideal());
  EXPECT_EQ(told.flows.count, 2u);
  EXPECT_NEAR(told.flows.mean_s, 150e-6, 1e-12);
  EXPECT_NEAR(told.flows.most_s, 150e-6, 1e-12);
  EXPECT_NEAR(told.slowdown, 1.5, 1e-9);
  EXPECT_NEAR(told.end_s, 200e-6, 1e-12);
  EXPECT_NEAR(told.coflows.mean_s, 200e-6, 1e-12);  // from the first start to the last end
  EXPECT_NEAR(told.utilisation, 2e6 / (8 * 1e10 * 200e-6), 1e-9);
  ASSERT_EQ(told.classes.size(), 1u);
  EXPECT_EQ(told.classes[0].upto, 1e6);
}

// A circuit is one flow's: the 1 MB flow holds the receiver, the other waits. The first has its set-up of 0.84 us (papers/oddl.md 2.3).
TEST(FlowTraffic, OnOddlWhoComesSecondWaitsForTheReceiver) {
  const FlowResult told =
      run_flows(trace({{Time(), 0, 2, 1e6, 0}, {Time::microseconds(50), 1, 2, 1e6, 1}}, {"a", "b"}), oddl());
  EXPECT_NEAR(told.flows.p50_s, 100.84e-6, 0.05e-6);
  EXPECT_GT(told.flows.most_s, 150e-6);  // 50 of waiting, 100 of its own
  EXPECT_LT(told.flows.most_s, 153e-6);
  EXPECT_EQ(told.coflows.count, 2u);
}

// Three wait for one receiver, the largest first. By shortest first the order behind the one that holds it is by size, so the mean is less
// than by who came first.
TEST(FlowTraffic, PoliciesOrderWhoWaits) {
  const workload::FlowTrace flows = trace({{Time(), 0, 9, 1e6, workload::kNoCoflow},
                                           {Time::microseconds(1), 1, 9, 4e6, workload::kNoCoflow},
                                           {Time::microseconds(2), 2, 9, 1e5, workload::kNoCoflow}});
  const FlowResult shortest = run_flows(flows, oddl("srpt")), first = run_flows(flows, oddl("fifo"));
  EXPECT_LT(shortest.flows.mean_s, first.flows.mean_s);
  EXPECT_NEAR(shortest.flows.most_s, 509e-6, 4e-6);  // 100 + 10 + 400, from 1 us on, with set-ups
  EXPECT_NEAR(first.flows.most_s, 508e-6, 4e-6);     // 100 + 400 + 10, from 2 us on: the smallest is last
  EXPECT_EQ(shortest.classes.size(), 3u);            // up to 100 kB, 1 MB, 10 MB
}

TEST(FlowTraffic, SizesThatAreNoWholeNumbersOfUnitsAreExact) {
  // 5 GB are counted in units of 4.66 B; 7 bytes are still 7
  const FlowResult told =
      run_flows(trace({{Time(), 0, 1, 5e9, workload::kNoCoflow}, {Time(), 2, 3, 7, workload::kNoCoflow}}), ideal());
  EXPECT_NEAR(told.flows.most_s, 0.5, 1e-9);
  EXPECT_NEAR(told.flows.p50_s, 7e-10, 1e-15);
}

TEST(FlowTraffic, LightThatIsSetForStepsRefuses) {
  const Choice ring{"sip-ring", "test", settings_of({{"nodes", "8"}}, "fabric.")};
  const workload::FlowTrace one = trace({{Time(), 0, 1, 1e6, workload::kNoCoflow}});
  EXPECT_THROW(run_flows(one, ring), Error);
  const FlowComparison found = compare_flows(one, {{"a", ideal()}, {"b", ring}}, BitRate{80e9});
  EXPECT_TRUE(found.entries[0].result);
  EXPECT_FALSE(found.entries[1].result);
  EXPECT_FALSE(found.entries[1].refusal.empty());
  EXPECT_THROW(compare_flows(one, {{"b", ring}}, BitRate{80e9}), Error);
}

}  // namespace
}  // namespace helio::pipeline
