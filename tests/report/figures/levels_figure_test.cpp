// SPDX-License-Identifier: Apache-2.0
#include "report/figures/levels_figure.h"

#include <gtest/gtest.h>

namespace helio::report {
namespace {

using Json = nlohmann::ordered_json;

// 64 wafers of 20 nodes, four of which reach a ring.
fabric::LevelsPicture two_levels() {
  fabric::LevelsPicture picture;
  picture.levels.push_back({.name = "<wafer>",
                            .fabric = "fred",
                            .instances = 64,
                            .units = 20,
                            .unit = 1,
                            .injection = BitRate{24e12},
                            .slow = {{3, 0.5}}});
  picture.levels.push_back({.name = "between",
                            .fabric = "wdm-ring",
                            .instances = 1,
                            .units = 64,
                            .unit = 20,
                            .gateways = {0, 5, 10, 15},
                            .gateway_rate = BitRate{1.6e12},
                            .injection = BitRate{5.12e12}});
  return picture;
}

std::vector<pipeline::LevelUse> their_uses() {
  return {{.mean = 0.01, .most = 0.125, .busiest = "<wafer> 3 link", .carried = {{"tp", 3e12}, {"dp", 1e12}}},
          {.mean = 0.25, .most = 0.5, .busiest = "segment 0-1", .carried = {{"dp", 2e12}}}};
}

TEST(LevelsFigure, SaysWhatJoinsWhatAndHowFullItIs) {
  const Figure figure = levels_figure(two_levels(), their_uses());
  EXPECT_EQ(figure.kind, "levels");
  EXPECT_EQ(
      figure.words,
      "2 levels, the highest first. Level between: wdm-ring of 64 x <wafer>, which 4 of 20 nodes reach at 1.6 "
      "Tb/s each; its links are busy 25 % of the time, the busiest 50 %; it carries 2 TB of dp. Level <wafer>: 64 "
      "x fred of 20 nodes; its links are busy 1 % of the time, the busiest 12.5 %; it carries 3 TB of tp, 1 TB of "
      "dp.");
}

TEST(LevelsFigure, DataOfBothLevels) {
  const Json levels = levels_figure(two_levels(), their_uses()).data["levels"];
  ASSERT_EQ(levels.size(), 2u);
  EXPECT_EQ(levels[0]["name"], "<wafer>");
  EXPECT_TRUE(levels[0]["gateways"].is_null());
  EXPECT_EQ(levels[0]["slow"], Json::parse("[[3, 0.5]]"));
  EXPECT_EQ(levels[0]["carried"], Json::parse(R"([["tp", 3e12], ["dp", 1e12]])"));
  EXPECT_EQ(levels[1]["gateways"], Json::parse("[0, 5, 10, 15]"));
  EXPECT_EQ(levels[1]["gateway_rate"], "1.6 Tb/s");
  EXPECT_EQ(levels[1]["most"], 0.5);
}

// A line for each level and class; one that carries nothing has one, too.
TEST(LevelsFigure, HasItsLoadsAsCsv) {
  std::vector<pipeline::LevelUse> uses = their_uses();
  uses[1] = {};
  EXPECT_EQ(levels_figure(two_levels(), uses).csv,
            "level,fabric,instances,units,nodes of a unit,gateways of a unit,mean,busiest,class,bytes\n"
            "<wafer>,fred,64,20,1,,0.01,0.125,tp,3000000000000\n"
            "<wafer>,fred,64,20,1,,0.01,0.125,dp,1000000000000\n"
            "between,wdm-ring,1,64,20,4,0,0,,0\n");
  EXPECT_NE(levels_figure(two_levels(), uses).words.find("it carries nothing."), std::string::npos);
}

TEST(LevelsFigure, NeedsAUseForEachLevel) { EXPECT_THROW(levels_figure(two_levels(), {}), std::logic_error); }

}  // namespace
}  // namespace helio::report
