// SPDX-License-Identifier: Apache-2.0
// `helio slices`: the example, and files that are wrong.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "apps/refused.h"
#include "apps/running.h"
#include "source_dir.h"

namespace helio::apps {
namespace {

// Two groups of four nodes; two channels for each node of a group.
const std::string kFabric = "[fabric]\ngroups = 2\nnodes_per_group = 4\nchannels = 8\n";  // 4 lines

class File {
 public:
  explicit File(const std::string& text) : path_(scratch_file("slices.toml")) { std::ofstream(path_) << text; }
  ~File() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

nlohmann::json told(const std::string& events) {
  const File file(kFabric + events);
  const Said said = run("slices " + file.path() + " --json");
  EXPECT_EQ(said.code, 0) << said.err;
  return nlohmann::json::parse(said.out, nullptr, false);
}

void expect_wrong(const std::string& text, int code, std::vector<std::string> words) {
  const File file(text);
  expect_refused("slices " + file.path(), code, words);
}

// papers/oddl.md 2.2: two-level is halving-doubling in the group (to all 8 members) and rings across (to the 8 of the next
// group), 16 channels; halving-doubling of 32 reaches two other groups, 24 channels, and a fibre has 16.
TEST(SlicesCommand, TellsTheExample) {
  const Said said = run("slices examples/oddl_slices.toml --json", HELIO_SOURCE_DIR);
  ASSERT_EQ(said.code, 0) << said.err;
  const auto json = nlohmann::json::parse(said.out);
  const auto& events = json["events"];
  ASSERT_EQ(events.size(), 12u);
  EXPECT_EQ(events[0]["algorithm"], "two-level");
  EXPECT_EQ(events[0]["channels"], 16);
  EXPECT_EQ(events[0]["attempts"].size(), 1u);
  EXPECT_EQ(events[0]["isolation"], "physical");
  EXPECT_EQ(events[6]["isolation"], "masked");
  EXPECT_EQ(events[7]["job"], "search");
  EXPECT_EQ(events[7]["nodes"].size(), 5u);
  EXPECT_EQ(events[8]["done"], false);
  EXPECT_NEAR(events[11]["ready_s"], 90.05, 1e-9);
  EXPECT_EQ(json["running"], nlohmann::json({"search", "notebook", "giant"}));
  EXPECT_EQ(run("slices examples/oddl_slices.toml", HELIO_SOURCE_DIR).code, 0);
}

TEST(SlicesCommand, JobsComeGrowAndGo) {
  const auto json = told(
      "[[event]]\nadmit = \"a\"\nnodes = [0, 1]\n[[event]]\ngrow = \"a\"\nmore = 2\n[[event]]\nat = \"3 s\"\n"
      "fail = 0\n[[event]]\nleave = \"a\"\n");
  const auto& events = json["events"];
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0]["nodes"], nlohmann::json({0, 1}));
  EXPECT_EQ(events[1]["nodes"], nlohmann::json({0, 1, 2, 3}));  // its own group first
  EXPECT_EQ(events[2]["nodes"], nlohmann::json({4, 1, 2, 3}));  // the group is full: the next one helps out
  EXPECT_EQ(events[3]["at_s"], 3);                              // as the one above it
  EXPECT_EQ(events[3]["free_nodes"], 7);
  EXPECT_TRUE(json["running"].empty());
}

// 8 nodes: 6 are taken, and 3 are not free. What was refused neither grows nor leaves, and may come again.
TEST(SlicesCommand, ARefusalIsAnAnswerUnlessItMustBe) {
  const std::string six = "[[event]]\nadmit = \"a\"\nnodes = 6\nalgorithm = \"ring\"\n";
  const std::string three = "[[event]]\nadmit = \"b\"\nnodes = 3\nalgorithm = \"ring\"\n";
  const auto json = told(six + three + "[[event]]\ngrow = \"b\"\nmore = 1\n[[event]]\nleave = \"a\"\n" + three);
  EXPECT_EQ(json["events"][1]["done"], false);
  EXPECT_NE(json["events"][1]["reason"].get<std::string>().find("2 are free"), std::string::npos);
  EXPECT_EQ(json["events"][2]["done"], false);
  EXPECT_EQ(json["events"][4]["done"], true);
  expect_wrong(kFabric + six + three + "must = true\n", 4, {"slices.toml:10:1", "2 are free"});
}

TEST(SlicesCommand, WrongFilesAreRefusedWhereTheyAreWrong) {
  const std::string a = kFabric + "[[event]]\nadmit = \"a\"\nnodes = [0, 1]\n";  // 7 lines
  expect_wrong(a + "[[event]]\nadmit = \"b\"\nnodes = [1, 2]\n", 3, {"slices.toml:10:1", "overlap"});
  expect_wrong(a + "[[event]]\nadmit = \"b\"\nnodes = 9\n", 4, {"slices.toml:10:1", "9 nodes", "8"});  // no room, ever
  expect_wrong(a + "[[event]]\nadmit = \"b\"\nnodes = [8]\n", 3, {"slices.toml:10:1", "node 8"});
  expect_wrong(a + "[[event]]\nadmit = \"b\"\nnodes = -1\n", 3, {"slices.toml:10:1", "-1"});
  expect_wrong(a + "[[event]]\nadmit = \"a\"\nnodes = 1\n", 3, {"slices.toml:9:1", "runs already"});
  expect_wrong(a + "[[event]]\nat = \"-1 s\"\nleave = \"a\"\n", 3, {"slices.toml:9:1", "-1 s"});
  expect_wrong(a + "at = \"2 s\"\n[[event]]\nat = \"1 s\"\nleave = \"a\"\n", 3, {"slices.toml:10:1", "before"});
  expect_wrong(a + "[[event]]\nleave = \"b\"\n", 3, {"slices.toml:9:1", "unknown job 'b'"});
  expect_wrong(a + "[[event]]\nfail = 8\n", 3, {"slices.toml:9:1", "does not exist"});
  expect_wrong(a + "[[event]]\nmore = 2\n", 3, {"slices.toml:8:1", "neither admit"});
  expect_wrong(a + "[[event]]\ngrow = \"a\"\nleave = \"a\"\n", 3, {"slices.toml:8:1", "both"});
  expect_wrong(a + "colour = 3\n", 3, {"slices.toml:8:1", "colour"});
  expect_wrong(a + "algorithm = \"rign\"\n", 3, {"slices.toml:8:1", "ring"});
  expect_wrong("[fabric]\nwss = \"-1 ms\"\n[[event]]\nfail = 0\n", 3, {"slices.toml:2:1", "wss"});
  expect_wrong("[fabric]\nwess = 1\n[[event]]\nfail = 0\n", 3, {"slices.toml:2:1", "'wss'"});
  expect_wrong("[fabric]\nchannels = 3\n[[event]]\nfail = 0\n", 3, {"slices.toml:1:1", "3 channels"});
  expect_wrong("[fabric]\n", 3, {"nothing happens"});
  expect_wrong("[fabric]\ntrx = 2\n[[event]]\nfail = 0\n", 3, {"slices.toml:2:1", "trx"});
  expect_wrong("[fabric]\nrate = \"1 B\"\n[[event]]\nfail = 0\n", 3, {"slices.toml:2:1", "rate"});
  expect_wrong("[run]\nuntil = \"1 s\"\n[[event]]\nat = \"2 s\"\nfail = 0\n", 3, {"slices.toml:2:", "before"});
  expect_wrong("[run]\nruns = -1\n[[event]]\nfail = 0\n", 3, {"slices.toml:2:1", "runs"});
  expect_wrong("[[event]\n", 3, {"slices.toml:1:", "TOML"});
  expect_refused("slices no_such_file.toml", 3, {"no_such_file.toml"});
}

// b comes into the group of a, and leaves it: a is masked meanwhile.
TEST(SlicesCommand, OthersAreToldWhenTheirIsolationChanges) {
  const auto json = told(
      "[[event]]\nadmit = \"a\"\nnodes = [0, 1]\n[[event]]\nadmit = \"b\"\nnodes = [2]\n[[event]]\n"
      "admit = \"c\"\nnodes = [4]\n[[event]]\nleave = \"b\"\n");
  const auto& events = json["events"];
  EXPECT_TRUE(events[0]["isolation_changed"].empty());
  EXPECT_EQ(events[1]["isolation_changed"], nlohmann::json::parse(R"([{"job": "a", "isolation": "masked"}])"));
  EXPECT_TRUE(events[2]["isolation_changed"].empty());
  EXPECT_EQ(events[3]["isolation_changed"], nlohmann::json::parse(R"([{"job": "a", "isolation": "physical"}])"));
}

// Rings of 4 nodes, 1 MB at 100 Gb/s: 6 rounds of 20 us, and 0.8374 us to set up the first (tests/pipeline/slice_runs_test.cpp). Lit
// at 50 ms, 34 runs begin in the 4 ms that follow.
TEST(SlicesCommand, JobsRunOnTheirSlices) {
  const std::string events =
      "[run]\nuntil = \"54 ms\"\nruns = 10\n[[event]]\nadmit = \"a\"\nnodes = 4\nbytes = \"1 MB\"\n"
      "algorithm = \"ring\"\n";
  const File file(kFabric + events);
  const Said said = run("slices " + file.path() + " --run --prove --json");
  ASSERT_EQ(said.code, 0) << said.err;
  const auto json = nlohmann::json::parse(said.out);
  const auto& job = json["jobs"][0];
  EXPECT_EQ(job["runs"], 34);
  EXPECT_EQ(job["runs_simulated"], 10);
  EXPECT_NEAR(job["run_p50_s"], 120e-6, 1e-12);
  EXPECT_NEAR(job["run_p99_s"], 120.8374e-6, 1e-12);
  EXPECT_NEAR(job["wss_time_s"], 0.05, 1e-12);
  EXPECT_EQ(job["bytes"], 34e6);
  EXPECT_EQ(job["others_flows_moved"], 0);
  EXPECT_NEAR(job["stretches"][0]["lit_s"], 0.05, 1e-12);
  EXPECT_EQ(
      nlohmann::json::parse(run("slices " + file.path() + " --run --runs 0 --json").out)["jobs"][0]["runs_simulated"],
      34);
  EXPECT_NE(run("slices " + file.path() + " --run").out.find("a: 34 runs, 10 of them simulated"), std::string::npos);

  // Without its bytes a job cannot run; without --run nothing is to be proven
  expect_refused("slices " + file.path() + " --prove", 2, {"--run"});
  const File idle(kFabric + "[[event]]\nadmit = \"a\"\nnodes = 4\n");
  expect_refused("slices " + idle.path() + " --run", 3, {"slices.toml:6:1", "bytes"});
}

TEST(SlicesCommand, TheExampleRunsAndNobodyFeelsAnother) {
  const Said said = run("slices examples/oddl_slices.toml --run --prove --json", HELIO_SOURCE_DIR);
  ASSERT_EQ(said.code, 0) << said.err;
  const auto json = nlohmann::json::parse(said.out);
  ASSERT_EQ(json["jobs"].size(), 5u);
  for (const auto& job : json["jobs"]) {
    EXPECT_GT(job["runs"], 0) << job;
    EXPECT_EQ(job["others_flows"] == 0,
              job["job"] == "giant");  // which has all nodes, so that all others are its heirs
    EXPECT_EQ(job["others_flows_moved"], 0);
  }
  EXPECT_EQ(json["jobs"][3]["job"], "search");
  EXPECT_EQ(json["jobs"][3]["stretches"].size(), 3u);
  EXPECT_EQ(json["jobs"][3]["runs_abandoned"], 1);
}

}  // namespace
}  // namespace helio::apps
