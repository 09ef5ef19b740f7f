// SPDX-License-Identifier: Apache-2.0
// The generated reference: everything of the catalogues is in it, and the table of JSON keys is what commands print, both ways.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "apps/refused.h"
#include "apps/running.h"
#include "fabric/fabric.h"
#include "pipeline/job.h"
#include "placement/npu.h"
#include "report/json_paths.h"
#include "schedule/algorithm.h"
#include "source_dir.h"
#include "studies/catalogue.h"
#include "workload/zoo.h"

namespace helio::apps {
namespace {

using report::Paths;

// The paths that several runs print, together; some keys are there only sometimes.
Paths printed(const std::vector<std::string>& commands, const Paths& open) {
  Paths all;
  for (const std::string& command : commands) {
    const Said said = run(command + " --json", HELIO_SOURCE_DIR);
    EXPECT_EQ(said.code, 0) << command << "\n" << said.err;
    if (said.code == 0) all.merge(report::printed_paths(said.out, open));
  }
  return all;
}

void expect_table(const std::string& name, const std::vector<std::string>& commands) {
  Paths open;
  const Paths table = report::table_paths(name, &open);
  ASSERT_FALSE(table.empty()) << name;
  EXPECT_EQ(printed(commands, open), table) << name;
}

template <class Factory>
void expect_page(const std::string& page, const Catalogue<Factory>& catalogue, const std::string& prefix) {
  const Said said = run("reference " + page);
  ASSERT_EQ(said.code, 0) << said.err;
  for (const auto& entry : catalogue.entries()) {
    EXPECT_NE(said.out.find("\n## " + entry.description.name + "\n"), std::string::npos) << entry.description.name;
    for (const Parameter& parameter : entry.description.parameters)
      EXPECT_NE(said.out.find("\n| `" + prefix + parameter.name + "` | "), std::string::npos) << parameter.name;
  }
}

TEST(Reference, HasEverythingOfTheCatalogues) {
  expect_page("fabrics", fabric::fabrics(), "fabric.");
  expect_page("algorithms", schedule::algorithms(), "algorithm.");
  expect_page("models", workload::models(), "job.model_parameters.");
  expect_page("npus", placement::npus(), "job.npu_parameters.");
  expect_page("parts", fabric::parts(), "part.NAME.");
  expect_page("studies", studies::studies(), "");
  const std::string jobs = run("reference jobs").out;
  for (const Parameter& parameter : pipeline::job_parameters())
    EXPECT_NE(jobs.find("| `job." + parameter.name + "` | "), std::string::npos) << parameter.name;
  const std::string keys = run("reference keys").out, described = run("describe keys").out;
  for (const report::JsonKey& key : report::json_keys()) {
    EXPECT_NE(keys.find("| `" + std::string(key.path) + "` | "), std::string::npos) << key.path;
    EXPECT_NE(described.find("\n  " + std::string(key.path) + " "), std::string::npos) << key.path;
  }
  EXPECT_NE(run("reference").out.find("\n## helio collective\n"), std::string::npos);
}

// Six bars of a row are six cells; a bar in a cell is written "\|".
TEST(Reference, TablesHaveAsManyCellsInEveryRow) {
  for (const char* page : {"commands", "fabrics", "algorithms", "models", "npus", "parts", "jobs", "studies", "keys"}) {
    std::istringstream lines(run(std::string("reference ") + page).out);
    std::size_t cells = 0;
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with('|')) {
        cells = 0;
        continue;
      }
      std::size_t bars = 0;
      for (std::size_t i = 0; i < line.size(); ++i) bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
      if (cells == 0) cells = bars;
      EXPECT_EQ(bars, cells) << page << ": " << line;
    }
  }
}

TEST(Reference, IsWrittenIntoAFolder) {
  const std::string folder = scratch_file("reference");
  const Said said = run("reference --out " + folder);
  ASSERT_EQ(said.code, 0) << said.err;
  for (const char* page : {"commands", "fabrics", "algorithms", "models", "npus", "parts", "jobs", "studies", "keys"})
    EXPECT_EQ(contents(folder + "/" + page + ".md"), run(std::string("reference ") + page).out) << page;
  std::filesystem::remove_all(folder);
  expect_refused("reference fabric", 3, {"'fabrics'"});
  expect_refused("reference keys --out " + folder, 2, {"--out"});
}

