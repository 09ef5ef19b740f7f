// SPDX-License-Identifier: Apache-2.0
#include "pipeline/link_class.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fabric/example.h"
#include "fabric/fabric.h"

namespace helio::pipeline {
namespace {

using Texts = std::vector<std::pair<const char*, const char*>>;

std::set<std::string> classes_of(const std::string& fabric, const Settings& settings) {
  const auto made = fabric::make(fabric, settings);
  flow::Program program;
  made->install(program);
  std::set<std::string> found;
  for (std::uint32_t i = 0; i < program.resources.size(); ++i)
    if (program.resources.is_link(flow::ResourceId{i}))
      found.insert(class_of_link(program.resources.name(flow::ResourceId{i})));
  return found;
}

// Every fabric of the catalogue, as its own example makes it: a few classes, whatever the numbers of its links.
TEST(LinkClass, LinksOfEveryFabricAreAFewKinds) {
  for (const auto& entry : fabric::fabrics().entries()) {
    const std::string& fabric = entry.description.name;
    const std::set<std::string> classes = classes_of(fabric, fabric::example_settings(entry.description));
    EXPECT_LE(classes.size(), 12u) << fabric;
    for (const std::string& words : classes) {
      EXPECT_TRUE(std::ranges::none_of(words, [](char c) { return c == '#' || (c >= '0' && c <= '9'); })) << words;
      EXPECT_FALSE(words.empty() || words.ends_with(' ') || words.ends_with(',') || words.ends_with(" to")) << words;
    }
  }
}

TEST(LinkClass, OfLinksThatAreThereSometimes) {
  const auto of = [](const char* fabric, const Texts& texts) {
    Settings settings;
    for (const auto& [name, value] : texts) settings[name] = {value, "test"};
    return classes_of(fabric, settings);
  };
  using Set = std::set<std::string>;
  EXPECT_EQ(of("fat-tree", {{"nodes", "16"}, {"k", "4"}}),
            (Set{"link host to edge", "link edge to host", "link edge to aggregation", "link aggregation to edge",
                 "link aggregation to core", "link core to aggregation"}));
  EXPECT_EQ(of("fat-tree", {{"nodes", "16"}, {"k", "4"}, {"routing", "spray"}}),
            (Set{"link host to edge", "link edge to host", "uplinks of edge", "downlinks of edge", "uplinks of pod",
                 "downlinks of pod"}));
  EXPECT_EQ(of("cluster", {{"nodes", "64"}, {"network", "fat-tree"}}),
            (Set{"NVLink port of NPU, out", "NVLink port of NPU, in", "NIC of server, out", "NIC of server, in",
                 "uplink of leaf", "downlink of leaf"}));
  EXPECT_EQ(of("mesh", {{"dimensions", "4x4"}, {"io_rate", "128 GB/s"}}),
            (Set{"mesh link node to node", "I/O channel in", "I/O channel out"}));
}

TEST(LinkClass, NumbersGoAndNodesStay) {
  EXPECT_EQ(class_of_link("link 3 to switch"), "link node to switch");
  EXPECT_EQ(class_of_link("link switch to 3"), "link switch to node");
  EXPECT_EQ(class_of_link("segment 3-4 counter-clockwise, wavelength 5"), "segment counter-clockwise");
  EXPECT_EQ(class_of_link("link down to NPU 3, link 2"), "link down to NPU");
  EXPECT_EQ(class_of_link("channel 3 of group 4, plane 5"), "channel of group");
}

// Names that people gave: of a graph's vertices, and of a job, whose digits are no numbers of links.
TEST(LinkClass, NamesOfPeopleStay) {
  EXPECT_EQ(class_of_link("link h12 to tor3"), "link h* to tor*");
  EXPECT_EQ(class_of_link("link h12 to tor3 (2 of 4)"), "link h* to tor*");
  EXPECT_EQ(class_of_link("4 links tor1 to spine"), "links tor* to spine");
  EXPECT_EQ(class_of_link("I/O in of gpt3"), "I/O in of gpt3");
}

}  // namespace
}  // namespace helio::pipeline
