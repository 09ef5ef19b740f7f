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

// Every fabric of the catalogue, as its own example makes it: a new one whose links have no words here fails. Only a graph's vertices have
// names that nobody knows beforehand.
TEST(LinkClass, EveryFabricHasWordsForItsLinks) {
  for (const auto& entry : fabric::fabrics().entries()) {
    const std::string& fabric = entry.description.name;
    for (const std::string& words : classes_of(fabric, fabric::example_settings(entry.description))) {
      const bool plain =
          std::ranges::none_of(words, [](char c) { return c == '#' || c == '*' || (c >= '0' && c <= '9'); });
      EXPECT_TRUE(plain || fabric == "graph") << fabric << ": " << words;
    }
  }
}

// And in their other shapes: switches in levels, links in bundles, chiplets, I/O.
TEST(LinkClass, OfLinksThatAreThereSometimes) {
  const auto of = [](const char* fabric, const Texts& texts) {
    Settings settings;
    for (const auto& [name, value] : texts) settings[name] = {value, "test"};
    return classes_of(fabric, settings);
  };
  using Set = std::set<std::string>;
  EXPECT_EQ(of("fat-tree", {{"nodes", "16"}, {"k", "4"}}),
            (Set{"links from hosts to edge switches", "links from edge switches to hosts",
                 "links from edge to aggregation switches", "links from aggregation to edge switches",
                 "links from aggregation to core switches", "links from core to aggregation switches"}));
  EXPECT_EQ(
      of("fat-tree", {{"nodes", "16"}, {"k", "4"}, {"routing", "spray"}}),
      (Set{"links from hosts to edge switches", "links from edge switches to hosts",
           "uplinks of edge switches, those of a switch as one", "downlinks of edge switches, those of a switch as one",
           "uplinks of pods, those of a pod as one", "downlinks of pods, those of a pod as one"}));
  EXPECT_EQ(of("cluster", {{"nodes", "64"}, {"network", "fat-tree"}}),
            (Set{"NVLink ports of NPUs, out", "NVLink ports of NPUs, in", "NICs of servers, out", "NICs of servers, in",
                 "uplinks of leaf switches", "downlinks of leaf switches"}));
  const Set wafer = {"links from NPUs up",          "links down to NPUs", "links up between switches",
                     "links down between switches", "I/O channels, in",   "I/O channels, out"};
  EXPECT_EQ(of("fred", {{"nodes", "20"}}), wafer);
  EXPECT_EQ(of("fred", {{"nodes", "20"}, {"structure", "chiplets"}}), wafer);
  EXPECT_EQ(of("optinc", {{"nodes", "16"}, {"ports", "4x4"}}),
            (Set{"links from nodes to their switches", "links from switches to their nodes",
                 "links up between switches", "links down between switches"}));
  EXPECT_EQ(
      of("oddl", {{"groups", "2"}, {"nodes_per_group", "2"}, {"channels", "4"}, {"trx", "2"}, {"alternate", "true"}}),
      (Set{"ports out of nodes", "ports into nodes"}));
  EXPECT_EQ(of("mesh", {{"dimensions", "4x4"}, {"io_rate", "128 GB/s"}}),
            (Set{"links between neighbours of the mesh", "I/O channels, in", "I/O channels, out"}));
}

// Names that people gave: of a graph's vertices, and of a job, whose digits are no numbers of links.
TEST(LinkClass, NamesOfPeopleStay) {
  EXPECT_EQ(class_of_link("link h12 to tor3"), "links from h* to tor*");
  EXPECT_EQ(class_of_link("link h12 to tor3 (2 of 4)"), "links from h* to tor*");
  EXPECT_EQ(class_of_link("4 links tor1 to spine"), "parallel links, as one, from tor* to spine");
  EXPECT_EQ(class_of_link("I/O in of gpt3"), "I/O in of gpt3");
}

}  // namespace
}  // namespace helio::pipeline
