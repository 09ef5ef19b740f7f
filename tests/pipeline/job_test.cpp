// SPDX-License-Identifier: Apache-2.0
#include "pipeline/job.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "pipeline/asking.h"
#include "pipeline/config_file.h"

namespace helio::pipeline {
namespace {

const std::string kFabric = "[fabric]\nname = \"cluster\"\nnodes = 16\n";
const std::string kWhole = kFabric + R"([[job]]
name = "first"
model = "gpt2-xl"
npu = "h100"
tp = 4
ranks = ["0-3", 8, 9]
priorities = ["tp", "pp"]
iterations = 3
[job.model_parameters]
sequence = 512
[job.npu_parameters]
memory = "96 GiB"
[job.compute]
kernel_gap = "2 us"
[job.algorithm]
tp = "ring"
dp = { name = "hierarchical-ring", group = 4 }
[[job]]
model = "alexnet"
)";

Experiment read(const std::string& text, const Texts& sets = {}) {
  Draft draft = parse_draft(text, "x.toml");
  for (const auto& [path, value] : sets) set(draft, path, {value, "--set " + path});
  return interpret(draft);
}

Error error_of(const std::string& text, const Texts& sets = {}) {
  try {
    read(text, sets);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "accepted: " << text;
  return Error(ErrorKind::kUsage, "");
}

TEST(Job, AWholeTableIsUnderstood) {
  const Experiment experiment = read(kWhole);
  ASSERT_EQ(experiment.jobs.size(), 2u);
  const Job& job = experiment.jobs[0];
  EXPECT_EQ(job.name, "first");
  EXPECT_EQ(job.place, "x.toml:4:1");
  EXPECT_EQ(job.model.value, "gpt2-xl");
  EXPECT_EQ(job.model.place, "x.toml:6:1");
  EXPECT_EQ(job.npu.name, "h100");
  EXPECT_EQ(job.iterations, 3u);
  EXPECT_EQ(job.strategy.at("tp").text, "4");
  EXPECT_EQ(job.strategy.at("ranks").text, "0-3,8,9");
  EXPECT_FALSE(job.strategy.contains("iterations"));  // not the strategy's business
  EXPECT_EQ(job.model_settings.at("sequence").text, "512");
  EXPECT_EQ(job.npu.settings.at("memory").text, "96 GiB");
  EXPECT_EQ(job.compute.at("kernel_gap").place, "x.toml:17:1");
  ASSERT_EQ(job.priorities.size(), 2u);
  EXPECT_EQ(job.priorities[1].value, "pp");
  EXPECT_EQ(job.algorithms.at("tp").name, "ring");
  EXPECT_EQ(job.algorithms.at("dp").name, "hierarchical-ring");
  EXPECT_EQ(job.algorithms.at("dp").settings.at("group").text, "4");
}

TEST(Job, DefaultsAreThoseOfTheTable) {
  const Job job = read(kWhole).jobs[1];
  EXPECT_EQ(job.name, "job 2");
  EXPECT_EQ(job.npu.name, "a100-80");
  EXPECT_EQ(job.iterations, 1u);
  EXPECT_EQ(job.algorithm.value, "auto");
  EXPECT_TRUE(job.priorities.empty());
  EXPECT_TRUE(job.strategy.empty());
}

// One word for all classes of traffic, in the file or on top of a table.
TEST(Job, AlgorithmMayBeAWord) {
  const std::string job = kFabric + "[[job]]\nmodel = \"alexnet\"\n";
  EXPECT_EQ(read(job + "algorithm = \"usual\"\n").jobs[0].algorithm.value, "usual");
  const Job both = read(kWhole, {{"job.algorithm", "usual"}}).jobs[0];
  EXPECT_EQ(both.algorithm.value, "usual");
  EXPECT_EQ(both.algorithms.at("tp").name, "ring");
  EXPECT_EQ(error_of(job + "algorithm = \"fastest\"\n").place(), "x.toml:6:1");
  EXPECT_EQ(error_of(job + "compute = \"fastest\"\n").place(), "x.toml:6:11");
}

TEST(Job, SettingsReachAllJobsOrOne) {
  const Experiment experiment = read(kWhole, {{"job.zero", "1"},
                                              {"job.first.micro_batch", "4"},
                                              {"job.job 2.compute.kernel_gap", "3 us"},
                                              {"job.algorithm.dp.group", "2"},
                                              {"job.algorithm.dp", "two-level"}});
  for (const Job& job : experiment.jobs) EXPECT_EQ(job.strategy.at("zero").text, "1");
  EXPECT_EQ(experiment.jobs[0].strategy.at("micro_batch").text, "4");
  EXPECT_FALSE(experiment.jobs[1].strategy.contains("micro_batch"));
  EXPECT_EQ(experiment.jobs[0].compute.at("kernel_gap").text, "2 us");
  EXPECT_EQ(experiment.jobs[1].compute.at("kernel_gap").text, "3 us");
  EXPECT_EQ(experiment.jobs[1].algorithms.at("dp").name, "two-level");
  EXPECT_EQ(experiment.jobs[1].algorithms.at("dp").settings.at("group").text, "2");
}

TEST(Job, MistakesHaveTheirPlace) {
  const std::tuple<std::string, const char*, const char*> wrong[] = {
      {"[[job]]\ntp = 2\n", "x.toml:4:1", "'model'"},
      {"[[job]]\nmodel = \"alexnet\"\ntq = 2\n", "x.toml:6:1", "'tq'"},
      {"[[job]]\nmodel = \"alexnet\"\niterations = \"many\"\n", "x.toml:6:1", "'many'"},
      {"[[job]]\nmodel = \"alexnet\"\n[job.computer]\na = 1\n", "x.toml:6:6", "'computer'"},
      {"[[job]]\nmodel = \"alexnet\"\n[job.algorithm]\ndp = { group = 4 }\n", "x.toml:7:8", "no algorithm"},
      {"[[job]]\nname = \"a\"\nmodel = \"alexnet\"\n[[job]]\nname = \"a\"\nmodel = \"alexnet\"\n", "x.toml:7:1", "'a'"},
  };
  for (const auto& [text, place, word] : wrong) {
    const Error error = error_of(kFabric + text);
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_EQ(error.place(), place) << error.message();
    EXPECT_NE(error.message().find(word), std::string::npos) << error.message();
  }
}

TEST(Job, PathsThatLeadNowhereAreErrors) {
  for (const char* path : {"job.zeros", "job.third.zero", "job.first.computer.kernel_gap", "job.computer.kernel_gap"})
    EXPECT_EQ(error_of(kWhole, {{path, "1"}}).place(), std::string("--set ") + path);
}

// A file beside the experiment is found from anywhere; one that is found from here is taken from here.
TEST(Job, AModelFileIsLookedForBesideTheExperiment) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("helio_job_test_" + std::to_string(getpid()));
  fs::create_directories(folder / "models");
  std::ofstream(folder / "models" / "own.toml") << "kind = \"layers\"\n";
  const std::string source = (folder / "x.toml").string();
  const auto found = [&](const std::string& model) {
    Job job;
    job.model.value = model;
    return model_source(job, source);
  };
  EXPECT_EQ(found("models/own.toml"), (folder / "models/own.toml").string());
  EXPECT_EQ(found((folder / "models/own.toml").string()), (folder / "models/own.toml").string());
  EXPECT_EQ(found("models/other.toml"), "models/other.toml");  // nowhere: the message names what was written
  EXPECT_EQ(found("alexnet"), "alexnet");
  fs::remove_all(folder);
}

}  // namespace
}  // namespace helio::pipeline
