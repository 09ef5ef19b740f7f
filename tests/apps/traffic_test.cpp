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
  expect_refused("traffic --fabric optinc --nodes 8 --bytes 1MB", 4, {"optinc", "average of all"});
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

const std::string kEven = " --nodes 8 --bytes 8MB --skew 0 --iterations 2";

// Seven eighths of 8 MB at 64 Gb/s are 875 us on the switch; ODDL has five policies.
TEST(TrafficCommand, ComparesFabricsInOneRun) {
  const auto json = answer("traffic --fabric switch:latency=0s --fabric 'oddl:policy=*' --rate '64 Gb/s'" + kEven);
  EXPECT_EQ(json["rate_bps"], 64'000'000'000);
  ASSERT_EQ(json["fabrics"].size(), 6u);
  EXPECT_EQ(json["fabrics"][0]["name"], "switch latency=0s");
  EXPECT_NEAR(json["fabrics"][0]["iteration_mean_s"], 875e-6, 1e-12);
  EXPECT_EQ(json["fabrics"][1]["name"], "oddl policy=srpt");
  EXPECT_EQ(json["fabrics"][5]["configuration"]["fabric"]["policy"], "planned");
  for (const auto& fabric : json["fabrics"]) {
    EXPECT_LE(fabric["utilisation"], 1 + 1e-9);
    EXPECT_LE(fabric["latency_p50_s"], fabric["latency_p99_s"]);
    EXPECT_EQ(fabric["flows"], 2 * 56);
  }
  // planned: nobody asks
  EXPECT_LT(json["fabrics"][5]["facts"]["control_messages"], json["fabrics"][1]["facts"]["control_messages"]);

  const Said said = run("traffic --fabric oddl --fabric switch" + kEven);
  EXPECT_EQ(said.code, 0) << said.err;
  for (const char* word :
       {"nodes of 100 Gb/s", "x bound", "utilisation", "p99", "\n  switch ", "\n  oddl ", "oddl: ODDL's model is ours"})
    EXPECT_NE(said.out.find(word), std::string::npos) << word << " in " << said.out;
}

// A switch has ports of 400 Gb/s, which no receiver reads from a grid of 50 GHz: ODDL's line says so, and the switch has its answer.
TEST(TrafficCommand, WhatCannotBeAtThisRateSaysWhy) {
  const Said said = run("traffic --fabric switch --fabric oddl" + kEven);
  EXPECT_EQ(said.code, 0) << said.err;
  for (const char* word : {"nodes of 400 Gb/s", "\n  switch ", "too many errors"})
    EXPECT_NE(said.out.find(word), std::string::npos) << word << " in " << said.out;
}

TEST(TrafficCommand, AFabricMayCarryItsSettings) {
  EXPECT_EQ(answer("traffic --fabric 'oddl:policy=fifo,trx=2'" + kEven),
            answer("traffic --fabric oddl --set fabric.policy=fifo --set fabric.trx=2" + kEven));
}

TEST(TrafficCommand, RefusesComparisonsThatAreNone) {
  expect_refused("traffic --fabric switch --rate '1 Gb/s'" + kEven, 3, {"--rate", "compared"});
  expect_refused("traffic --fabric switch --fabric oddl --rate '0 Gb/s'" + kEven, 3, {"--rate"});
  expect_refused("traffic --fabric switch --fabric oddl --set 'fabric.rate=1 Gb/s'" + kEven, 3, {"--rate"});
  expect_refused("traffic --fabric switch --fabric oddl --set fabric.policy=fifo" + kEven, 3, {"policy"});
  expect_refused("traffic --fabric oddl:nodes=8 --fabric switch:nodes=16 --bytes 1MB", 3, {"8 nodes", "--nodes"});
  expect_refused("traffic --fabric oddl:policy" + kEven, 3, {"--fabric", "parameter=value"});
  expect_refused("traffic --fabric 'oddl:rate=*'" + kEven, 3, {"--fabric", "choices"});
  expect_refused("traffic --fabric 'odl:policy=*'" + kEven, 3, {"--fabric", "oddl"});
}

}  // namespace
}  // namespace helio::apps
