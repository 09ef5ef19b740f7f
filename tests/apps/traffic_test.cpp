// SPDX-License-Identifier: Apache-2.0
// `helio traffic` as a person runs it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "apps/refused.h"
#include "apps/running.h"

namespace helio::apps {
namespace {

const std::string kIdeal =
    "traffic --fabric switch --nodes 8 --bytes 8MB --set 'fabric.rate=64 Gb/s' --set fabric.latency=0";

nlohmann::json answer(const std::string& arguments) {
  const Said said = run(arguments + " --json");
  EXPECT_EQ(said.code, 0) << said.err;
  return nlohmann::json::parse(said.out, nullptr, false);
}

// 7/8 of 8 MB at 64 Gb/s are 875 us.
TEST(TrafficCommand, AnswersInJson) {
  const auto json = answer(kIdeal + " --skew 0 --iterations 2");
  EXPECT_NEAR(json["time_s"], 2 * 875e-6, 1e-11);
  EXPECT_NEAR(json["utilisation"], 1, 1e-9);
  EXPECT_EQ(json["flows"], 2 * 56);
  EXPECT_EQ(json["iterations"].size(), 2u);
  EXPECT_NEAR(json["latency_p99_s"], 875e-6, 1e-11);
  EXPECT_EQ(json["seed"], 1);
  EXPECT_EQ(json["version"], HELIO_VERSION);
  EXPECT_EQ(json["configuration"]["fabric"]["nodes"], "8");
}

// Every option changes the answer, and nothing else does.
TEST(TrafficCommand, OptionsMatter) {
  const double time = answer(kIdeal)["time_s"];
  EXPECT_EQ(answer(kIdeal)["time_s"], time);
  for (const char* option :
       {"--skew 2", "--seed 2", "--iterations 7", "--compute '1 ms'", "--set fabric.step_overhead=1us"})
    EXPECT_NE(answer(kIdeal + " " + option)["time_s"], time) << option;
}

TEST(TrafficCommand, SpeaksToPeople) {
  const Said said = run(kIdeal);
  EXPECT_EQ(said.code, 0) << said.err;
  for (const char* word : {"utilisation", "p50", "p99", "hottest", "seed 1"})
    EXPECT_NE(said.out.find(word), std::string::npos) << word;
}

TEST(TrafficCommand, RefusesWithTheReason) {
  expect_refused("traffic --nodes 8 --bytes 1MB", 2, {"--fabric"});
  expect_refused("traffic --fabric switch --bytes 1MB", 2, {"--nodes"});
  expect_refused("traffic --fabric swich --nodes 8 --bytes 1MB", 3, {"switch", "--fabric"});
  expect_refused("traffic --fabric switch --nodes 1 --bytes 1MB", 3, {"two nodes"});
  expect_refused(kIdeal + " --skew=-1", 3, {"--skew"});
  expect_refused(kIdeal + " --iterations 0", 3, {"--iterations"});
  expect_refused(kIdeal + " --compute=-1s", 3, {"--compute"});
  expect_refused(kIdeal + " --seed none", 3, {"--seed"});
  expect_refused(kIdeal + " --set algorithm.chunks=2", 3, {"--set", "algorithm.chunks"});
  expect_refused("traffic --fabric switch --nodes 4097 --bytes 1MB", 4, {"flows"});
  expect_refused("traffic --fabric oddl --nodes 128 --bytes 1MB --set fabric.planes=1", 4, {"--fabric", "channels"});
}

}  // namespace
}  // namespace helio::apps