TEST(Keys, OfDescriptions) {
  expect_table("helio describe FABRIC", {"describe oddl --nodes 64"});
  expect_table("helio describe PART", {"describe laser"});
  expect_table("helio describe MODEL", {"describe vgg16"});
  expect_table("helio describe NAME", {"describe h100", "describe direct", "describe closed-forms",
                                       "describe all-to-all", "describe job", "describe keys"});
  expect_table("helio list", {"list"});
}

TEST(Keys, OfSlices) { expect_table("helio slices", {"slices examples/oddl_slices.toml --run --runs 2 --prove"}); }

TEST(Keys, OfSweeps) {
  const std::string file = scratch_file("keys.db");
  expect_table("helio sweep", {"sweep examples/sweep.toml --out " + file});
  expect_table("helio sweep show", {"sweep show " + file});
  expect_table("helio sweep join", {"sweep join " + file + " --out " + file + ".all"});
  for (const char* end : {"", ".all"}) std::filesystem::remove(file + end);
}

TEST(Keys, OfSchedules) {
  const std::string file = scratch_file("schedule.json");
  expect_table("helio export schedule",
               {"export schedule all-reduce --fabric ring --nodes 4 --bytes 1MB --out " + file});
  std::filesystem::remove(file);
}

TEST(Keys, OfTestbeds) { expect_table("helio testbed", {"testbed oddl --bytes 40kB --steps 1"}); }
TEST(Keys, OfLogsAndTraces) {
  expect_table("helio slices --log", {"slices --log examples/traces/jobs.csv --nodes 64",
                                      "slices --generate 2 --nodes 64 --nodes-per-gpu 4 --fabric oddl --fabric "
                                      "'wdm-ring:enforce_budget=true,laser_power=-20 dBm'"});
  expect_table("helio traffic --flows",
               {"traffic --flows examples/traces/flows.csv --nodes 16 --fabric switch",
                "traffic --flows examples/traces/flows.csv --nodes 16 --fabric oddl --fabric sip-ring"});
}

// A fabric among several has the keys that it has alone.
TEST(Keys, OfTraffic) {
  const std::string rest = " --nodes 8 --bytes 1MB --iterations 1";
  Paths open;
  const Paths table = report::table_paths("helio traffic", &open);
  Paths within = open;
  for (const std::string& path : open) within.insert("fabrics[]." + path);
  Paths found;
  for (const std::string& path :
       printed({"traffic --fabric switch" + rest,
                "traffic --fabric switch --fabric 'wdm-ring:enforce_budget=true,laser_power=-20 dBm'" + rest},
               within)) {
    const std::string alone = path.starts_with("fabrics[].") ? path.substr(10) : path;
    found.insert(table.contains(path) ? path : alone);
  }
  EXPECT_EQ(found, table);
}

TEST(Keys, OfComparisons) {
  expect_table("helio compare", {"compare all-reduce --nodes 6 --bytes 1MB --fabric switch --fabric ring --fabric fred",
                                 "compare all-reduce --nodes 8 --bytes 1MB --injection '80 Gb/s' --latency 0s --fabric "
                                 "switch:reducers=1,step_overhead=10us --fabric full-mesh:step_overhead=1us"});
}

TEST(Keys, OfPlans) {
  expect_table(
      "helio plan collective",
      {"plan collective all-reduce --nodes 6 --bytes '1 kB,1 GB' --fabric switch:reducers=1 --fabric fred --fabric "
       "full-mesh --fabric switch:reducers=1,step_overhead=1ms --overhead 0s",
       "plan collective all-reduce --nodes 8 --bytes '1 kB,100 MB' --fabric ring --fabric "
       "switch:reducers=1,latency=9us"});
  expect_table(
      "helio plan",
      {"plan gpt2-xl --npus 8 --npu a100-80 --fabric switch --fabric fred:radix=3x3 --tp 1,2 --pp 1 --runs 1",
       "plan gpt2-xl --npus 8 --npu a100-80 --fabric switch --fabric ring --tp 1 --pp 1 --zero 1 --switching injection",
       "plan gpt2-xl --map npus,batch --npus 4,8 --batch 16 --npu a100-80 --fabric ring --tp 1 --pp 1 --zero 1"});
}

