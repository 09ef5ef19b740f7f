// SPDX-License-Identifier: Apache-2.0
#include "schedule/fitted/certificate.h"

#include <gtest/gtest.h>

#include <tuple>

namespace helio::schedule {
namespace {

// Two pairs, 80 Gb/s inside and 8 Gb/s between: a, b | c, d. The link between leads from b to c and back.
Capabilities dumbbell() {
  Network network{.nodes = 4, .vertices = 4, .arcs = {}, .names = {"a", "b", "c", "d"}};
  std::uint32_t link = 0;
  for (const auto& [from, to, rate] : {std::tuple(0u, 1u, 80e9), std::tuple(1u, 2u, 8e9), std::tuple(2u, 3u, 80e9)})
    for (const bool back : {false, true})
      network.arcs.push_back({back ? to : from, back ? from : to, BitRate{rate}, Time(), link++});
  Capabilities capabilities;
  capabilities.nodes = 4;
  capabilities.network = [network] { return network; };
  return capabilities;
}

TEST(Certificate, ShowsTheSideThatBytesLeaveAndTheLinksTheyTake) {
  const auto why = certificate_of(request_on_all(Kind::kAllGather, {1e9}, 4), dumbbell());
  ASSERT_TRUE(why);
  // Either half: the cut has the same quotient both ways, but its two nodes are together
  EXPECT_EQ(why->near[0], why->near[1]);
  EXPECT_EQ(why->near[2], why->near[3]);
  EXPECT_NE(why->near[1], why->near[2]);
  EXPECT_EQ(why->binds, (std::vector<bool>{false, false, why->near[1], why->near[2], false, false}));
  EXPECT_EQ(why->rate.value, 8e9);
}

TEST(Certificate, WhatReducesGoesTheOtherWayRound) {
  // To a: whatever c and d add comes over the link from c to b
  const auto why = certificate_of(request_on_all(Kind::kReduce, {1e9}, 4), dumbbell());
  ASSERT_TRUE(why);
  EXPECT_EQ(why->binds, (std::vector<bool>{false, false, false, true, false, false}));
}

TEST(Certificate, AnExchangeIsBoundByLinksAndHasNoSides) {
  // 4 of 12 pairs go each way over the slow link, whichever way they are counted
  const auto why = certificate_of(request_on_all(Kind::kAllToAll, {1e9}, 4), dumbbell());
  ASSERT_TRUE(why);
  EXPECT_EQ(why->near, std::vector<bool>(4, false));
  EXPECT_EQ(why->binds, (std::vector<bool>{false, false, true, true, false, false}));
  EXPECT_EQ(why->rate.value, 16e9);
}

TEST(Certificate, NoneWithoutLinks) {
  EXPECT_FALSE(certificate_of(request_on_all(Kind::kAllToAll, {1e9}, 4), Capabilities()));
}

}  // namespace
}  // namespace helio::schedule
