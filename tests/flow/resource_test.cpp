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

// Two rates of one block, and the same table twice behind something else: numbers move by where it begins, names say whose they are.
TEST(ResourceTable, ATableBehindAnotherKeepsEverythingButItsNumbers) {
  ResourceTable part;
  part.add_links(2, BitRate{10}, {[](std::uint32_t i) { return "link " + std::to_string(i); }, "link"});
  part.set_rate({1}, BitRate{7});
  part.add_channels(1, BitRate{20}, {Time::seconds(1), false, true}, [](std::uint32_t) { return "light"; });

  ResourceTable whole;
  whole.add_links(1, BitRate{1}, nullptr);
  const std::uint32_t first = whole.append(part, "wafer 0"), second = whole.append(part);
  EXPECT_EQ(first, 1u);
  EXPECT_EQ(second, 4u);
  EXPECT_EQ(whole.size(), 7u);
  for (const std::uint32_t at : {first, second}) {
    EXPECT_EQ(whole.rate({at}).value, 10);
    EXPECT_EQ(whole.rate({at + 1}).value, 7);
    EXPECT_FALSE(whole.is_channel({at + 1}));
    EXPECT_TRUE(whole.is_channel({at + 2}) && whole.is_link({at + 2}));
    EXPECT_EQ(whole.class_name({at + 1}), "link");
  }
  EXPECT_EQ(whole.name({first + 1}), "wafer 0: link 1");
  EXPECT_EQ(whole.name({second + 2}), "light");
  // A table of tables: outer names come first
  ResourceTable outer;
  outer.append(whole, "rack 3");
  EXPECT_EQ(outer.name({first + 1}), "rack 3, wafer 0: link 1");
}

}  // namespace
}  // namespace helio::flow
