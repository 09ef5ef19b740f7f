// SPDX-License-Identifier: Apache-2.0
// `helio fred route` on the fixtures of the FRED notes, 2.3.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "apps/refused.h"
#include "apps/running.h"

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
    if (!routed) EXPECT_EQ(json["proven"], true);
  }
}

TEST(FredRoute, WrongInputIsRefused) {
  expect_refused("fred route --ports 8 --groups '0,1;1,2'", 3, {"1"});      // a port used twice
  expect_refused("fred route --ports 8 --groups '0,9'", 3, {"9"});          // larger than the switch
  expect_refused("fred route --ports 8 --groups '0,x'", 3, {"x"});
  expect_refused("fred route --ports 1 --groups '0'", 3, {});
  expect_refused("fred route --ports 8", 2, {"--groups"});
  expect_refused("fred route --ports 8 --flows /nowhere", 3, {"No such file"});
}

}  // namespace
}  // namespace helio::apps
