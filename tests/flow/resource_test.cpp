// SPDX-License-Identifier: Apache-2.0
#include "flow/resource.h"

#include <gtest/gtest.h>

namespace helio::flow {
namespace {

TEST(ResourceTable, BlocksShareOneTableAndKeepTheirNamesAndRules) {
  ResourceTable table;
  const ResourceId links = table.add_links(3, BitRate{10}, [](std::uint32_t i) { return "link " + std::to_string(i); });
  const ResourceId channels = table.add_channels(2, BitRate{20}, {Time::seconds(1), true},
                                                 [](std::uint32_t i) { return "channel " + std::to_string(i); });
  EXPECT_EQ(table.size(), 5u);
  EXPECT_EQ(table.name(ResourceId{links.value + 2}), "link 2");
  EXPECT_EQ(table.name(ResourceId{channels.value + 1}), "channel 1");
  EXPECT_FALSE(table.is_channel(links));
  EXPECT_TRUE(table.is_channel(channels));
  EXPECT_TRUE(table.rules(channels).preemptive);
  EXPECT_EQ(table.rules(channels).setup, Time::seconds(1));
  table.set_rate(links, BitRate{7});
  EXPECT_EQ(table.rate(links).value, 7);
  EXPECT_EQ(table.rate(ResourceId{links.value + 1}).value, 10);
}

}  // namespace
}  // namespace helio::flow
