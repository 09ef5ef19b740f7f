// SPDX-License-Identifier: Apache-2.0
// Every option of every command that takes a whole number, or the name of a file.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/listed_options.h"
#include "apps/refused.h"
#include "apps/running.h"
#include "source_dir.h"

namespace helio::apps {
namespace {

namespace fs = std::filesystem;

const std::string kSource = HELIO_SOURCE_DIR;
const std::set<std::string> kInTrain = {"train", "onn train", "execute"};  // helio-train, helio-execute answer

class Options : public testing::Test {
 protected:
  Options() {
    fs::create_directories(folder_);
    EXPECT_EQ(run("onn build --servers 2 --bits 2 --out " + net_).code, 0);
  }
  ~Options() override { fs::remove_all(folder_); }

  // A sweep of one point, and its database.
  void make_sweep() const {
    std::ofstream(sweep_) << "command = \"describe ring\"\n[vary]\nnodes = [4]\n";
    ASSERT_EQ(run("sweep " + sweep_ + " --out " + swept_).code, 0);
  }

  const std::string folder_ = scratch_file("options"), net_ = folder_ + "/net.json";
  const std::string sweep_ = folder_ + "/sweep.toml", swept_ = folder_ + "/sweep.db";
};

TEST_F(Options, WholeNumbersAreRead) {
  make_sweep();
  const std::string csv = folder_ + "/two.csv";
  std::ofstream(csv) << "size_B,time_us\n8,20\n16,20\n";
  expect_integers_are_read(
      HELIO_BINARY,
      {{"collective", {"collective broadcast", {{"--fabric", "ring"}, {"--nodes", "8"}, {"--bytes", "1MB"}}}},
       {"compare", {"compare broadcast", {{"--fabric", "ring"}, {"--nodes", "8"}, {"--bytes", "1MB"}}}},
       {"describe", {"describe ring", {{"--nodes", "8"}}}},
       {"traffic", {"traffic", {{"--fabric", "full-mesh"}, {"--nodes", "4"}, {"--bytes", "1MB"}}}},
       {"fit", {"fit " + csv + " --constant fabric.launch", {{"--evaluations", "2"}}}},
       {"fred route", {"fred route", {{"--ports", "8"}, {"--groups", "0,1"}}}},
       {"slices", {"slices " + kSource + "/examples/oddl_slices.toml --run"}},
       {"testbed",
        {"testbed oddl --set 'fabric.rate=1 Gb/s' --set 'fabric.grant_timeout=4 ms'",
         {{"--bytes", "4kB"}, {"--steps", "2"}}}},
       {"export schedule",
        {"export schedule broadcast --out " + folder_ + "/schedule.json",
         {{"--fabric", "ring"}, {"--nodes", "8"}, {"--bytes", "1MB"}}}},
       {"sweep", {"sweep " + sweep_, {{"--out", swept_}}}},
       {"sweep show", {"sweep show " + swept_}},
       {"onn build", {"onn build", {{"--servers", "2"}, {"--bits", "2"}}}},
       {"onn evaluate", {"onn evaluate " + net_}},
       {"onn decompose", {"onn decompose", {{"--modes", "4"}}}},
       {"onn describe", {"onn describe " + net_ + " --svg " + folder_ + "/net.svg"}}},
      kInTrain);
}

// A zero before a number makes it no other number: 010 is ten.
TEST_F(Options, NumbersAreDecimal) {
  EXPECT_EQ(run("fred route --ports 010 --groups 0,9").code, 0);
  EXPECT_EQ(nlohmann::json::parse(run("onn evaluate " + net_ + " --points 0010 --json").out)["points"], 10);
}

// The largest that there is, and one more.
TEST_F(Options, TheRangeIsSaid) {
  EXPECT_EQ(run("onn evaluate " + net_ + " --seed 9223372036854775807").code, 0);
  expect_refused("onn evaluate " + net_ + " --seed 9223372036854775808", 2, {"--seed", "up to 9223372036854775807"});
  expect_refused("fred route --ports 99999999999999999999 --groups 0,1", 2, {"--ports", "from 0 to 16384"});
  expect_refused("fred route --ports 1 --groups 0,1", 3, {"--ports", "from 2 to 16384"});
  expect_refused("fred route --ports 8 --middle 1 --groups 0,1", 3, {"--middle", "from 2 to"});
}

TEST_F(Options, FilesMayHaveAnyName) {
  make_sweep();
  const std::string at = folder_ + "/" + kNoUtf8, path = " '" + at + "'", report = folder_ + "/report";
  const std::string collective = "collective all-reduce --fabric ring --nodes 4 --bytes 1MB --algorithm ring --json";
  const std::string flows = folder_ + "/flows.json", matrix = folder_ + "/matrix.json", csv = folder_ + "/a.csv";
  const std::string graph = folder_ + "/graph.txt";
  std::ofstream(flows) << "[{\"inputs\": [0, 1], \"outputs\": [2]}]";
  std::ofstream(matrix) << "[[1, 0], [0, 1]]";
  std::ofstream(csv) << "operation,fabric,algorithm,nodes,size_B,time_us\nall-reduce,ring,ring,4,1000000,33\n";
  std::ofstream(graph) << "node a b\nlink a b 100Gb/s\n";
  ASSERT_EQ(run("onn decompose --modes 4 --report " + report).code, 0);
  const std::string events = kSource + "/examples/oddl_slices.toml",
                    experiment = kSource + "/examples/first_collectives.toml", plan = folder_ + "/plan.toml";
  const std::string kMap = "plan collective all-reduce --nodes 8 --bytes 1MB --fabric switch";
  std::ofstream(plan)
      << "[plan]\nmodel = \"gpt2-xl\"\nnpus = 8\nnpu = \"a100-80\"\nfabric = \"switch\"\ntp = 1\npp = 1\n";
  expect_any_path(
      HELIO_BINARY, folder_,
      {{"collective", "--trace", collective + " --trace" + path},
       {"collective", "--report", collective + " --report" + path},
       {"collective", "--set",
        "collective all-reduce --fabric graph --bytes 1MB --algorithm ring --json --set 'fabric.file=" + at + "'",
        graph},
       {"simulate", "EXPERIMENT", "simulate" + path + " --json", experiment},
       {"simulate", "EXPERIMENT", "simulate" + path + " --report " + report, experiment},
       {"simulate", "--trace", "simulate " + experiment + " --trace" + path},
       {"simulate", "--report", "simulate " + experiment + " --json --report" + path},
       {"reproduce", "--log", "reproduce oddl --json --log" + path, kSource + "/examples/traces/jobs.csv"},
       {"compare", "QUESTION", "compare" + path + " --fabric switch --json", kSource + "/examples/vgg16_dp64.toml"},
       {"plan", "MODEL", "plan" + path + " --runs 1 --json", plan},
       {"plan", "--report", "plan " + plan + " --runs 1 --json --report" + path},
       {"plan collective", "--report", kMap + " --json --report" + path},
       {"reproduce", "--report", "reproduce closed-forms --json --report" + path},
       {"validate", "FILE", "validate" + path + " --json --report " + report, csv},
       {"validate", "--report", "validate " + csv + " --report" + path},
       {"fit", "FILE", "fit" + path + " --json --constant fabric.launch --evaluations 2", csv},
       {"report", "DIR", "report" + path, report},
       {"fred route", "--flows", "fred route --ports 4 --json --flows" + path, flows},
       {"fred route", "--svg", "fred route --ports 4 --groups 0,1 --json --svg" + path},
       {"slices", "EVENTS", "slices" + path + " --json", events},
       {"slices", "--log", "slices --nodes 64 --json --log" + path, kSource + "/examples/traces/jobs.csv"},
       {"traffic", "--flows", "traffic --fabric switch --nodes 16 --json --flows" + path,
        kSource + "/examples/traces/flows.csv"},
       {"traffic", "--sizes", "traffic --fabric switch --nodes 16 --json --count 5 --sizes" + path,
        kSource + "/examples/traces/flow_sizes.csv"},
       {"slices", "--report", "slices " + events + " --json --report" + path},
       {"testbed", "--report", "testbed oddl --bytes 4kB --steps 1 --json --report" + path},
       {"export schedule", "--out",
        "export schedule all-reduce --fabric ring --nodes 4 --bytes 1MB --algorithm ring --json --out" + path},
       {"sweep", "SWEEP", "sweep" + path + " --json --out " + swept_, sweep_},
       {"sweep", "--out", "sweep " + sweep_ + " --json --out" + path},
       {"sweep join", "DATABASE", "sweep join" + path + " --json --out " + folder_ + "/all.db", swept_},
       {"sweep join", "--out", "sweep join " + swept_ + " --json --out" + path},
       {"sweep show", "DATABASE", "sweep show" + path + " --json", swept_},
       {"sweep show", "--csv", "sweep show " + swept_ + " --csv" + path},
       {"sweep show", "--report", "sweep show " + swept_ + " --report" + path},
       {"onn build", "--out", "onn build --servers 2 --bits 2 --json --out" + path},
       {"onn evaluate", "FILE", "onn evaluate" + path + " --json", net_},
       {"onn decompose", "--matrix", "onn decompose --json --matrix" + path, matrix},
       {"onn decompose", "--svg", "onn decompose --modes 4 --json --svg" + path},
       {"onn decompose", "--report", "onn decompose --modes 4 --json --report" + path},
       {"onn describe", "FILE", "onn describe" + path + " --json", net_},
       {"onn describe", "--svg", "onn describe " + net_ + " --json --svg" + path},
       {"onn describe", "--report", "onn describe " + net_ + " --json --report" + path},
       {"reference", "--out", "reference --out" + path},
       {"new", "--out", "new job --out" + path},
       {"man", "--out", "man --out" + path}},
      kInTrain);
}

// What cannot be read is named in characters that can be shown.
TEST_F(Options, RefusedNamesAreShown) { expect_refused("simulate 'gone\xff\xe2\x80\xae'", 3, {"gone\\xff\\u202e"}); }

// Whatever is printed: what nobody gets is no success.
TEST_F(Options, AFullStandardOutputIsNoticed) {
  const std::string collective = "collective all-reduce --fabric ring --nodes 4 --bytes 1MB --algorithm ring";
  for (const std::string& asked :
       {std::string("--help"), std::string("collective --help"), std::string("--version"), std::string("list"),
        std::string("describe ring"), std::string("man"), std::string("reference"), collective, collective + " --json",
        std::string("onn decompose --modes 2"), "man --out " + folder_})
    for (const char* nowhere : {" >/dev/full", " >&-"}) {
      const Said said = run(asked + nowhere);
      EXPECT_EQ(said.code, 3) << asked << nowhere;
      EXPECT_NE(said.err.find("cannot write to standard output"), std::string::npos) << said.err;
    }
}

}  // namespace
}  // namespace helio::apps
