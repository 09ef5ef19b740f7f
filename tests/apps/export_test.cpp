// SPDX-License-Identifier: Apache-2.0
// `helio export schedule`, and back: --algorithm file:PATH.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "apps/refused.h"
#include "apps/running.h"

namespace helio::apps {
namespace {

class Export : public testing::Test {
 protected:
  ~Export() override { std::filesystem::remove(file_); }
  nlohmann::json answer(const std::string& words) const {
    const Said said = run(words + " --json");
    EXPECT_EQ(said.code, 0) << words << "\n" << said.err;
    return said.code == 0 ? nlohmann::json::parse(said.out) : nlohmann::json();
  }
  // The file takes what its algorithm takes, and is proven without being asked.
  void expect_same(const std::string& question, const std::string& settings) const {
    const auto written = answer("export schedule " + question + settings + " --out " + file_);
    EXPECT_EQ(written["verified"], true);
    const auto direct = answer("collective " + question + settings);
    const auto from_file = answer("collective " + question + " --algorithm file:" + file_);
    EXPECT_EQ(from_file["time_s"], direct["time_s"]) << question;
    EXPECT_EQ(from_file["steps"], direct["steps"]);
    EXPECT_EQ(from_file["verified"], true);
    EXPECT_EQ(from_file["algorithm"], "file:" + file_);
    EXPECT_EQ(from_file["configuration"]["algorithm"]["file"], file_);
  }
  const std::string file_ = scratch_file("schedule.json");
};

TEST_F(Export, TheFileTakesWhatItsAlgorithmTakes) {
  expect_same("all-reduce --fabric ring --nodes 9 --bytes 9MB", " --algorithm ring");
  expect_same("all-reduce --fabric torus --set fabric.dimensions=4x4 --bytes 64MB", " --algorithm auto");
  expect_same("broadcast --fabric switch --nodes 6 --root 4 --bytes 1MB", " --algorithm binary-tree");
  expect_same("all-reduce --fabric switch --nodes 4 --set fabric.reducers=1 --bytes 1MB", " --algorithm in-fabric");
  expect_same("all-reduce --fabric wdm-ring --nodes 16 --bytes 1MB", " --algorithm wrht");
}

// What a composite knows of its levels is no part of a file; its moves are.
TEST_F(Export, StagesAreLeftOutAndThatIsSaid) {
  const std::string question = "all-reduce --fabric composite --level switch:nodes=4 --level ring:nodes=3 --bytes 1MB";
  EXPECT_GT(answer("export schedule " + question + " --algorithm by-level --out " + file_)["stages_left_out"], 0);
  EXPECT_EQ(answer("collective " + question + " --algorithm file:" + file_)["verified"], true);
}

TEST_F(Export, SaysWhatIsWrong) {
  ASSERT_EQ(run("export schedule all-reduce --fabric ring --nodes 4 --bytes 1MB --algorithm ring --out " + file_).code,
            0);
  const std::string from = " --bytes 1MB --algorithm file:" + file_;
  expect_refused("collective all-reduce --fabric ring --nodes 5" + from, 3, {"4 ranks", "here are 5", "--algorithm"});
  expect_refused("collective all-gather --fabric ring --nodes 4" + from, 4, {"has no all-gather", "all-reduce"});
  expect_refused("collective all-reduce --fabric ring --nodes 4 --set algorithm.chunks=4" + from, 3,
                 {"no parameter 'chunks'"});
  expect_refused("collective all-reduce --fabric ring --nodes 4 --bytes 1MB --algorithm file:/no/such", 3,
                 {"/no/such"});
  // Rank 3's part of slot 3 goes nowhere
  std::string text = contents(file_);
  const std::size_t at = text.find("\"repeat\": 3");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 11, "\"repeat\": 2");
  std::ofstream(file_) << text;
  expect_refused("collective all-reduce --fabric ring --nodes 4" + from, 3,
                 {"this is no all-reduce", "slot", "of rank", "0 times instead of 1"});
  expect_refused("export schedule all-reduce --fabric ring --nodes 4 --bytes 1MB", 2, {"--out"});
}

}  // namespace
}  // namespace helio::apps
