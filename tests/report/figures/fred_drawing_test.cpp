// SPDX-License-Identifier: Apache-2.0
#include "report/figures/fred_drawing.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "fabric/fred/fred_simulation.h"
#include "report/figures/fred_picture.h"
#include "report/xml_parts.h"

namespace helio::report {
namespace {

using fabric::all_reduce_flow;
using fabric::Flow;

struct Picture {
  fabric::FredSwitch fred;
  std::vector<Flow> flows;
  fabric::FredConfiguration configuration = std::get<fabric::FredConfiguration>(route(fred, flows));
  std::string svg = fred_svg(fred, configuration, flows);
  std::vector<Part> parts = XmlReader(svg).parts;

  std::vector<Part> of(const std::string& name, const std::string& look) const {
    std::vector<Part> found;
    for (const Part& part : parts)
      if (part.name == name && part.attributes.contains("class") && part.attributes.at("class") == look)
        found.push_back(part);
    return found;
  }
};

// Pairs that need three middle switches; flows with other ports out than in, odd P and m = 4; nothing but RDs; no flow at all.
std::vector<Picture> pictures() {
  std::vector<Picture> all;
  all.push_back({fabric::FredSwitch(8, 3),
                 {all_reduce_flow({0, 2}), all_reduce_flow({1, 4}), all_reduce_flow({3, 5}), all_reduce_flow({6, 7})}});
  all.push_back({fabric::FredSwitch(11, 4), {{{0, 3, 10}, {1}}, {{1}, {0, 2, 3, 10}}, {{4, 5}, {4, 5, 6}}}});
  all.push_back({fabric::FredSwitch(2, 2), {all_reduce_flow({0, 1})}});
  all.push_back({fabric::FredSwitch(5, 2), {}});
  all.push_back({fabric::FredSwitch(64, 3), {all_reduce_flow({0, 21, 42, 63}), {{1, 2}, {1}}}});
  return all;
}

// Every wire is drawn once, in the group of the flow that the simulation finds on it or in that of the idle.
TEST(FredDrawing, EveryWireHasTheLookOfItsFlow) {
  for (const Picture& picture : pictures()) {
    const auto on_wire = fabric::flows_on_wires(picture.fred, picture.configuration.settings, picture.flows);
    std::set<std::string> seen;
    for (const Part& part : picture.parts) {
      if (!part.attributes.contains("data-wire")) continue;
      const std::string wire = part.attributes.at("data-wire");
      EXPECT_TRUE(seen.insert(wire).second) << wire;
      const std::uint32_t flow = on_wire.at(std::stoul(wire));
      const std::string group = part.around.at(1);  // inside "fred"
      if (flow == fabric::kNoFlow)
        EXPECT_EQ(group, "idle") << wire;
      else
        EXPECT_EQ(group.substr(0, group.find(' ')), "flow" + std::to_string(flow)) << wire;
    }
    EXPECT_EQ(seen.size(), picture.fred.wires());
  }
}

// As many signs as elements were seen to add and to copy when numbers were pushed through; |inputs| − 1 and |outputs| − 1 per flow.
TEST(FredDrawing, SignsStandWhereFlowsAreAddedAndCopied) {
  for (const Picture& picture : pictures()) {
    const fabric::FredCheck check = check_collective(picture.fred, picture.configuration.settings, picture.flows);
    ASSERT_TRUE(check.verified);
    EXPECT_EQ(picture.of("g", "adds").size(), check.activity.adders);
    EXPECT_EQ(picture.of("g", "copies").size(), check.activity.copiers);
    std::map<std::string, std::size_t> signs;  // "flow1 adds"
    for (const char* look : {"adds", "copies"})
      for (const Part& part : picture.of("g", look))
        ++signs[part.around.at(1).substr(0, part.around.at(1).find(' ')) + " " + look];
    for (std::size_t f = 0; f < picture.flows.size(); ++f) {
      EXPECT_EQ(signs["flow" + std::to_string(f) + " adds"], picture.flows[f].inputs.size() - 1);
      EXPECT_EQ(signs["flow" + std::to_string(f) + " copies"], picture.flows[f].outputs.size() - 1);
    }
    EXPECT_EQ(picture.of("rect", "box").size(), check.activity.crossed);
    EXPECT_EQ(picture.of("rect", "box").size() + picture.of("rect", "box unused").size(),
              picture.fred.micro_switches().size());
  }
}

// A number on either side of every port, a letter where a flow enters or leaves.
TEST(FredDrawing, PortsAreLabelled) {
  for (const Picture& picture : pictures()) {
    std::map<std::string, int> numbers, letters, expected;
    for (const Part& part : picture.of("text", "port")) ++numbers[part.text];
    for (std::uint32_t port = 0; port < picture.fred.ports(); ++port) EXPECT_EQ(numbers[std::to_string(port)], 2);
    for (const Part& part : picture.of("text", "name")) ++letters[part.text];
    for (std::size_t f = 0; f < picture.flows.size(); ++f)
      expected[flow_name(f)] = static_cast<int>(picture.flows[f].inputs.size() + picture.flows[f].outputs.size());
    EXPECT_EQ(letters, expected);
  }
}

// Fred_3(8) has three middle switches, and theirs are RDs. Fred_4(11) has 4 Fred_4(6) of 4 Fred_4(3) each: 4 + 16 frames.
TEST(FredDrawing, MiddleSwitchesAreFramedAndNumbered) {
  const std::vector<Picture> all = pictures();
  EXPECT_EQ(all[0].of("rect", "frame").size(), 3u);
  EXPECT_EQ(all[1].of("rect", "frame").size(), 20u);
  EXPECT_EQ(all[2].of("rect", "frame").size(), 0u);
  std::set<std::string> texts;
  for (const Part& part : all[1].of("text", "quiet")) texts.insert(part.text);
  for (const char* name : {"middle 0", "middle 3", "0.0", "3.3"}) EXPECT_TRUE(texts.contains(name)) << name;
}

// Fred_3(8), spec papers/fred.md 2.1: 10 R, 10 D and 9 RD are 29. The pairs meet pairwise, hence 4 adders and 4 copiers.
TEST(FredDrawing, SaysInWordsWhatItShows) {
  const Picture picture = std::move(pictures()[0]);
  ASSERT_EQ(picture.parts[0].name, "svg");
  EXPECT_EQ(picture.parts[0].attributes.at("role"), "img");
  ASSERT_EQ(picture.parts[1].name, "title");
  EXPECT_EQ(picture.parts[1].text, "Fred_3(8) carrying 4 flows");
  ASSERT_EQ(picture.parts[2].name, "desc");
  for (const char* words :
       {"of 29 micro-switches in use: 4 add, 4 copy", "a: all-reduce 0, 2, middle ", "d: all-reduce 6, 7"})
    EXPECT_NE(picture.parts[2].text.find(words), std::string::npos) << picture.parts[2].text;
  EXPECT_NE(pictures()[1].parts[2].text.find("c: 4, 5 to 4-6, middle "), std::string::npos)
      << pictures()[1].parts[2].text;
  EXPECT_NE(picture.svg.find("prefers-color-scheme: dark"), std::string::npos);
}

// Two flows that look alike in colour differ in their dashes: of 28 flows no two have both in common.
TEST(FredDrawing, ColourIsNotTheOnlyCue) {
  std::vector<Flow> unicasts;
  for (std::uint32_t port = 0; port < 28; ++port) unicasts.push_back({{port}, {port}});
  const Picture picture{fabric::FredSwitch(28, 2), unicasts};
  std::set<std::string> looks;
  for (const Part& part : picture.parts)
    if (part.name == "g" && part.around.back().starts_with("flow"))
      looks.insert(part.around.back().substr(part.around.back().find(' ')));
  EXPECT_EQ(looks.size(), 28u);
}

TEST(FredDrawing, NeedsNoScriptAndNoNetwork) {
  for (const Picture& picture : pictures()) {
    for (const Part& part : picture.parts) {
      EXPECT_NE(part.name, "script");
      for (const auto& [key, value] : part.attributes) {
        EXPECT_FALSE(key.starts_with("on") || key.ends_with("href")) << key;
        EXPECT_TRUE(key == "xmlns" || value.find("://") == std::string::npos) << value;
      }
    }
    for (const char* word : {"url(", "@import", "nan", "inf "})
      EXPECT_EQ(picture.svg.find(word), std::string::npos) << word;
  }
}

// Compact enough for a page: 900 by 650 pixels for the paper's example of eight ports.
TEST(FredDrawing, EightPortsFitOnAPage) {
  const std::vector<Picture> all = pictures();
  const auto& size = all[0].parts[0].attributes;
  EXPECT_LE(std::stoi(size.at("width")), 900);
  EXPECT_LE(std::stoi(size.at("height")), 650);
}

// Fred_4(128) has 64 + 4·992 = 4,032 R, as many D and 4,096 RD: too many. Fred_4(64) has 3,008 (spec 2.1's recursion).
TEST(FredDrawing, TooLargeSwitchesAreRefused) {
  const std::vector<Flow> flows = {all_reduce_flow({0, 1})};
  const fabric::FredSwitch fits(64, 4), large(128, 4);
  EXPECT_NO_THROW(fred_svg(fits, std::get<fabric::FredConfiguration>(route(fits, flows)), flows));
  try {
    fred_svg(large, std::get<fabric::FredConfiguration>(route(large, flows)), flows);
    FAIL() << "was drawn";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_NE(error.message().find("12160"), std::string::npos) << error.message();
  }
}

TEST(FredDrawing, FlowsAreNamedAsColumnsOfATable) {
  EXPECT_EQ(flow_name(0), "a");
  EXPECT_EQ(flow_name(25), "z");
  EXPECT_EQ(flow_name(26), "aa");
  EXPECT_EQ(flow_name(26 + 26 * 26), "aaa");
}

}  // namespace
}  // namespace helio::report