TEST(Keys, OfOpticalNetworks) {
  const std::string file = scratch_file("network.json"), level = scratch_file("level.json");
  const std::string first = " --servers 2 --bits 4 --out-fraction 1 --out " + level;
  const std::string next = " --servers 2 --bits 4 --in-fraction 1 --out " + file;
  expect_table("helio onn build", {"onn build" + first, "onn build" + next,
                                   "onn build --servers 2 --bits 4 --merge 2 --out " + file + ".merged",
                                   "onn build --servers 2 --bits 4 --chip default"});
  expect_table("helio onn evaluate", {"onn evaluate " + file, "onn evaluate " + level,
                                      "onn evaluate " + file + ".merged", "onn evaluate " + file + " --chip default"});
  expect_table("helio onn describe",
               {"onn describe " + file, "onn describe " + level, "onn describe " + file + ".merged"});
  expect_table("helio onn decompose", {"onn decompose --modes 4"});
  for (const std::string& made : {file, level, file + ".merged"}) std::filesystem::remove(made);
}

TEST(Keys, OfTheFredSwitch) { expect_table("helio fred route", {"fred route --ports 8 --groups '0,1;2,3'"}); }

TEST(Keys, OfExperimentsAndStudies) {
  expect_table("helio simulate", {"simulate examples/two_jobs_fat_tree.toml", "simulate examples/job_remedies.toml",
                                  "simulate examples/one_system.toml --set job.micro_batches=1"});
  expect_table("helio reproduce", {"reproduce closed-forms"});
}

TEST(Keys, OfMeasurements) {
  const std::string file = scratch_file("measured.csv");
  std::ofstream(file)
      << "gpu,collective,gpus,bytes,time_s\nA100,all-reduce,8,1024,2e-5\nA100,all-gather,4,1024,1e-5\nZ9,all-"
         "reduce,8,1024,2e-5\n";
  expect_table("helio validate", {"validate " + file});
  expect_table("helio fit", {"fit " + file + " --constant fabric.launch --evaluations 4"});
  std::filesystem::remove(file);
}

// What is no key of a collective itself is a fact, and every fact of the table is told by one of these.
TEST(Keys, OfFacts) {
  const std::string all_reduce = "collective all-reduce --bytes 1MB --fabric ";
  Paths open;
  const Paths collective = report::table_paths("helio collective", &open);
  Paths facts;
  for (const std::string& path : printed(
           {all_reduce + "wdm-ring --nodes 64 --algorithm wrht",
            all_reduce + "wdm-ring --nodes 64 --algorithm wdm-planned",
            "collective all-gather --bytes 1MB --fabric wdm-ring --nodes 64 --algorithm optree",
            "collective broadcast --bytes 1MB --fabric ring --nodes 8 --algorithm ring",
            all_reduce + "torus --set fabric.dimensions=4x4 --algorithm dimension-ordered --set algorithm.pieces=2",
            all_reduce + "torus --set fabric.dimensions=8x2 --algorithm dimension-ordered --set algorithm.split=1:2",
            all_reduce + "switch --nodes 8 --set fabric.reducers=2 --algorithm in-fabric --set algorithm.fused=false "
                         "--set algorithm.buckets=4",
            all_reduce + "graph --set 'fabric.file=" + HELIO_SOURCE_DIR +
                "/examples/graphs/two_racks.txt' --algorithm fitted",
            "collective all-to-all --bytes 1MB --fabric switch --nodes 4 --algorithm fitted",
            all_reduce + "ring --nodes 8 --algorithm fitted",
            all_reduce + "sip-ring --nodes 8 --algorithm ring",
            all_reduce + "oddl --nodes 64 --algorithm ring",
            all_reduce + "rotor --nodes 8 --algorithm direct",
            all_reduce + "optinc --nodes 4 --algorithm in-fabric",
            all_reduce + "composite --algorithm by-level",
            "collective all-reduce --bytes 100MB --fabric composite --level ring:nodes=6 --level "
            "ring:nodes=3,gateways=0+3",
            all_reduce + "composite --algorithm by-level --level wdm-ring:name=inside,nodes=3,wavelengths=2 --level "
                         "wdm-ring:name=between,nodes=6,wavelengths=8",
            all_reduce + "ring --nodes 8 --algorithm ring --set fabric.rate=4Tb/s --npu v100",
            all_reduce + "fred --algorithm in-fabric --set fabric.structure=chiplets",
            all_reduce +
                "fred --strategy 1-2-3 --phase dp --set fabric.middle=2 --algorithm in-fabric --remedy replace"},
           open))
    if (!collective.contains(path)) facts.insert(path);
  facts.insert("search");  // where the clock cut a search, which is another on every machine (tests/plan/auto_test.cpp)
  EXPECT_EQ(facts, report::table_paths(report::kFacts));
}

}  // namespace
}  // namespace helio::apps
