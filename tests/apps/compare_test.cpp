// SPDX-License-Identifier: Apache-2.0
// `helio compare` as a person runs it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "apps/refused.h"
#include "apps/running.h"
#include "source_dir.h"

namespace helio::apps {
namespace {

const std::string kAllReduce = "compare all-reduce --nodes 8 --bytes 8MB --injection '64 Gb/s' ";
const std::string kFree = kAllReduce + "--latency '0 s' --overhead '0 s' ";

nlohmann::json answer(const std::string& arguments) {
  const Said said = run(arguments + " --json", HELIO_SOURCE_DIR);
  EXPECT_EQ(said.code, 0) << said.err;
  return nlohmann::json::parse(said.out, nullptr, false);
}

const nlohmann::json& row(const nlohmann::json& json, const std::string& fabric) {
  for (const auto& one : json["candidates"])
    if (one["fabric"] == fabric) return one;
  ADD_FAILURE() << "no " << fabric;
  return json["candidates"][0];
}

// Where nothing delays, equal injection is equal time: 2 · 7/8 · 8 MB at 64 Gb/s are 1.75 ms through a port, over two links of a ring at
// 32 Gb/s each, over 7 links of 64/7 Gb/s each. A switch that adds takes 8 MB: 1 ms.
TEST(CompareCommand, EqualInjectionIsEqualTime) {
  const auto json = answer(kFree + "--fabric switch --fabric ring --fabric full-mesh --fabric switch:reducers=1");
  EXPECT_NEAR(json["ideal_s"], 1.75e-3, 1e-12);
  for (const char* name : {"switch", "ring", "full-mesh"}) {
    EXPECT_NEAR(row(json, name)["time_s"], 1.75e-3, 1e-11) << name;
    EXPECT_EQ(row(json, name)["exposed_s"], row(json, name)["time_s"]) << name;
    EXPECT_EQ(row(json, name)["value_error"], 0);
  }
  EXPECT_EQ(row(json, "ring")["set"]["rate"], "32 Gb/s");
  EXPECT_EQ(json["winner"], "switch reducers=1");
  EXPECT_NEAR(row(json, "switch reducers=1")["time_s"], 1e-3, 1e-11);
  EXPECT_NEAR(json["margin"], 0.75, 1e-9);
  EXPECT_EQ(json["gap"], 0);
}

// A row is what the fabric says alone with the settings of that row.
TEST(CompareCommand, ARowIsWhatTheFabricSaysAlone) {
  const auto json = answer(kAllReduce + "--fabric wdm-ring --fabric torus");
  for (const auto& one : json["candidates"]) {
    std::string alone = "collective all-reduce --nodes 8 --bytes 8MB --fabric " + std::string(one["family"]);
    for (const auto& [name, value] : one["set"].items())
      alone += " --set 'fabric." + name + "=" + std::string(value) + "'";
    const auto result = answer(alone);
    EXPECT_EQ(result["time_s"], one["time_s"]) << alone;
    EXPECT_NEAR(result["energy_j"], one["energy_j"], 1e-12) << alone;  // a middle of both ends
    EXPECT_EQ(result["bound_s"], one["bound_s"]) << alone;
  }
}

TEST(CompareCommand, OptionsMatter) {
  const std::string asked = kAllReduce + "--fabric ring";
  const double time = answer(asked)["candidates"][0]["time_s"];
  for (const char* option : {"--latency '1 us'", "--overhead '9 us'", "--latency own", "--overhead own",
                             "--algorithm ring", "--npu v100 --set fabric.endpoint_accesses=900"})
    EXPECT_NE(answer(asked + " " + option)["candidates"][0]["time_s"], time) << option;
  EXPECT_NE(answer(asked + " --set part.serdes.pj_per_bit=90")["candidates"][0]["watts"],
            answer(asked)["candidates"][0]["watts"]);
  // As they are: 400 Gb/s a link and half a microsecond
  const auto own =
      answer("compare all-reduce --nodes 8 --bytes 8MB --fabric ring --injection own --latency own --overhead own");
  EXPECT_EQ(own["candidates"][0]["time_s"],
            answer("collective all-reduce --nodes 8 --bytes 8MB --fabric ring")["time_s"]);
  EXPECT_TRUE(own["injection_bps"].is_null());
}

// Six nodes fill neither servers of 8 nor switches of 4; optinc averages and carries no all-to-all. Their rows say so, the others answer.
TEST(CompareCommand, WhoCannotSaysWhy) {
  const auto json = answer(
      "compare all-to-all --nodes 6 --bytes 1MB --injection '64 Gb/s' --fabric fred --fabric optinc --fabric switch");
  EXPECT_EQ(row(json, "fred")["feasible"], false);
  EXPECT_NE(std::string(row(json, "fred")["reason"]).find("switches of 4"), std::string::npos);
  EXPECT_NE(std::string(row(json, "optinc")["reason"]).find("average"), std::string::npos);
  EXPECT_EQ(json["winner"], "switch");
  EXPECT_TRUE(json["runner_up"].is_null());
  expect_refused("compare all-to-all --nodes 8 --bytes 1MB --fabric optinc", 4, {"optinc", "average"});
}

// Whoever names nobody asks all of the catalogue but what needs a file or levels: 15 fabrics without graph and composite.
TEST(CompareCommand, AsksAllFabrics) {
  const auto json = answer(kAllReduce);
  EXPECT_EQ(json["candidates"].size(), 13u);
  EXPECT_EQ(json["winner"], "optinc");  // sums in the switch, and a quarter of the bytes
  EXPECT_GT(row(json, "optinc")["value_error"], 0);
  EXPECT_NE(answer(kAllReduce + "--error 0")["winner"], "optinc");
  expect_refused(kAllReduce + "--fabric optinc --error 0", 4, {"optinc", "error"});
  for (const auto& one : json["candidates"]) {
    EXPECT_EQ(one["feasible"], true) << one["fabric"];
    EXPECT_LE(one["bound_s"], one["time_s"]) << one["fabric"];
    EXPECT_LE(one["watts_low"], one["watts_high"]) << one["fabric"];
  }
}

TEST(CompareCommand, Files) {
  const auto json = answer(
      "compare examples/vgg16_dp64.toml --fabric switch --fabric 'composite:switch:nodes=8/wdm-ring:nodes=8' "
      "--injection '400 Gb/s'");
  EXPECT_EQ(json["nodes"], 64);
  EXPECT_EQ(json["ideal_s"], 0);
  for (const auto& one : json["candidates"]) {
    EXPECT_EQ(one["feasible"], true) << one["reason"];
    EXPECT_LT(one["exposed_s"], one["time_s"]);
    EXPECT_NE(std::string(one["why"]).find("compute"), std::string::npos);
  }
  EXPECT_EQ(json["candidates"][1]["fabric"], "switch:nodes=8/wdm-ring:nodes=8");
}

// n = 8 at 80 Gb/s: a switch that adds takes 10 us and d/10 GB/s, a full mesh in two steps of 1 us 2 us + 2 · 7/8 · d/10 GB/s. They cross at
// d = 106.7 kB; of 8 MB the switch is ahead, and below that the mesh.
TEST(CompareCommand, TellsWhereTheWinnerChanges) {
  const std::string asked =
      "compare all-reduce --nodes 8 --bytes 1MB --injection '80 Gb/s' --latency 0s "
      "--fabric switch:reducers=1,step_overhead=10us --fabric full-mesh:step_overhead=1us ";
  const auto json = answer(asked);
  ASSERT_EQ(json["winner"], "switch reducers=1 step_overhead=10us");
  const auto of = [&](const std::string& parameter) {
    for (const auto& at : json["switching"])
      if (at["parameter"] == parameter) return at;
    return nlohmann::json();
  };
  ASSERT_FALSE(of("bytes").is_null());
  EXPECT_NEAR(of("bytes")["value"], 106.7e3, 0.02 * 106.7e3);
  EXPECT_EQ(of("bytes")["below"], "full-mesh step_overhead=1us");
  EXPECT_EQ(of("bytes")["at"], 1e6);
  // Faster links are as smaller messages: 80 Gb/s · 1 MB / 106.7 kB = 750 Gb/s
  EXPECT_NEAR(of("injection")["value"], 750e9, 0.02 * 750e9);
  EXPECT_EQ(of("injection")["above"], "full-mesh step_overhead=1us");
  // Each has an overhead of its own, so the common one changes nothing
  EXPECT_TRUE(of("overhead").is_null());
  EXPECT_NE(json["steady"].dump().find("overhead"), std::string::npos);
  EXPECT_TRUE(answer(asked + "--switching none")["switching"].empty());
  EXPECT_EQ(answer(asked + "--switching bytes")["switching"].size(), 1u);
  expect_refused(asked + "--switching size", 3, {"--switching", "bytes"});
}

TEST(CompareCommand, SpeaksToPeople) {
  const Said said = run(kAllReduce + "--fabric optinc --fabric switch");
  EXPECT_EQ(said.code, 0) << said.err;
  for (const char* word : {"each node injects 64 Gb/s, 50 ns a link, 2 us a step", "4x faster by codes of 8 bits",
                           "set alike", "winner", "runner-up"})
    EXPECT_NE(said.out.find(word), std::string::npos) << word << "\n" << said.out;
}

TEST(CompareCommand, RefusesWhatIsWrong) {
  expect_refused(kAllReduce + "--fabric 'switch:rate=1 Gb/s'", 3, {"--fabric", "rate of its own"});
  expect_refused(kAllReduce + "--fabric switch:foo=1", 3, {"--fabric", "foo"});
  expect_refused(kAllReduce + "--fabric swich", 3, {"--fabric", "'switch'"});
  expect_refused(kAllReduce + "--fabric switch:latency", 3, {"--fabric", "sets nothing"});
  expect_refused(kAllReduce + "--fabric switch --latency 5", 3, {"--latency"});
  expect_refused("compare all-reduce --nodes 8 --bytes 1MB --injection '0 b/s'", 3, {"--injection"});
  expect_refused("compare all-reduce --nodes 8", 2, {"--bytes"});
  expect_refused("compare all-reduce --bytes 1MB --fabric switch", 2, {"--nodes"});
  expect_refused("compare all-redcue --nodes 8 --bytes 1MB", 3, {"all-reduce"});
  expect_refused("compare no-such.toml", 3, {"no-such.toml"});
  expect_refused("compare examples/vgg16_dp64.toml --bytes 1MB", 2, {"--bytes"});
}

}  // namespace
}  // namespace helio::apps
