// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/fred_at_once.h"

#include <gtest/gtest.h>

#include "base/catalogue.h"
#include "schedule/algorithm.h"

namespace helio::fabric {
namespace {

using schedule::Kind;

schedule::Capabilities able(std::uint64_t nodes) {
  schedule::Capabilities capabilities;
  capabilities.nodes = nodes;
  capabilities.reduces = capabilities.multicasts = true;
  return capabilities;
}

TEST(FredAtOnce, GroupsRunTogether) {
  const schedule::CollectiveRequest request{Kind::kAllReduce, {1}, {{{0}, {2}}, {{1}, {3}}}, 0};
  const auto sets = flows_at_once(schedule::build("in-fabric", request, able(4)), request);
  ASSERT_EQ(sets.size(), 1u);
  EXPECT_EQ(sets[0].flows, (std::vector<Flow>{all_reduce_flow({0, 2}), all_reduce_flow({1, 3})}));
  EXPECT_EQ(sets[0].groups, (std::vector<std::uint32_t>{0, 1}));
}

TEST(FredAtOnce, UnicastsAreRoutedOnline) {
  const auto request = schedule::request_on_all(Kind::kAllReduce, {1}, 4);
  EXPECT_TRUE(flows_at_once(schedule::build("ring", request, able(4)), request).empty());
}

// Reduce-scatter and all-gather apart over two buckets of three ranks: rounds with a reduce alone, with both, with a multicast alone.
// Only the three pairs are left; the others are part of them.
TEST(FredAtOnce, PartsOfALargerSetAreLeftOut) {
  const auto request = schedule::request_on_all(Kind::kAllReduce, {1}, 3);
  const auto sets = flows_at_once(
      schedule::build("in-fabric", request, able(3), {{"fused", {"false", ""}}, {"buckets", {"2", ""}}}), request);
  ASSERT_EQ(sets.size(), 3u);
  for (const FlowsAtOnce& set : sets) {
    ASSERT_EQ(set.flows.size(), 2u);
    EXPECT_EQ(set.flows[0].outputs, set.flows[1].inputs);  // to a rank, and from it
    EXPECT_EQ(set.flows[0].inputs, set.flows[1].outputs);
  }
}

}  // namespace
}  // namespace helio::fabric
