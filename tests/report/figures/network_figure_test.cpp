// SPDX-License-Identifier: Apache-2.0
#include "report/figures/network_figure.h"

#include <gtest/gtest.h>

namespace helio::report {
namespace {

// a and b on a switch; two links in parallel from a to it, of which the cut around a counts both.
schedule::Certificate around_a() {
  schedule::Certificate why;
  why.network = {.nodes = 2, .vertices = 3, .arcs = {}, .names = {"a", "b", "s"}};
  why.network.arcs = {{0, 2, BitRate{100e9}, Time(), 0},
                      {0, 2, BitRate{100e9}, Time(), 1},
                      {2, 1, BitRate{200e9}, Time(), 2},
                      {1, 2, BitRate{200e9}, Time(), 3},
                      {2, 0, BitRate{200e9}, Time(), 4}};
  why.near = {true, false, false};
  why.binds = {true, true, false, false, false};
  why.rate = {200e9};
  why.words = "the tightest cut: what goes out of a takes 2 links, 200 Gb/s together";
  return why;
}

TEST(NetworkFigure, HasVerticesWithTheirSideAndLinksOfTheSameEndsTogether) {
  const std::optional<Figure> figure = network_figure(around_a());
  ASSERT_TRUE(figure);
  EXPECT_EQ(figure->kind, "network");
  EXPECT_EQ(figure->words,
            "2 nodes and 1 that only hand on; the tightest cut: what goes out of a takes 2 links, 200 Gb/s together.");
  const auto& vertices = figure->data.at("vertices");
  ASSERT_EQ(vertices.size(), 3u);
  EXPECT_TRUE(vertices[0].at("near").get<bool>());
  EXPECT_FALSE(vertices[1].at("near").get<bool>());
  EXPECT_TRUE(vertices[2].at("switch").get<bool>());
  const auto& links = figure->data.at("links");
  ASSERT_EQ(links.size(), 4u);  // by ends: 0-2, 1-2, 2-0, 2-1
  EXPECT_EQ(links[0], nlohmann::ordered_json({0, 2, "200 Gb/s", true}));
  EXPECT_FALSE(links[1][3].get<bool>());
  EXPECT_EQ(figure->csv.substr(0, figure->csv.find('\n')), "from,to,links,bits per second,binds");
}

TEST(NetworkFigure, NoneWhereThereIsTooMuchToLookAt) {
  schedule::Certificate why = around_a();
  why.network.vertices = 257;
  why.near.resize(257, false);
  EXPECT_FALSE(network_figure(why));
}

}  // namespace
}  // namespace helio::report
