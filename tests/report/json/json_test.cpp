// SPDX-License-Identifier: Apache-2.0
#include "report/json/json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/a_result.h"

namespace helio::report {
namespace {

using Json = nlohmann::json;

TEST(Json, NumbersReadBackAsTheSameDouble) {
  const Json json = Json::parse(to_json(a_result()));
  EXPECT_EQ(json["time_s"].get<double>(), 1.0 / 3);
  EXPECT_EQ(json["bound_s"].get<double>(), 1.0 / 7);
  EXPECT_EQ(json["traffic_bytes"].get<double>(), 97656.25);
  EXPECT_TRUE(json["bytes"].is_number_integer());
  EXPECT_DOUBLE_EQ(json["critical_path"]["latency_s"], 5e-6);
}

TEST(Json, EnergyIsNeverNull) {
  pipeline::Result result = a_result();
  EXPECT_EQ(Json::parse(to_json(result))["energy_j"], 0);
  result.energy = {
      .moving = Energy{1}, .being_on = Energy{1.5}, .low = Energy{2}, .high = Energy{3}, .recalled = {"wss"}};
  const Json json = Json::parse(to_json(result));
  EXPECT_EQ(json["energy_j"], 2.5);
  EXPECT_EQ(json["energy_dynamic_j"], 1);
  EXPECT_EQ(json["energy_static_j"], 1.5);
  EXPECT_EQ(json["energy_low_j"], 2);
  EXPECT_EQ(json["energy_high_j"], 3);
  EXPECT_EQ(json["energy_recalled"], Json{"wss"});
}

TEST(Json, WhatRanIsTold) {
  const Json json = Json::parse(to_json(a_result()));
  EXPECT_EQ(json["kind"], "all-reduce");
  EXPECT_EQ(json["configuration"]["fabric"]["rate"], "1 Gb/s");
  EXPECT_TRUE(json["configuration"]["algorithm"].is_object());
  EXPECT_EQ(json["attempts"][1]["outcome"], "carried");
  EXPECT_EQ(json["assumptions"], Json({"one", "two"}));
}

TEST(Json, ASearchTellsWhatElseWasTried) {
  pipeline::Result result = a_result();
  EXPECT_FALSE(Json::parse(to_json(result)).contains("alternatives"));
  result.asked_algorithm = "auto";
  result.alternatives = {{"ring", "slower", "takes 10 % longer", Time::microseconds(3300), 7},
                         {"direct", "infeasible", "too many moves", std::nullopt, 0}};
  const Json json = Json::parse(to_json(result));
  EXPECT_EQ(json["asked_algorithm"], "auto");
  ASSERT_EQ(json["alternatives"].size(), 2u);
  EXPECT_EQ(json["alternatives"][0]["algorithm"], "ring");
  EXPECT_DOUBLE_EQ(json["alternatives"][0]["time_s"], 3.3e-3);
  EXPECT_EQ(json["alternatives"][0]["steps"], 7);
  EXPECT_EQ(json["alternatives"][0]["verdict"], "slower");
  EXPECT_TRUE(json["alternatives"][1]["time_s"].is_null());
  EXPECT_TRUE(json["alternatives"][1]["steps"].is_null());
  EXPECT_EQ(json["alternatives"][1]["reason"], "too many moves");
}

// Collectives of one file follow each other: 3 ms + 3 ms, 1/7 s + 1/7 s.
TEST(Json, SeveralResultsAddUp) {
  const Json json = Json::parse(to_json({a_result(), a_result()}, "file.toml"));
  EXPECT_EQ(json["results"].size(), 2u);
  EXPECT_DOUBLE_EQ(json["time_s"], 6e-3);
  EXPECT_DOUBLE_EQ(json["bound_s"], 2.0 / 7);
}

TEST(Json, RowsHaveExactlyTheKeysOfTheContract) {
  const Row told{.study = "s",
                 .quantity = "q",
                 .published = 2.0,
                 .expected = {},
                 .ours = 2.5,
                 .assumptions = {{"a", Grade::kFitted, "", {2.0}}, {"b", Grade::kLiteral, "a paper, 3"}},
                 .source = "a paper, 4"};
  const Json json = Json::parse(to_json(std::vector<Row>{told}));
  ASSERT_EQ(json.size(), 1u);
  const Json& row = json["rows"][0];
  EXPECT_EQ(row.size(), 10u);
  EXPECT_EQ(row["published"], 2.0);
  EXPECT_TRUE(row["expected"].is_null());
  EXPECT_EQ(row["label"], "fitted");
  EXPECT_EQ(row["assumptions"], Json({"fitted: a (uses 2)", "literal: b (a paper, 3)"}));
  EXPECT_EQ(row["within"], 0.25);  // 0.5 of 2
  EXPECT_EQ(row["predicted"], false);
  EXPECT_EQ(Json::parse(to_json(std::vector<Row>{}))["rows"].size(), 0u);
}

// A script can tell a number that somebody published from one that a formula gives.
TEST(Json, RowsSayWhatTheyAreHeldAgainst) {
  const Json json = Json::parse(to_json(std::vector<Row>{{.study = "s",
                                                          .quantity = "q",
                                                          .published = {},
                                                          .expected = 2,
                                                          .ours = 2,
                                                          .assumptions = {{"a"}},
                                                          .source = "closed form"}}));
  EXPECT_EQ(json["rows"][0]["expected"], 2);
  EXPECT_TRUE(json["rows"][0]["published"].is_null());
  EXPECT_EQ(json["rows"][0]["predicted"], true);
}

TEST(Json, TextThatIsNoUtf8IsReplaced) {
  pipeline::Result result = a_result();
  result.name = "\xff\xfe";
  EXPECT_NO_THROW(Json::parse(to_json(result)));
}

}  // namespace
}  // namespace helio::report
