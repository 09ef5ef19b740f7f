// SPDX-License-Identifier: Apache-2.0
// `helio slices --log` and `helio traffic --flows`: the examples, and what is wrong.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "apps/refused.h"
#include "apps/running.h"
#include "source_dir.h"

namespace helio::apps {
namespace {

class File {
 public:
  explicit File(const std::string& text) : path_(scratch_file("trace.csv")) { std::ofstream(path_) << text; }
  ~File() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// examples/traces/jobs.csv: 8 jobs of 75 GPUs; the last arrives at 7200 s.
TEST(JobLogCommand, TellsTheExampleOnTheUsualFabrics) {
  const Said said = run("slices --log examples/traces/jobs.csv --nodes 64 --json", HELIO_SOURCE_DIR);
  ASSERT_EQ(said.code, 0) << said.err;
  const auto json = nlohmann::json::parse(said.out);
  EXPECT_EQ(json["jobs"], 8);
  EXPECT_EQ(json["columns"], "plain");
  ASSERT_EQ(json["fabrics"].size(), 5u);
  EXPECT_EQ(json["fabrics"][0]["footing"], "slices");
  EXPECT_EQ(json["fabrics"][3]["footing"], "patched");
  EXPECT_EQ(json["fabrics"][4]["footing"], "arcs");
  for (const auto& fabric : json["fabrics"]) {
    EXPECT_GE(fabric["completion"]["mean_s"], fabric["running"]["mean_s"]) << fabric["name"];
    EXPECT_GE(fabric["slowdown"].get<double>(), 0.99) << fabric["name"];
    EXPECT_EQ(fabric["completion_cdf"].back()[1], 1) << fabric["name"];
  }
  // Node-seconds over 64 nodes for 7200 s
  const double asked = 8 * 7200. + 4 * 3600 + 16 * 86400 + 900 + 8 * 43200. + 4 * 1800 + 2 * 5400 + 32 * 10800.;
  EXPECT_NEAR(json["offered_load"].get<double>(), asked / (64 * 7200.), 1e-12);
  EXPECT_EQ(run("slices --log examples/traces/jobs.csv --nodes 64", HELIO_SOURCE_DIR).code, 0);
}

TEST(JobLogCommand, GeneratesJobs) {
  const Said said =
      run("slices --generate 50 --nodes 64 --nodes-per-gpu 2 --queue overtaking --placement scattered --seed 3 --json");
  ASSERT_EQ(said.code, 0) << said.err;
  const auto json = nlohmann::json::parse(said.out);
  EXPECT_NEAR(json["offered_load"].get<double>(), 0.8, 1e-9);
  EXPECT_EQ(json["queue"], "overtaking");
}

TEST(JobLogCommand, SaysWhatIsWrong) {
  const File log("arrival_s,gpus,duration_s\n0,1,60\n5,many,60\n");
  expect_refused("slices --log " + log.path(), 3, {log.path() + ":3:3", "'many'"});
  const File large("arrival_s,gpus,duration_s\n0,100,60\n");
  expect_refused("slices --log " + large.path() + " --nodes 64", 4, {large.path() + ":2:3", "100 GPUs"});
  expect_refused("slices --log /no/such/log.csv", 3, {"/no/such/log.csv"});
  expect_refused("slices", 2, {"--log", "--generate"});
  expect_refused("slices --generate 5 --log " + large.path(), 2, {"--log"});
  expect_refused("slices " HELIO_SOURCE_DIR "/examples/oddl_slices.toml --nodes 4", 2, {"--nodes"});
  expect_refused("slices --generate 5 --run", 2, {"--run"});
  expect_refused("slices --generate 5 --nodes 64 --fabric optinc", 3, {"'optinc'", "--fabric"});
  expect_refused("slices --generate 5 --nodes 64 --fabric fat-tre", 3, {"fat-tree"});
  expect_refused("slices --generate 5 --nodes 64 --fabric patch-panel:set=1s", 3, {"setup"});
  expect_refused("slices --generate 5 --queue random", 3, {"overtaking"});
}

TEST(FlowsCommand, TellsTheExamples) {
  const std::string fabrics = " --fabric 'oddl:policy=*' --fabric fat-tree --nodes 16";
  const Said said = run("traffic --flows examples/traces/flows.csv --json" + fabrics, HELIO_SOURCE_DIR);
  ASSERT_EQ(said.code, 0) << said.err;
  const auto json = nlohmann::json::parse(said.out);
  ASSERT_EQ(json["fabrics"].size(), 6u);
  for (const auto& fabric : json["fabrics"]) {
    EXPECT_EQ(fabric["flow_times"]["count"], 7);
    EXPECT_EQ(fabric["coflow_times"]["count"], 2);
    EXPECT_EQ(fabric["moved_bytes"], 131020000);
    EXPECT_GE(fabric["slowdown"].get<double>(), 1);
  }
  EXPECT_EQ(
      run("traffic --sizes examples/traces/flow_sizes.csv --count 500 --load 0.3" + fabrics, HELIO_SOURCE_DIR).code, 0);
}

TEST(FlowsCommand, SaysWhatIsWrong) {
  const File flows("time,source,destination,bytes\n0,1,1,60\n");
  expect_refused("traffic --fabric switch --nodes 4 --flows " + flows.path(), 3, {flows.path() + ":2:5", "itself"});
  expect_refused("traffic --fabric sip-ring --nodes 4 --count 5 --sizes " HELIO_SOURCE_DIR
                 "/examples/traces/flow_sizes.csv",
                 4, {"sip-ring"});
  expect_refused("traffic --fabric switch --nodes 4", 2, {"--bytes", "--flows", "--sizes"});
  expect_refused("traffic --fabric switch --nodes 4 --bytes 1MB --flows " + flows.path(), 2, {"--flows"});
  expect_refused("traffic --fabric switch --nodes 4 --skew 2 --flows " + flows.path(), 2, {"--skew"});
}

}  // namespace
}  // namespace helio::apps
