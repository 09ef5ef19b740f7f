// SPDX-License-Identifier: Apache-2.0
// `helio fred route` on the fixtures of the FRED notes, 2.3.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "apps/refused.h"
#include "apps/running.h"
#include "source_dir.h"

namespace helio::apps {
namespace {

nlohmann::json route(const std::string& arguments) {
  const Said said = run("fred route " + arguments + " --json", HELIO_SOURCE_DIR);
  EXPECT_EQ(said.code, 0) << said.err;
  return nlohmann::json::parse(said.out, nullptr, false);
}

TEST(FredRoute, RoutedFlowsAreProvenByNumbers) {
  const auto json = route("--ports 12 --middle 3 --groups '0,3,6;1,4,9;2,5,10'");
  EXPECT_EQ(json["routed"], true);
  EXPECT_EQ(json["verified"], true);
  EXPECT_EQ(json["colours"].size(), 3u);
}

// Three pairs that share elements in a triangle need three middle switches; four triples that pairwise share one need four.
TEST(FredRoute, BlockedFlowsComeWithTheProof) {
  for (const auto& [arguments, routed] :
       {std::pair<std::string, bool>{"--ports 8 --middle 2 --groups '0,2;1,4;3,5;6,7'", false},
        {"--ports 8 --middle 3 --groups '0,2;1,4;3,5;6,7'", true},
        {"--ports 12 --middle 3 --groups '0,2,4;1,6,8;3,7,10;5,9,11'", false},
        {"--ports 12 --middle 4 --groups '0,2,4;1,6,8;3,7,10;5,9,11'", true}}) {
    const auto json = route(arguments);
    EXPECT_EQ(json["routed"], routed) << arguments;
    EXPECT_EQ(json["verified"], routed) << arguments;
    EXPECT_EQ(json["proof"].is_string(), !routed) << arguments;
    if (!routed) {
      EXPECT_EQ(json["proven"], true);
    }
  }
}

// The four pairs of the notes on Fred_3(8): each is added once and copied once. An SVG file with as many signs, named in the answer.
TEST(FredRoute, DrawsWhatItRouted) {
  const std::string file = scratch_file("fred.svg"), drawn = "--ports 8 --groups '0,2;1,4;3,5;6,7' --svg " + file;
  EXPECT_EQ(route(drawn)["svg"], file);
  const std::string svg = contents(file);
  EXPECT_TRUE(svg.starts_with("<svg ")) << svg.substr(0, 200);
  std::size_t signs = 0;
  for (std::size_t at = 0; (at = svg.find("<g class=\"adds\"", at)) != std::string::npos; ++at) ++signs;
  EXPECT_EQ(signs, 4u);
  std::filesystem::remove(file);

  const Said said = run("fred route " + drawn);
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_NE(said.out.find("drawing      " + file), std::string::npos) << said.out;
  EXPECT_EQ(contents(file), svg);
  std::filesystem::remove(file);
  EXPECT_EQ(route("--ports 8 --groups '0,2'")["svg"], nullptr);
}

// The same pairs block Fred_2(8): as without a drawing, and no file.
TEST(FredRoute, DrawsNothingThatIsBlocked) {
  const std::string file = scratch_file("blocked.svg");
  const std::string blocked = "--ports 8 --middle 2 --groups '0,2;1,4;3,5;6,7' --svg " + file;
  EXPECT_EQ(route(blocked)["svg"], nullptr);
  const Said said = run("fred route " + blocked);
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_NE(said.out.find(file + " was not written"), std::string::npos) << said.out;
  EXPECT_FALSE(std::filesystem::exists(file));
}

// Fred_4(128) has 12,160 micro-switches (report/figures/fred_drawing_test.cpp).
TEST(FredRoute, DrawingsThatCannotBeAreRefused) {
  const std::string file = scratch_file("large.svg");
  expect_refused("fred route --ports 128 --middle 4 --groups '0,1' --svg " + file, 3, {"12160", "--svg"});
  EXPECT_FALSE(std::filesystem::exists(file));
  expect_refused("fred route --ports 8 --groups '0,1' --svg /dev/null/a.svg", 3, {"--svg"});
}

TEST(FredRoute, WrongInputIsRefused) {
  expect_refused("fred route --ports 8 --groups '0,1;1,2'", 3, {"1"});  // a port used twice
  expect_refused("fred route --ports 8 --groups '0,9'", 3, {"9"});      // larger than the switch
  expect_refused("fred route --ports 8 --groups '0,1,2,3,4,5,6,7,8'", 3, {"8"});
  expect_refused("fred route --ports 8 --groups '3,3'", 3, {"3", "twice"});
  for (const char* empty : {"0,1;", ";", "0,1;;2,3", " ", "0,,1"})
    expect_refused("fred route --ports 8 --groups '" + std::string(empty) + "'", 3, {"--groups", "group "});
  for (const char* garbage : {"0,x", "0 1,2", "0-3", "0x1", "1.5", "99999999999999999999"})
    expect_refused("fred route --ports 8 --groups '" + std::string(garbage) + "'", 3, {"--groups"});
  expect_refused("fred route --ports 1 --groups '0'", 3, {});
  expect_refused("fred route --ports 8", 2, {"--groups"});
  expect_refused("fred route --ports 8 --flows /nowhere", 3, {"No such file"});
}

// Ports that are not there, lists that are not there, keys that mean nothing, and what is no JSON.
TEST(FredRoute, WrongFilesAreRefused) {
  const std::string file = scratch_file("flows.json");
  for (const auto& [text, word] : {std::pair<std::string, std::string>{R"([{"inputs": [0], "outputs": []}])", "output"},
                                   {R"([{"inputs": [0]}])", "outputs"},
                                   {R"([{"inputs": [0], "outputs": [1], "colour": 3}])", "colour"},
                                   {R"([{"inputs": [18446744073709551615], "outputs": [1]}])", "18446744073709551615"},
                                   {R"([{"inputs": [-1], "outputs": [1]}])", "-1"},
                                   {R"([{"inputs": [0.5], "outputs": [1]}])", "0.5"},
                                   {R"([7])", "inputs"},
                                   {R"({})", "list"},
                                   {"", "JSON"}}) {
    std::ofstream(file) << text;
    expect_refused("fred route --ports 8 --flows " + file, 3, {word, file});
  }
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace helio::apps
