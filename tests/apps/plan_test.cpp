// SPDX-License-Identifier: Apache-2.0
// `helio plan` and `helio plan collective` as a person runs them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "apps/refused.h"
#include "apps/running.h"

namespace helio::apps {
namespace {

nlohmann::json answer(const std::string& arguments) {
  const Said said = run(arguments + " --json");
  EXPECT_EQ(said.code, 0) << said.err;
  return nlohmann::json::parse(said.out, nullptr, false);
}

const std::string kMap =
    "plan collective all-reduce --nodes 4,8 --bytes '1 kB,100 MB' --injection '80 Gb/s' --latency 0s ";

// n = 8 and d bytes at 80 Gb/s. In a switch that adds, a step of 10 us and d: 10 us + d/10 GB/s. A full mesh in two steps of 1 us:
// 2 us + 2 · 7/8 · d/10 GB/s. Equal at 8 us = 0.75 · d/10 GB/s, d = 106.7 kB; with n = 4 at 8 us = 0.5 · …, d = 160 kB.
TEST(PlanCollectiveCommand, FindsTheSizeAtWhichTheWinnerChanges) {
  const auto json = answer(
      kMap + "--fabric switch:reducers=1,step_overhead=10us --fabric full-mesh:step_overhead=1us --algorithm auto");
  ASSERT_EQ(json["map"].size(), 4u);
  EXPECT_EQ(json["candidates"].size(), 8u);
  for (std::size_t row : {0u, 2u}) {
    EXPECT_EQ(json["map"][row]["winner"], "full-mesh step_overhead=1us");
    EXPECT_EQ(json["map"][row + 1]["winner"], "switch reducers=1 step_overhead=10us");
  }
  ASSERT_EQ(json["switching"].size(), 2u);
  EXPECT_EQ(json["switching"][0]["nodes"], 4);
  EXPECT_NEAR(json["switching"][0]["value"], 160e3, 0.02 * 160e3);
  EXPECT_NEAR(json["switching"][1]["value"], 106.7e3, 0.02 * 106.7e3);
  EXPECT_EQ(json["gap"], 0);
}

TEST(PlanCollectiveCommand, RefusesWhatIsWrong) {
  expect_refused("plan collective all-reduce --nodes 8,4", 3, {"--nodes", "rising"});
  expect_refused("plan collective all-reduce --bytes '1 MB,1 MB'", 3, {"--bytes", "rising"});
  expect_refused("plan collective all-reduce --nodes x", 3, {"--nodes"});
  expect_refused("plan collective all-redcue", 3, {"all-reduce"});
  expect_refused("plan collective all-to-all --nodes 8 --bytes 1MB --fabric optinc", 4, {"average"});
}

const std::string kSmall =
    "plan gpt2-xl --npus 8 --npu a100-80 --fabric switch --fabric ring --tp 1,2 --pp 1,2 --zero 0,1 ";

TEST(PlanCommand, AnswersWithACertificate) {
  const auto json = answer(kSmall);
  EXPECT_EQ(json["proven"], true);
  EXPECT_EQ(json["gap"], 0);
  EXPECT_EQ(json["ended"], "proven");
  EXPECT_GT(json["judged"], json["simulated"]);
  EXPECT_EQ(json["winner"], json["candidates"][0]);
  for (const auto& one : json["candidates"]) {
    EXPECT_LE(one["bound_s"], one["time_s"]) << one["strategy"];
    EXPECT_GE(one["time_s"], json["winner"]["time_s"]);
    EXPECT_LE(one["memory_bytes"], 80e9);
  }
  if (!json["least_left_s"].is_null()) {
    EXPECT_GE(json["least_left_s"], json["winner"]["time_s"]);
  }
  ASSERT_EQ(json["defaults"].size(), 2u);  // batch and injection
}

// Every fabric that was asked for has a best, whether the proof needed it or not, and every split of the first five.
TEST(PlanCommand, TellsTheBestOfEachFabricAndSplit) {
  const auto json = answer(kSmall);
  std::set<std::string> fabrics;
  for (const auto& i : json["best_of_family"]) fabrics.insert(json["candidates"][i.get<std::size_t>()]["fabric"]);
  EXPECT_EQ(fabrics, (std::set<std::string>{"ring", "switch"}));
  EXPECT_EQ(json["family_gap"].size(), 2u);
  EXPECT_EQ(json["family_gap"][0], 0);  // the winner's is proven
  std::set<std::pair<int, int>> splits;
  for (const auto& i : json["splits"]) {
    const auto& run = json["candidates"][i.get<std::size_t>()];
    EXPECT_EQ(run["tp"].get<int>() * run["pp"].get<int>() * run["cp"].get<int>() * run["dp"].get<int>(), 8);
    splits.emplace(run["tp"].get<int>(), run["pp"].get<int>());
  }
  EXPECT_EQ(splits, (std::set<std::pair<int, int>>{{1, 1}, {1, 2}}));  // two do not divide 25 heads
}

// What is told of a change is what two plans at both sides of it say: each fabric alone, spread as it was.
TEST(PlanCommand, TellsWhereTheWinnerChanges) {
  const std::string asked =
      "plan gpt2-xl --npus 8 --npu a100-80 --fabric 'switch:step_overhead=200us' --fabric ring --tp 1 "
      "--pp 1 --zero 0 --micro-batch 1 --recompute none --sequence-parallel 0 --rank-order tp,dp,pp --algorithm usual ";
  const auto json = answer(asked + "--switching injection,overhead");
  ASSERT_FALSE(json["switching"].empty() && json["steady"].empty());
  for (const auto& at : json["switching"]) {
    EXPECT_NE(at["below"], at["above"]);
    const double value = at["value"];
    for (const double factor : {1 / 1.1, 1.1}) {
      const std::string turned = at["parameter"] == "injection"
                                     ? " --injection '" + std::to_string(value * factor / 1e9) + " Gb/s'"
                                     : " --overhead '" + std::to_string(value * factor * 1e6) + " us'";
      EXPECT_EQ(answer(asked + turned + " --switching none")["winner"]["fabric"],
                factor < 1 ? at["below"] : at["above"])
          << turned;
    }
  }
  EXPECT_TRUE(answer(asked + "--switching none")["switching"].empty());
}

TEST(PlanCommand, MapsOverNpusAndBatches) {
  const auto json = answer(
      "plan gpt2-xl --map npus,batch --npus 4,8 --batch 6,16 --npu a100-80 --fabric switch --fabric ring --tp 1 --pp 1 "
      "--zero 1 --algorithm usual");
  ASSERT_EQ(json["map"].size(), 4u);
  EXPECT_EQ(json["map"][0]["npus"], 4);
  EXPECT_EQ(json["map"][3]["batch"], 16);
  // Six samples over four replicas, or eight, are no whole number of micro-batches
  EXPECT_TRUE(json["map"][0]["winner"].is_null());
  EXPECT_NE(json["map"][0]["reason"], "");
  EXPECT_FALSE(json["map"][1]["winner"].is_null());
  // A cell is the plan of its NPUs and batch
  const auto alone = answer(
      "plan gpt2-xl --npus 8 --batch 16 --npu a100-80 --fabric switch --fabric ring --tp 1 --pp 1 "
      "--zero 1 --algorithm usual --switching none");
  EXPECT_EQ(json["map"][3]["time_s"], alone["winner"]["time_s"]);
  for (const char* key : {"candidates", "winner", "gap", "switching", "front"}) EXPECT_TRUE(json.contains(key)) << key;
}

// Composites and grids of one's own stand beside others.
TEST(PlanCommand, CompositesAndGridsAreCandidates) {
  const auto json = answer(
      "plan gpt2-xl --npus 8 --npu a100-80 --fabric 'composite:switch:nodes=4/ring:nodes=2' --fabric "
      "torus:dimensions=2x4 "
      "--fabric 'torus:dimensions=8x1|2x2x2' --tp 1 --pp 1 --zero 1 --algorithm usual --switching none");
  EXPECT_EQ(json["best_of_family"].size() + json["left_out"].size(), 4u);
  std::set<std::string> fabrics;
  for (const auto& run : json["candidates"]) fabrics.insert(run["fabric"]);
  EXPECT_TRUE(fabrics.contains("switch:nodes=4/ring:nodes=2"));
  EXPECT_TRUE(fabrics.contains("torus dimensions=2x4"));
  EXPECT_TRUE(fabrics.contains("torus dimensions=2x2x2"));
}

// A file says the same as options do, and options go before it.
TEST(PlanCommand, FilesAreOptions) {
  const std::string file = scratch_file("plan.toml");
  std::ofstream(file) << "[plan]\nmodel = \"gpt2-xl\"\nnpus = 8\nnpu = \"a100-80\"\nfabric = [\"switch\", "
                         "\"ring\"]\ntp = [1, 2]\npp = [1, "
                         "2]\nzero = [0, 1]\n";
  EXPECT_EQ(answer("plan " + file), answer(kSmall));
  EXPECT_EQ(answer("plan " + file + " --npus 4")["npus"], 4);
  std::ofstream(file) << "[plan]\nmodel = \"gpt2-xl\"\nnpus = 8\nfabrics = \"ring\"\n";
  expect_refused("plan " + file, 3, {file + ":4:", "fabric"});
  std::ofstream(file) << "[plan]\nnpus = 8\n";
  expect_refused("plan " + file, 3, {"model"});
  std::filesystem::remove(file);
}

TEST(PlanCommand, RefusesWhatIsWrong) {
  expect_refused("plan", 2, {"MODEL"});
  expect_refused("plan gpt2-xl", 2, {"--npus"});
  expect_refused("plan gpt2-xl --npus 0", 3, {"--npus"});
  expect_refused("plan gpt-2xl --npus 8", 3, {"gpt"});
  expect_refused("plan gpt2-xl --npus 8 --npu b900", 3, {"--npu"});
  expect_refused("plan gpt2-xl --npus 8 --tp 1,x", 3, {"--tp"});
  expect_refused("plan gpt2-xl --npus 8 --tp 3", 3, {"no way to spread", "--tp"});
  expect_refused("plan gpt2-xl --npus 8 --recompute some", 3, {"--recompute", "selective"});
  expect_refused("plan gpt2-xl --npus 8 --rank-order dp", 3, {"--rank-order"});
  expect_refused("plan gpt2-xl --npus 8 --switching speed", 3, {"--switching", "overhead"});
  expect_refused("plan gpt2-xl --npus 8 --map npus,bytes", 3, {"--map", "npus,batch"});
  expect_refused("plan gpt2-xl --npus 8 --map npus,batch", 2, {"--batch"});
  expect_refused("plan gpt2-xl --npus 8,4 --batch 8 --map npus,batch", 3, {"--npus", "rising"});
  expect_refused("plan gpt2-xl --npus 8 --set job.execution=streaming --set 'job.io_rate=1 Tb/s'", 3, {"execution"});
  expect_refused("plan gpt2-xl --npus 8 --set part.sirdes.watts=1", 3, {"sirdes"});
  // No network of eight nodes takes a watt; the ring is nearest
  expect_refused("plan gpt2-xl --npus 8 --watts 1 --fabric ring --fabric switch", 4,
                 {"--watts", "'ring'", "times as much"});
  // 175 billion parameters in 16 bits are 350 GB, and 80 GiB are 85.9 GB
  expect_refused("plan gpt3-175b --npus 2 --npu a100-80 --fabric switch", 4, {"does not fit", "85.9 GB"});
}

}  // namespace
}  // namespace helio::apps
