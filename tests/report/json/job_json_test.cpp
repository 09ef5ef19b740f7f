// SPDX-License-Identifier: Apache-2.0
#include "report/json/job_json.h"

#include <gtest/gtest.h>

#include "report/a_job.h"
#include "report/a_result.h"
#include "report/json/json.h"

namespace helio::report {
namespace {

const std::vector<std::string> kKeys = {"name",
                                        "model",
                                        "npu",
                                        "fabric",
                                        "nodes",
                                        "npus",
                                        "iterations",
                                        "time_s",
                                        "bound_s",
                                        "bound",
                                        "exposed_s",
                                        "samples_per_s",
                                        "tokens_per_s",
                                        "model_flops",
                                        "model_utilisation",
                                        "npu_utilisation",
                                        "wavelengths_used",
                                        "traffic_bytes",
                                        "links",
                                        "memory_bytes",
                                        "energy_j",
                                        "energy_npus_j",
                                        "energy_dynamic_j",
                                        "energy_static_j",
                                        "energy_low_j",
                                        "energy_high_j",
                                        "energy_recalled",
                                        "critical_path",
                                        "algorithms",
                                        "attempts",
                                        "levels",
                                        "choices",
                                        "search",
                                        "usual_time_s",
                                        "facts",
                                        "configuration",
                                        "label",
                                        "assumptions",
                                        "version"};

TEST(JobJson, HasExactlyTheKeysOfTheDocument) {
  const Json json = job_object(a_job());
  for (const std::string& key : kKeys) EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_EQ(json.size(), kKeys.size());
}

// All eight classes, whether or not time was lost to them, and together the time.
TEST(JobJson, ExposedTimeIsAllOfTheTime) {
  const Json exposed = job_object(a_job())["exposed_s"];
  ASSERT_EQ(exposed.size(), 8u);
  double sum = 0;
  for (const char* name : {"compute", "tp", "pp", "dp", "ep", "load", "streaming", "cp"})
    sum += exposed.at(name).get<double>();
  EXPECT_DOUBLE_EQ(sum, 10);
  EXPECT_EQ(exposed["tp"], 1.5);
}

TEST(JobJson, TellsLinksMemoryAndWhatRan) {
  const Json json = job_object(a_job());
  EXPECT_EQ(json["links"][0]["name"], "NICs of servers, out");
  EXPECT_EQ(json["links"][0]["mean_utilisation"], 0.25);
  EXPECT_EQ(json["links"][0]["most_utilisation"], 0.5);
  EXPECT_EQ(json["links"][1]["links"], 128);
  EXPECT_EQ(json["memory_bytes"]["optimiser"], 60e9);
  EXPECT_TRUE(json["memory_bytes"]["total"].is_number_integer());
  EXPECT_EQ(json["memory_bytes"]["stage"], 3);
  EXPECT_EQ(json["algorithms"]["dp"], "hierarchical-ring");
  EXPECT_EQ(json["configuration"]["job"]["tp"], "8");
  EXPECT_EQ(json["energy_j"], 128000);
  EXPECT_EQ(json["facts"], (Json{{"channels", 64}, {"isolation", "physical"}}));
  EXPECT_EQ(json["wavelengths_used"], 34);
}

// Of two levels: all that is known of each, null where nothing is. The gain of the first choice is 3 us / 1 us.
TEST(JobJson, TellsLevelsAndChoices) {
  const Json json = job_object(a_job());
  const Json& wafer = json["levels"][0];
  const Json& between = json["levels"][1];
  EXPECT_EQ(wafer["exposed_s"]["tp"], 1.5);
  EXPECT_EQ(wafer["busiest"], "wafer 0: link 3");
  EXPECT_TRUE(wafer["loss_db"].is_null());
  EXPECT_EQ(between["loss_db"], 7.5);
  EXPECT_EQ(between["wavelengths_used"], 34);
  EXPECT_EQ(between["facts"]["longest_path_hops"], 2);
  EXPECT_EQ(between["traffic_bytes"], 1e12);
  EXPECT_EQ(json["choices"][0]["class"], "tp");
  EXPECT_DOUBLE_EQ(json["choices"][0]["gain"], 3);
  EXPECT_EQ(json["choices"][1]["gain"], 1);
  EXPECT_EQ(json["usual_time_s"], 12);
}

TEST(JobJson, EnergyIsOfNpusAndNetwork) {
  const Json json = job_object(a_job());
  EXPECT_EQ(json["energy_npus_j"], 120000);
  EXPECT_EQ(json["energy_dynamic_j"], 3000);
  EXPECT_EQ(json["energy_static_j"], 5000);
  EXPECT_EQ(json["energy_low_j"], 6000);
  EXPECT_EQ(json["energy_high_j"], 10000);
}

// Jobs run side by side: of 10 s and 4 s the longer counts, and it comes after the collectives (3 ms, bound 1/7 s).
TEST(JobJson, AFileOfJobsKeepsTheKeysOfAFile) {
  pipeline::IterationResult other = a_job();
  other.time = Time::seconds(4);
  other.bound_s = 2;
  const Json jobs = Json::parse(to_json({}, {a_job(), other}, "file.toml"));
  EXPECT_EQ(jobs["source"], "file.toml");
  EXPECT_EQ(jobs["time_s"], 10.0);
  EXPECT_EQ(jobs["bound_s"], 8.0);
  EXPECT_TRUE(jobs["results"].empty());
  EXPECT_EQ(jobs["jobs"].size(), 2u);
  const Json both = Json::parse(to_json({a_result()}, {a_job()}, "file.toml"));
  EXPECT_DOUBLE_EQ(both["time_s"], 10.003);
  EXPECT_DOUBLE_EQ(both["bound_s"], 8 + 1.0 / 7);
  EXPECT_EQ(both["results"].size(), 1u);
}

// Without jobs nothing changes for those who read results.
TEST(JobJson, AFileOfCollectivesHasNoJobs) {
  EXPECT_EQ(to_json({a_result()}, {}, "file.toml"), to_json({a_result()}, "file.toml"));
  EXPECT_EQ(Json::parse(to_json({a_result()}, "file.toml")).size(), 4u);
}

}  // namespace
}  // namespace helio::report
