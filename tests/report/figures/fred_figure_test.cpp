// SPDX-License-Identifier: Apache-2.0
#include "report/figures/fred_figure.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "fabric/fred/fred_simulation.h"
#include "pipeline/config_file.h"
#include "pipeline/run.h"

namespace helio::report {
namespace {

using Json = nlohmann::ordered_json;

Json switch_of(std::uint32_t ports, std::uint32_t middles, const std::vector<fabric::Flow>& flows,
               Figure* whole = nullptr) {
  const fabric::FredSwitch fred(ports, middles);
  const auto configuration = std::get<fabric::FredConfiguration>(fabric::route(fred, flows));
  const ShownSwitch shown[] = {{"a <b>", &fred, &configuration, flows}};
  Figure figure = fred_figure(shown);
  if (whole) *whole = figure;
  return figure.data["switches"][0];
}

// Fred_2(2) is one RD: both inputs are added, the sum is copied to both outputs. Four wires, all of flow 0.
TEST(FredFigure, OneElement) {
  Figure whole;
  const Json one = switch_of(2, 2, {fabric::all_reduce_flow({0, 1})}, &whole);
  EXPECT_EQ(one["boxes"].size(), 1u);
  EXPECT_EQ(one["boxes"][0][4], 1);
  ASSERT_EQ(one["wires"].size(), 4u);
  for (const Json& wire : one["wires"]) EXPECT_EQ(wire[0], 0);
  ASSERT_EQ(one["marks"].size(), 2u);
  EXPECT_EQ(one["marks"][0][4], 1);
  EXPECT_EQ(one["marks"][1][4], 0);
  EXPECT_EQ(one["headings"].size(), 1u);
  EXPECT_EQ(one["headings"][0][2], "RD");
  EXPECT_EQ(one["ports"].size(), 4u);
  EXPECT_EQ(one["flows"], Json::parse(R"([["a", "all-reduce 0, 1"]])"));
  EXPECT_EQ(whole.words,
            "a <b>: Fred_2(2) carries 1 flow, 1 of 1 micro-switches in use, 1 add and 1 copy. a: all-reduce 0, 1.");
}

// Flows that need several elements: marks agree with what numbers pushed through the switch meet, wires with flows_on_wires.
TEST(FredFigure, AgreesWithWhatPassesTheSwitch) {
  const std::vector<fabric::Flow> flows = {
      fabric::all_reduce_flow({0, 4}), fabric::all_reduce_flow({1, 5}), {{2}, {2, 6}}};
  const fabric::FredSwitch fred(8, 3);
  const auto configuration = std::get<fabric::FredConfiguration>(fabric::route(fred, flows));
  const fabric::FredCheck check = fabric::check_collective(fred, configuration.settings, flows);
  ASSERT_TRUE(check.verified);
  const Json one = switch_of(8, 3, flows);
  const auto marks = [&](int adds) {
    return static_cast<std::uint64_t>(std::ranges::count_if(one["marks"], [&](const Json& m) { return m[4] == adds; }));
  };
  EXPECT_EQ(marks(1), check.activity.adders);
  EXPECT_EQ(marks(0), check.activity.copiers);
  EXPECT_EQ(one["boxes"].size(), fred.micro_switches().size());
  const auto on_wire = fabric::flows_on_wires(fred, configuration.settings, flows);
  ASSERT_EQ(one["wires"].size(), on_wire.size());
  for (std::size_t w = 0; w < on_wire.size(); ++w)
    EXPECT_EQ(one["wires"][w][0].get<std::int64_t>(), on_wire[w] == fabric::kNoFlow ? -1 : std::int64_t{on_wire[w]})
        << w;
  // Three middle switches in frames, on every level that has frames
  EXPECT_EQ(one["frames"].size(), 3u);
}

std::optional<Figure> figure_of(const std::string& fabric, const std::string& collective) {
  const auto experiment = pipeline::interpret(pipeline::parse_draft(
      fmt::format("[fabric]\nname = \"{}\"\n[[collective]]\nkind = \"all-reduce\"\nbytes = \"1 MB\"\n{}\n", fabric,
                  collective),
      "test.toml"));
  const pipeline::Result result = pipeline::run(experiment, experiment.collectives.front(), {.picture = true});
  const auto* picture = std::get_if<fabric::FredPicture>(&result.picture);
  return picture ? std::optional(fred_figure(*picture)) : std::nullopt;
}

// A wafer of 20 NPUs as one switch, with the groups that ran.
TEST(FredFigure, OfACollective) {
  const Figure figure = *figure_of("fred", "algorithm = \"in-fabric\"\ngroups = [[0, 4], [1, 5]]");
  EXPECT_EQ(figure.data["switches"].size(), 1u);
  EXPECT_EQ(figure.data["switches"][0]["ports"].size(), 40u);
  EXPECT_NE(figure.words.find("Fred_3(20) carries 2 flows"), std::string::npos);
  EXPECT_NE(figure.words.find("b: all-reduce 1, 5"), std::string::npos);
}

// Groups of NPUs 0, 4 and 1, 5 cross from L1 group 0 to 1: the L2 chip that joins them and two L1 chips are at work, no other.
TEST(FredFigure, ChipletsThatDoSomething) {
  const Figure figure =
      *figure_of("fred\"\nstructure = \"chiplets", "algorithm = \"in-fabric\"\ngroups = [[0, 4], [1, 5]]");
  std::vector<std::string> titles;
  for (const Json& one : figure.data["switches"]) titles.push_back(one["title"]);
  EXPECT_EQ(std::ranges::count_if(titles, [](const std::string& t) { return t.starts_with("L1 chip of group"); }), 2);
  EXPECT_GE(std::ranges::count_if(titles, [](const std::string& t) { return t.starts_with("L2 chip"); }), 1);
}

TEST(FredFigure, NoneWhereNothingIsAddedInASwitch) {
  EXPECT_FALSE(figure_of("fred", "algorithm = \"ring\""));
  EXPECT_FALSE(figure_of("switch\"\nnodes = \"4", "algorithm = \"ring\""));
}

}  // namespace
}  // namespace helio::report
