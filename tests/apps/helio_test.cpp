// SPDX-License-Identifier: Apache-2.0
// The interface contract, held against the command itself: keys, exit codes, one paragraph on stderr, clean stdout.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "apps/refused.h"
#include "apps/running.h"
#include "fabric/fabric.h"
#include "source_dir.h"

namespace helio::apps {
namespace {

using Json = nlohmann::json;

const std::string kRing = "collective all-reduce --fabric ring --nodes 8 --bytes 1MB --algorithm ring ";

TEST(Helio, SaysItsVersion) {
  const Said said = run("--version");
  EXPECT_EQ(said.code, 0);
  EXPECT_EQ(said.out, std::string("helio ") + HELIO_VERSION + "\n");
}

// An option that names a file or a folder and is empty would be ignored, as if nobody had asked.
TEST(Helio, AnOptionGivenEmptyIsRefused) {
  const std::string simulate = "simulate examples/first_collectives.toml ", fred = "fred route --ports 4 --groups 0,1 ";
  const std::string sliced = "slices examples/oddl_slices.toml ", onn = "onn decompose --modes 4 ";
  for (const auto& [command, option] :
       std::vector<std::pair<std::string, std::string>>{{kRing, "--report"},
                                                        {kRing, "--trace"},
                                                        {simulate, "--report"},
                                                        {simulate, "--trace"},
                                                        {"reproduce closed-forms ", "--report"},
                                                        {"validate measured.csv ", "--report"},
                                                        {sliced, "--report"},
                                                        {onn, "--report"},
                                                        {onn, "--svg"},
                                                        {onn, "--matrix"},
                                                        {"onn describe network.json ", "--report"},
                                                        {"onn build --servers 4 --bits 8 ", "--out"},
                                                        {fred, "--svg"},
                                                        {fred, "--flows"},
                                                        {"man ", "--out"},
                                                        {"reference ", "--out"},
                                                        {kRing, "--sync"},
                                                        {kRing, "--groups"}})
    expect_refused(command + option + " ''", 2, {"empty (" + option + ")"});
}

// One rank, one step, one node: no sentence for people has a plural of one.
TEST(Helio, OneIsSaidAsOne) {
  const std::regex plural_of_one(
      R"((^|[^0-9.,/-])1 (ranks|steps|nodes|groups|links|jobs|runs|channels|planes|modes|columns|MZIs|codes|bits|flows)\b)");
  const std::string file = scratch_file("one.toml");
  std::ofstream(file) << "[fabric]\ngroups = 1\nnodes_per_group = 2\nchannels = 2\n[run]\nuntil = \"51 ms\"\nruns = 1\n"
                         "[[event]]\nadmit = \"a\"\nnodes = 1\nbytes = \"1 MB\"\nalgorithm = \"ring\"\n";
  for (const std::string& asked :
       {std::string("collective all-reduce --fabric ring --nodes 1 --bytes 1MB --algorithm ring"),
        std::string("collective broadcast --fabric switch --nodes 2 --bytes 1MB"), "slices " + file + " --run --prove",
        std::string("onn decompose --modes 1"), std::string("onn decompose --modes 2")}) {
    const Said said = run(asked);
    EXPECT_EQ(said.code, 0) << said.err;
    std::smatch found;
    EXPECT_FALSE(std::regex_search(said.out, found, plural_of_one)) << found.str() << " in\n" << said.out;
  }
  std::filesystem::remove(file);
}

TEST(Helio, HelpHasExamples) {
  const Said said = run("--help");
  EXPECT_EQ(said.code, 0);
  EXPECT_NE(said.out.find("helio collective all-reduce --fabric fat-tree"), std::string::npos);
  EXPECT_EQ(run("collective --help").code, 0);
}

TEST(Helio, ListsAndDescribesEveryName) {
  const Said all = run("list");
  EXPECT_EQ(all.code, 0);
  for (const char* word :
       {"fabrics", "algorithms", "models", "studies", "full-mesh", "halving-doubling", "closed-forms"})
    EXPECT_NE(all.out.find(word), std::string::npos) << word;
  EXPECT_EQ(run("list fabrics").out.find("halving-doubling"), std::string::npos);

  // A name that two rooms share is described twice
  const Said ring = run("describe ring");
  for (const char* word :
       {"fabric ring", "algorithm ring", "fabric.latency", "400 Gb/s", "algorithm.chunks", "kinds: all-reduce"})
    EXPECT_NE(ring.out.find(word), std::string::npos) << word;
  for (const char* name : {"switch", "full-mesh", "direct", "in-fabric", "closed-forms", "all-to-all"})
    EXPECT_EQ(run(std::string("describe ") + name).code, 0) << name;
}

// 2 (8-1) rounds of 0.5 us + (1e6/8 B) / 50 GB/s = 2.5 us: 14 x 3 us = 42 us. A rank sends 14/8 MB, 8 ranks 14 MB over
// one link each. Bound: 1.75 MB at 2 x 50 GB/s = 17.5 us, + 0.5 us.
TEST(Helio, AnswersWithTheKeysOfTheContract) {
  const Said said = run(kRing + "--verify --json");
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.err, "");
  const Json json = Json::parse(said.out);
  for (const char* key : {"time_s",
                          "bound_s",
                          "bytes",
                          "traffic_bytes",
                          "injected_bytes",
                          "energy_j",
                          "energy_dynamic_j",
                          "energy_static_j",
                          "energy_low_j",
                          "energy_high_j",
                          "energy_recalled",
                          "algorithm",
                          "fabric",
                          "steps",
                          "wavelengths_used",
                          "verified",
                          "verify_method",
                          "label",
                          "assumptions",
                          "bottleneck",
                          "kind",
                          "nodes",
                          "sync",
                          "engine",
                          "configuration",
                          "attempts",
                          "version",
                          "bound_ratio",
                          "critical_path"})
    EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_DOUBLE_EQ(json["time_s"], 42e-6);
  EXPECT_DOUBLE_EQ(json["bound_s"], 18e-6);
  EXPECT_EQ(json["steps"], 14);
  EXPECT_EQ(json["traffic_bytes"], 14e6);
  EXPECT_EQ(json["injected_bytes"], 1.75e6);
  EXPECT_EQ(json["verified"], true);
  EXPECT_EQ(json["label"], "ours");
  EXPECT_GT(json["energy_j"], 0);
  EXPECT_LE(json["energy_low_j"], json["energy_j"]);
  EXPECT_GE(json["energy_high_j"], json["energy_j"]);
  EXPECT_EQ(json["configuration"]["fabric"]["nodes"], "8");
}

TEST(Helio, VerifiedIsTrueOnlyWhenItRan) { EXPECT_EQ(Json::parse(run(kRing + "--json").out)["verified"], false); }

TEST(Helio, OneNodeTakesNoTime) {
  for (const char* kind : {"all-reduce", "reduce-scatter", "all-gather", "broadcast", "reduce", "all-to-all"}) {
    const Said said = run(std::string("collective ") + kind +
                          " --fabric switch --nodes 1 --bytes 1MB --algorithm direct --verify --json");
    ASSERT_EQ(said.code, 0) << kind << said.err;
    const Json json = Json::parse(said.out);
    EXPECT_EQ(json["time_s"], 0.0);
    EXPECT_EQ(json["steps"], 0);
    EXPECT_EQ(json["bound_s"], 0.0);
  }
}

TEST(Helio, TheSameQuestionGivesTheSameBytes) { EXPECT_EQ(run(kRing + "--json").out, run(kRing + "--json").out); }

// Without --algorithm the fastest is taken, and the others are told.
TEST(Helio, SearchesWhenNoAlgorithmIsNamed) {
  const std::string asked = "collective all-reduce --fabric ring --nodes 8 --bytes 1MB ";
  const Json json = Json::parse(run(asked + "--verify --json").out);
  EXPECT_EQ(json["asked_algorithm"], "auto");
  EXPECT_EQ(json["verified"], true);
  EXPECT_NE(json["algorithm"], "auto");
  bool ring = json["algorithm"] == "ring", in_fabric = false;
  for (const Json& other : json["alternatives"]) {
    if (other["algorithm"] == "ring") ring = true;
    if (other["time_s"].is_number()) {
      EXPECT_GE(other["time_s"], json["time_s"]);
    }
    if (other["algorithm"] == "in-fabric")
      in_fabric = other["verdict"] == "infeasible" && other["time_s"].is_null() && other["reason"] != "";
  }
  EXPECT_TRUE(ring);
  EXPECT_TRUE(in_fabric);
  EXPECT_EQ(run(asked + "--json").out, run(asked + "--algorithm auto --json").out);
  EXPECT_NE(run(asked).out.find("the fastest"), std::string::npos);
  EXPECT_FALSE(Json::parse(run(kRing + "--json").out).contains("asked_algorithm"));
  EXPECT_NE(run("describe auto").out.find("fastest"), std::string::npos);
}

// Exit code 2: the command line itself
TEST(Helio, WrongCommandLinesAreUsageErrors) {
  expect_refused("", 2, {"subcommand"});
  expect_refused("colective all-reduce", 2, {"'collective'"});
  expect_refused("collective", 2, {"required"});
  expect_refused("collective all-reduce --nodes 8 --bytes 1MB --algorithm ring", 2, {"--fabric"});
  expect_refused("collective all-reduce --fabric ring --nodes 8 --algorithm ring", 2, {"--bytes"});
  expect_refused("collective all-reduce --fabric ring --bytes 1MB --algorithm ring", 2, {"--nodes"});
  expect_refused("collective all-reduce --fabric ring --nodes 8 --bytes 1MB --set algorithm.chunks=3", 2,
                 {"--set algorithm.chunks", "auto tries all"});
  for (const char* kind : {"all-reduce", "reduce-scatter", "all-gather", "all-to-all"})
    expect_refused(
        std::string("collective ") + kind + " --fabric ring --nodes 8 --bytes 1MB --algorithm direct --root 0", 2,
        {"--root belongs to broadcast and reduce"});
  expect_refused(kRing + "--speed 3", 2, {"--speed"});
  expect_refused(kRing + "--set fabric.rate", 2, {"--set", "path=value"});
  expect_refused(kRing + "--set fabric.nodes=9", 2, {"--nodes"});
  expect_refused(kRing + "--set fabric.latency=0 --set fabric.latency=1us", 2, {"twice"});
  expect_refused("describe", 2, {"NAME"});
  expect_refused("simulate", 2, {"EXPERIMENT"});
}

// Exit code 3: values and names
TEST(Helio, WrongValuesAreInputErrors) {
  const std::string rest = " --bytes 1MB --algorithm ring";
  for (const char* nodes : {"0", "-5", "2.5", "many", "1000000000000", "99999999999999999999999"})
    expect_refused(std::string("collective all-reduce --fabric ring --nodes ") + nodes + rest, 3, {"--nodes"});
  for (const char* bytes : {"0", "0B", "-1MB", "1", "1Mx", "1Gb/s", "nan", "''"})
    expect_refused(std::string("collective all-reduce --fabric ring --nodes 8 --algorithm ring --bytes ") + bytes, 3,
                   {"--bytes"});
  for (const char* rate : {"0", "'0 Gb/s'", "'-1 Gb/s'", "'1 GB'", "fast", "'inf Gb/s'"})
    expect_refused(kRing + "--set fabric.rate=" + rate, 3, {"--set fabric.rate"});
  expect_refused(kRing + "--set 'fabric.latency=-1 us'", 3, {"--set fabric.latency"});
  expect_refused(kRing + "--set fabric.rat=1Gb/s", 3, {"'rate'"});
  expect_refused(kRing + "--set algorithm.chunk=4", 3, {"'chunks'"});
  expect_refused(kRing + "--set fabrik.rate=1Gb/s", 3, {"fabric.PARAMETER"});
  expect_refused(kRing + "--sync lockstep", 3, {"--sync", "dataflow"});
  expect_refused(kRing + "--engine ns3", 3, {"--engine", "simgrid"});
  expect_refused(kRing + "--remedy pray", 3, {"--remedy", "endpoint"});
  expect_refused("collective broadcast --fabric ring --nodes 8 --root 8" + rest, 3, {"--root", "0 to 7"});
  expect_refused(kRing + "--set rate=1Gb/s", 3, {"--set", "Did you mean 'fabric.rate'?"});
  expect_refused(kRing + "--set chunks=4", 3, {"Did you mean 'algorithm.chunks'?"});
  expect_refused("collective all-reduse --fabric ring --nodes 8" + rest, 3, {"'all-reduce'"});
  expect_refused("collective all-reduce --fabric rign --nodes 8" + rest, 3,
                 {"--fabric", "Did you mean 'ring'? Known are: ring, "});
  expect_refused("collective all-reduce --fabric ring --nodes 8 --bytes 1MB --algorithm rings", 3,
                 {"--algorithm", "'ring'"});
  expect_refused("list fabric", 3, {"'fabrics'"});
  expect_refused("describe rings", 3, {"'ring'"});
  expect_refused("reproduce closed-form", 3, {"'closed-forms'"});
}

// Exit code 4: what cannot be done, and why
TEST(Helio, WhatCannotBeDoneIsInfeasible) {
  expect_refused("collective all-to-all --fabric ring --nodes 8 --bytes 1MB --algorithm ring", 4,
                 {"all-to-all", "Those that have it: direct, fitted."});
  // b reaches a, but a does not reach b
  const std::string one_way = scratch_file("one_way.txt");
  std::ofstream(one_way) << "node a b\nlink b a 1Gb/s oneway\n";
  expect_refused(
      "collective all-gather --fabric graph --set fabric.file=" + one_way + " --bytes 1MB --algorithm fitted", 4,
      {"one_way.txt:1:8", "node 'b' cannot be reached from node 'a'"});
  std::filesystem::remove(one_way);
  expect_refused("collective all-reduce --fabric ring --nodes 8 --bytes 1MB --algorithm in-fabric", 4,
                 {"reduces", "switch with fabric.reducers=1", "--remedy endpoint", "(--algorithm)"});
  setenv("HELIO_SIMGRID", "/no/such/program", 1);
  expect_refused(kRing + "--engine simgrid", 4, {"HELIO_SIMGRID", "/no/such/program", "--engine"});
  unsetenv("HELIO_SIMGRID");
}

// From a file the place is the line of the file, whoever refused.
TEST(Helio, ErrorsFromAFilePointIntoTheFile) {
  const std::string file = scratch_file("places.toml");
  const auto with = [&](const std::string& fabric, const std::string& keys) {
    std::ofstream(file) << "[fabric]\nname = \"" << fabric << "\"\n[[collective]]\nbytes = \"1 MB\"\n" << keys;
    return "simulate " + file + " --set fabric.nodes=";
  };
  const auto at = [&](const char* line) { return "(" + file + line + ")"; };
  expect_refused(with("switch", "kind = \"all-reduce\"\nalgorithm = \"in-fabric\"\n") + "8", 4,
                 {at(":6:1"), "reducers=1"});
  expect_refused(with("ring", "kind = \"all-reduce\"\nalgorithm = \"in-fabric\"\nremedy = [\"block\"]\n") + "8", 4,
                 {at(":7:1")});
  expect_refused(with("ring", "kind = \"all-reduce\"\nalgorithm = \"direct\"\n") + "5000", 4, {at(":6:1"), "moves"});
  expect_refused(with("ring",
                      "kind = \"broadcast\"\nalgorithm = \"ring\"\nsync = \"dataflow\"\n[collective.parameters]\n"
                      "chunks = 60000\n") +
                     "20000",
                 4, {at(":7:1"), "step order"});
  expect_refused(with("ring", "kind = \"all-reduce\"\nalgorithm = \"ring\"\nroot = 0\n") + "8", 3,
                 {at(":7:1"), "root belongs to broadcast and reduce"});
  // Levels of 4 x 4, and 8 nodes
  expect_refused(with("composite", "kind = \"all-reduce\"\nalgorithm = \"ring\"\n") + "8", 3,
                 {"fabric.nodes", "16 nodes"});
  std::filesystem::remove(file);
}

// Sixteen million ranks that all talk to each other are 2.8e14 moves: refused, not tried.
TEST(Helio, AbsurdSizesAreRefused) {
  expect_refused("collective all-to-all --fabric switch --nodes 16777216 --bytes 1GB --algorithm direct", 4, {"moves"});
}

TEST(Helio, RemediesAreInTheResult) {
  const Said said =
      run("collective all-reduce --fabric switch --nodes 8 --bytes 1MB --algorithm in-fabric --remedy middle,endpoint "
          "--json");
  ASSERT_EQ(said.code, 0) << said.err;
  const Json json = Json::parse(said.out);
  EXPECT_EQ(json["algorithm"], "ring");
  ASSERT_EQ(json["attempts"].size(), 3u);
  EXPECT_EQ(json["attempts"][0]["outcome"], "refused");
  EXPECT_EQ(json["attempts"][1]["outcome"], "not applicable");
  EXPECT_EQ(json["attempts"][2]["outcome"], "carried");
}

TEST(Helio, SimulatesTheExampleFile) {
  const std::string file = std::string(HELIO_SOURCE_DIR) + "/examples/first_collectives.toml";
  const Said said = run("simulate " + file + " --json");
  ASSERT_EQ(said.code, 0) << said.err;
  const Json json = Json::parse(said.out);
  ASSERT_EQ(json["results"].size(), 9u);
  double sum = 0;
  for (const Json& result : json["results"]) {
    EXPECT_EQ(result["verified"], true) << result["name"];
    EXPECT_GE(result["time_s"], result["bound_s"]) << result["name"];
    sum += result["time_s"].get<double>();
  }
  EXPECT_NEAR(json["time_s"], sum, 1e-15);

  // The last is an all-to-all of 16 MiB through ports of 50 GB/s: 15/16 of it, + 2 x 0.5 us + 1 us
  EXPECT_NEAR(json["results"][8]["time_s"], 15.0 / 16 * 16 * 1048576 / 50e9 + 2e-6, 1e-15);

  // Overrides reach one collective, and a wrong one is an error
  const Json other = Json::parse(run("simulate " + file + " --json --set 'collective.experts.bytes=32 MiB'").out);
  EXPECT_EQ(other["results"][7]["time_s"], json["results"][7]["time_s"]);
  EXPECT_GT(other["results"][8]["time_s"], json["results"][8]["time_s"]);
  expect_refused("simulate " + file + " --set collective.experts.byte=3", 3, {"'bytes'"});
}

TEST(Helio, BadFilesAreInputErrors) {
  expect_refused("simulate no/such/file.toml", 3, {"no/such/file.toml"});
  expect_refused("simulate /", 3, {"directory"});
  const std::string file = scratch_file("broken.toml");
  const std::pair<const char*, const char*> broken[] = {
      {"[fabric]\nname = \"ring\"\nnodes = 8\nrate = \"400 G", ":4:"},  // truncated
      {"[fabric]\nname = \"ring\"\nnodes = 8\nrat = \"1 Gb/s\"\n[[collective]]\nkind=\"all-reduce\"\nbytes=\"1 "
       "MB\"\nalgorithm=\"ring\"\n",
       ":4:1"},
      {"[fabric]\nname = \"ring\"\nnodes = 8\n", "no collective"},
      {"", "no fabric"},
  };
  for (const auto& [text, word] : broken) {
    std::ofstream(file) << text;
    expect_refused("simulate " + file, 3, {word});
  }
  std::filesystem::remove(file);
}

TEST(Helio, WritesTracesAndReports) {
  const std::string trace = scratch_file("trace.json"), folder = scratch_file("report");
  ASSERT_EQ(run(kRing + "--trace " + trace).code, 0);
  EXPECT_FALSE(Json::parse(contents(trace))["traceEvents"].empty());
  ASSERT_EQ(
      run("simulate " + std::string(HELIO_SOURCE_DIR) + "/examples/first_collectives.toml --report " + folder).code, 0);
  EXPECT_NE(contents(folder + "/index.html").find("<table class=\"sortable\" id=\"collectives\">"), std::string::npos);
  EXPECT_EQ(Json::parse(contents(folder + "/results.json"))["results"].size(), 9u);
  std::filesystem::remove(trace);
  std::filesystem::remove_all(folder);
  EXPECT_EQ(run(kRing + "--trace /dev/null/folder/t.json").code, 3);
  EXPECT_EQ(
      run("simulate " + std::string(HELIO_SOURCE_DIR) + "/examples/first_collectives.toml --report /dev/null/x").code,
      3);
}

// The commands that the example files show work on a fresh checkout, where there is no out/ yet.
TEST(Helio, TheSampleCommandsOfTheExamplesWork) {
  const std::string checkout = scratch_file("checkout");
  std::filesystem::create_directory(checkout);
  std::filesystem::create_directory_symlink(std::string(HELIO_SOURCE_DIR) + "/examples", checkout + "/examples");
  const std::string before = "#     helio ";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(checkout + "/examples")) {
    if (entry.path().extension() != ".toml") continue;
    ++files;
    int commands = 0;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (!line.starts_with(before)) continue;
      ++commands;
      const Said said = run(line.substr(before.size()), checkout);
      EXPECT_EQ(said.code, 0) << line << "\n" << said.err;
    }
    EXPECT_GE(commands, 3) << entry.path();
  }
  EXPECT_GE(files, 5);
  for (const char* made : {"first/index.html", "first.trace.json", "vgg16/index.html", "gpt3.trace.json"})
    EXPECT_TRUE(std::filesystem::exists(checkout + "/out/" + made)) << made;
  std::filesystem::remove_all(checkout);
}

TEST(Helio, SimulateEndsInTheTotal) {
  const Said said = run("simulate " + std::string(HELIO_SOURCE_DIR) + "/examples/first_collectives.toml");
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_NE(said.out.find("\ntotal: 9 collectives, one after the other\n  time "), std::string::npos) << said.out;
}

TEST(Helio, ReproducesClosedForms) {
  const Said said = run("reproduce closed-forms --json");
  ASSERT_EQ(said.code, 0) << said.err;
  const Json json = Json::parse(said.out);
  ASSERT_GE(json["rows"].size(), 10u);
  for (const Json& row : json["rows"]) {
    for (const char* key : {"study", "quantity", "published", "expected", "ours", "label", "assumptions", "predicted",
                            "within", "source"})
      EXPECT_TRUE(row.contains(key)) << key;
    EXPECT_LT(row["within"], 1e-9) << row["quantity"];
    EXPECT_EQ(row["predicted"], true);
  }
}

}  // namespace
}  // namespace helio::apps
