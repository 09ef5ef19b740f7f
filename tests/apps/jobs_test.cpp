// SPDX-License-Identifier: Apache-2.0
// Jobs through the command: the four examples with numbers that are derived here, traces and reports.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "apps/running.h"
#include "source_dir.h"

namespace helio::apps {
namespace {

using Json = nlohmann::json;

std::string example(const std::string& name) { return std::string(HELIO_SOURCE_DIR) + "/examples/" + name; }

Json simulated(const std::string& arguments, const std::string& folder = ".") {
  const Said said = run("simulate " + arguments + " --json", folder);
  EXPECT_EQ(said.code, 0) << arguments << "\n" << said.err;
  return said.code == 0 ? Json::parse(said.out) : Json();
}

// What must be true of every job, whatever it is.
void expect_sound(const Json& job) {
  SCOPED_TRACE(job["name"].get<std::string>());
  EXPECT_GE(job["time_s"], job["bound_s"]);
  double exposed = 0, memory = 0;
  for (const Json& seconds : job["exposed_s"]) exposed += seconds.get<double>();
  EXPECT_NEAR(exposed / job["time_s"].get<double>(), 1, 1e-6);
  for (const char* part : {"parameters", "gradients", "optimiser", "activations"})
    memory += job["memory_bytes"][part].get<double>();
  EXPECT_NEAR(memory / job["memory_bytes"]["total"].get<double>(), 1, 1e-9);
  for (const char* share : {"model_utilisation", "npu_utilisation"}) {
    EXPECT_GT(job[share], 0);
    EXPECT_LE(job[share], 1);
  }
  for (const Json& link : job["links"]) {
    EXPECT_LE(link["mean_utilisation"], link["most_utilisation"]);
    EXPECT_LE(link["most_utilisation"], 1 + 1e-9);
  }
  EXPECT_EQ(job["version"], HELIO_VERSION);
}

// 138,357,544 parameters; 15.47 G multiply-adds an image, so 6 x 15.47 G x 32 = 2.97 TFLOP an NPU, 9.5 ms at its peak of 312
// TFLOP/s: no iteration is shorter. A hierarchical ring over 8 servers of 8 moves, for each NPU and V = 2 x 138.4 MB, 2 x 7/8 V in
// its server and 2 x 7/8 V/8 between servers, each over two links: 3.94 V, with up to 5 % for the protocols' flags.
TEST(Jobs, Vgg16OnSixtyFourGpus) {
  const Json json = simulated(example("vgg16_dp64.toml"));
  const Json& job = json["jobs"][0];
  expect_sound(job);
  EXPECT_EQ(job["npus"], 64);
  EXPECT_EQ(job["model"], "VGG16");
  EXPECT_EQ(job["algorithms"]["dp"], "hierarchical-ring");
  EXPECT_EQ(job["memory_bytes"]["parameters"], 2 * 138357544);
  EXPECT_EQ(job["memory_bytes"]["optimiser"], 12LL * 138357544);
  EXPECT_NEAR(job["model_flops"].get<double>(), 6 * 15.47e9 * 32 * 64, 0.002 * 6 * 15.47e9 * 32 * 64);
  EXPECT_GT(job["time_s"], 9.5e-3);
  EXPECT_LT(job["time_s"], 100e-3);
  EXPECT_DOUBLE_EQ(job["samples_per_s"].get<double>() * job["time_s"].get<double>(), 32 * 64);
  const double traffic = 64 * (4 * 7.0 / 8 + 4 * 7.0 / 64) * 2 * 138357544;
  EXPECT_GE(job["traffic_bytes"].get<double>(), traffic * (1 - 1e-9));
  EXPECT_LE(job["traffic_bytes"].get<double>(), traffic * 1.05);

  // Jobs alone keep the keys of a file
  EXPECT_EQ(json["time_s"], job["time_s"]);
  EXPECT_TRUE(json["results"].empty());

  // Gradients hide behind backward, unless they may not
  EXPECT_GT(simulated(example("vgg16_dp64.toml") + " --set job.overlap=false")["time_s"], job["time_s"]);
}

// 512 samples of 734,804 GFLOP forward and twice that backward. A rank of the first stage holds 1/8 of 6 blocks of 1,812,099,072
// parameters and of the embedding's 642,723,840, and norms and biases whole: 2.88 GB and up to 2 % more; Adam six times that.
// 15 turns of the pipeline pass before its last stage begins, so an iteration takes about 79/64 of what a stage computes; the last
// stage has the head besides, 5.5 % of its work, so the turns before it are that much shorter: 1.2, and exchanges on top.
TEST(Jobs, Gpt3OnAThousandGpus) {
  const Json json = simulated(example("gpt3_3d.toml"));
  const Json& job = json["jobs"][0];
  expect_sound(job);
  EXPECT_EQ(job["npus"], 1024);
  EXPECT_NEAR(job["model_flops"].get<double>(), 3 * 734804e9 * 512, 1e-5 * 3 * 734804e9 * 512);
  EXPECT_DOUBLE_EQ(job["model_utilisation"],
                   job["model_flops"].get<double>() / job["time_s"].get<double>() / (1024 * 312e12));
  EXPECT_DOUBLE_EQ(job["tokens_per_s"], 2048 * job["samples_per_s"].get<double>());
  const double parameters = 2 * (6 * 1812099072.0 + 642723840) / 8;
  EXPECT_GE(job["memory_bytes"]["parameters"], parameters);
  EXPECT_LE(job["memory_bytes"]["parameters"], 1.02 * parameters);
  EXPECT_DOUBLE_EQ(job["memory_bytes"]["optimiser"], 6 * job["memory_bytes"]["parameters"].get<double>());
  EXPECT_EQ(job["memory_bytes"]["stage"], 0);
  const double ratio = job["time_s"].get<double>() / job["bound_s"].get<double>();
  EXPECT_GT(ratio, 1.2);
  EXPECT_LT(ratio, 1.6);
  for (const char* activity : {"compute", "tp", "pp", "dp"}) EXPECT_GT(job["exposed_s"][activity], 0) << activity;

  // Tensor parallelism that leaves its servers crosses NICs of 1/12 of the rate
  const Json scattered = simulated(example("gpt3_3d.toml") + " --set job.rank_order=pp,dp,tp")["jobs"][0];
  EXPECT_GT(scattered["exposed_s"]["tp"].get<double>(), 5 * job["exposed_s"]["tp"].get<double>());
}

// Weights of 96 blocks of 1,812,099,072 parameters (and 1.26e9 of embedding and head) in two bytes come in twice, their gradients go out
// once, over 18 channels of 128 GB/s: the time that the channels are busy.
TEST(Jobs, Gpt3StreamsThroughAWafer) {
  const Json job = simulated(example("fred_gpt3.toml"))["jobs"][0];
  expect_sound(job);
  const double bytes = 2 * (96 * 1812099072.0 + 1.26e9), channels = 18 * 128e9;
  double in = 0, out = 0;
  for (const Json& link : job["links"]) {
    const double busy = link["mean_utilisation"].get<double>() * job["time_s"].get<double>() * channels;
    if (link["name"] == "I/O channel in") in = busy;
    if (link["name"] == "I/O channel out") out = busy;
  }
  EXPECT_NEAR(in, 2 * bytes, 0.01 * bytes);
  EXPECT_NEAR(out, bytes, 0.01 * bytes);

  // Ten times the compute leaves the exchanges as they are; the sum of both shrinks by less than ten
  const Json fast = simulated(example("fred_gpt3.toml") + " --set job.compute.utilisation=10")["jobs"][0];
  EXPECT_NEAR(fast["exposed_s"]["compute"].get<double>(), job["exposed_s"]["compute"].get<double>() / 10,
              0.001 * job["exposed_s"]["compute"].get<double>());
  EXPECT_NEAR(fast["exposed_s"]["tp"].get<double>(), job["exposed_s"]["tp"].get<double>(),
              0.02 * job["exposed_s"]["tp"].get<double>());
}

TEST(Jobs, WhoGoesFirstOnALink) {
  const auto seconds = [](const std::string& options) {
    return simulated(example("fred_bandwidth.toml") + options)["time_s"].get<double>();
  };
  // Gradients are what binds: delaying them costs, favouring them does not
  EXPECT_GT(seconds(" --set job.priorities=tp,pp,dp"), seconds(" --set job.priorities=dp,pp,tp"));
  EXPECT_LE(seconds(" --set job.bandwidth=demand"), seconds(" --set job.priorities=tp,pp,dp"));
}

// 6,738,415,616 parameters (Touvron et al. 2023) over 32 GPUs: 2, 2 and 12 bytes of each, and beside its share
// a rank holds the parameters of two gathered blocks of 202,383,360 (4 x 4096^2 + 3 x 4096 x 11008 + 2 x 4096). Parameters in twice and gradients out once
// against once and once: 3/2 of the traffic.
TEST(Jobs, LlamaFromItsConfig) {
  const Json job = simulated(example("llama_config.toml"))["jobs"][0];
  expect_sound(job);
  EXPECT_EQ(job["memory_bytes"]["parameters"], 2 * 6738415616 / 32 + 2 * 2 * 202383360);
  EXPECT_EQ(job["memory_bytes"]["gradients"], 2 * 6738415616 / 32);
  EXPECT_EQ(job["memory_bytes"]["optimiser"], 12 * 6738415616 / 32);
  const Json first = simulated(example("llama_config.toml") + " --set job.zero=1")["jobs"][0];
  EXPECT_EQ(first["memory_bytes"]["parameters"], 2 * 6738415616);
  EXPECT_NEAR(job["traffic_bytes"].get<double>() / first["traffic_bytes"].get<double>(), 1.5, 0.01);
}

// The model's path holds from the file's folder, whichever folder the command runs in, and from the command's own.
TEST(Jobs, AModelFileIsFoundFromTheExperimentFile) {
  const Json here = simulated(example("llama_config.toml"), "/");
  const Json there = simulated(example("llama_config.toml"), HELIO_SOURCE_DIR);
  const Json named = simulated(example("llama_config.toml") + " --set job.model=config.json",
                               std::string(HELIO_SOURCE_DIR) + "/examples/models/llama-7b");
  EXPECT_EQ(here["time_s"], there["time_s"]);
  EXPECT_EQ(here["time_s"], named["time_s"]);
}

// A rack's uplinks carry one flow at full rate and two at half. So alone a job is as fast as without oversubscription, and
// together both are slower, by no more than their exchanges taking twice as long.
TEST(Jobs, TwoJobsOnAFatTreeSlowEachOther) {
  const std::string file = example("two_jobs_fat_tree.toml");
  const Json together = simulated(file)["jobs"];
  const Json apart = simulated(file + " --set fabric.oversubscription=1")["jobs"];
  ASSERT_EQ(together.size(), 2u);

  // Each alone: the file without the other's table
  const std::string text = contents(file), alone = scratch_file("alone.toml");
  const std::size_t first = text.find("[[job]]"), second = text.find("[[job]]", first + 1);
  const std::string tables[] = {text.substr(0, second), text.substr(0, first) + text.substr(second)};
  for (std::size_t j = 0; j < 2; ++j) {
    expect_sound(together[j]);
    std::ofstream(alone) << tables[j];
    const Json by_itself = simulated(alone)["jobs"][0];
    EXPECT_EQ(by_itself["name"], together[j]["name"]);
    const double lone = by_itself["time_s"], shared = together[j]["time_s"];
    EXPECT_NEAR(apart[j]["time_s"].get<double>(), lone, 1e-6 * lone);
    EXPECT_GT(shared, 1.1 * lone);  // about 1.25
    EXPECT_LT(shared, 2 * lone);
  }
  std::filesystem::remove(alone);
}

// A trace that viewers can draw: every bar on a named thread, and none over another.
TEST(Jobs, TracesHaveNamedThreadsWithoutOverlap) {
  const std::string trace = scratch_file("jobs.trace.json");
  ASSERT_EQ(run("simulate " + example("gpt3_3d.toml") + " --trace " + trace).code, 0);
  const Json events = Json::parse(contents(trace))["traceEvents"];
  std::filesystem::remove(trace);
  std::map<std::pair<int, int>, std::string> names;
  std::map<std::pair<int, int>, double> end;
  std::size_t bars = 0;
  for (const Json& event : events) {
    const std::pair<int, int> thread{event["pid"].get<int>(), event.value("tid", -1)};
    if (event["name"] == "thread_name") names[thread] = event["args"]["name"];
    if (event["ph"] != "X") continue;
    ++bars;
    ASSERT_TRUE(names.contains(thread));
    EXPECT_GE(event["ts"].get<double>(), end[thread] - 1e-6) << names[thread] << ": " << event["name"];
    end[thread] = event["ts"].get<double>() + event["dur"].get<double>();
  }

  // 16 stages x 8 replicas x 64 micro-batches, forward and backward, and the sends between stages
  EXPECT_GE(bars, 16u * 8 * 64 * 2 + 15 * 8 * 64 * 2);
  EXPECT_LE(bars, 200'000u);
  std::vector<std::string> first;
  for (const auto& [thread, name] : names)
    if (first.size() < 2) first.push_back(name);
  EXPECT_EQ(first, (std::vector<std::string>{"stage 0, replica 0", "stage 0, replica 0, sends"}));
}

// Half a million bars are cut at 200,000, and the trace says so.
TEST(Jobs, ALongTraceIsCut) {
  const std::string trace = scratch_file("long.trace.json");
  ASSERT_EQ(run("simulate " + example("gpt3_3d.toml") + " --set job.micro_batches=1024 --trace " + trace).code, 0);
  std::ifstream file(trace);
  std::size_t bars = 0, cuts = 0;
  for (std::string line; std::getline(file, line);)
    bars += line.starts_with(R"({"ph":"X")"), cuts += line.starts_with(R"({"ph":"i")");
  std::filesystem::remove(trace);
  EXPECT_EQ(bars, 200'000u);
  EXPECT_EQ(cuts, 1u);
}

TEST(Jobs, ReportsHaveASectionForEachJob) {
  const std::string folder = scratch_file("jobs_report");
  ASSERT_EQ(run("simulate " + example("two_jobs_fat_tree.toml") + " --report " + folder).code, 0);
  const std::string page = contents(folder + "/index.html");
  for (const char* part : {"<h2>Job: vision</h2>", "<h2>Job: language</h2>", "<svg", "uplinks of edge"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  EXPECT_EQ(Json::parse(contents(folder + "/results.json"))["jobs"].size(), 2u);
  std::filesystem::remove_all(folder);
}

// Collectives and jobs of one file: first the ones, then the others.
TEST(Jobs, StandBesideCollectives) {
  const std::string file = scratch_file("both.toml");
  std::ofstream(file)
      << "[fabric]\nname = \"switch\"\nnodes = 4\n[[collective]]\nkind = \"all-reduce\"\nbytes = \"1 MB\"\n"
         "algorithm = \"ring\"\n[[job]]\nmodel = \"alexnet\"\n";
  const Json json = simulated(file);
  EXPECT_EQ(json["results"].size(), 1u);
  EXPECT_EQ(json["jobs"][0]["name"], "job 1");
  EXPECT_NEAR(json["time_s"].get<double>(),
              json["results"][0]["time_s"].get<double>() + json["jobs"][0]["time_s"].get<double>(), 1e-12);
  const std::string text = run("simulate " + file).out;
  EXPECT_LT(text.find("collective 1: "), text.find("job 1: "));
  EXPECT_NE(text.find("\n\njob 1: "), std::string::npos);
  std::filesystem::remove(file);
}

// The files that docs/experiment-file.md shows run, and the mistake that it shows is told in its words.
TEST(Jobs, TheFilesOfTheDocumentWork) {
  const std::string page = contents(std::string(HELIO_SOURCE_DIR) + "/docs/experiment-file.md");
  const std::string file = scratch_file("document.toml"), open = "```toml\n";
  int files = 0;
  for (std::size_t at = page.find(open); at != std::string::npos; at = page.find(open, at + 1)) {
    const std::size_t begin = at + open.size();
    std::ofstream(file) << page.substr(begin, page.find("```", begin) - begin);
    const Said said = run("simulate " + file);
    EXPECT_EQ(said.code, 0) << said.err;
    ++files;
  }
  EXPECT_EQ(files, 2);
  const Said wrong = run("simulate " + file + " --set job.language.tp=3");
  EXPECT_EQ(wrong.code, 3);
  EXPECT_NE(page.find(wrong.err), std::string::npos) << wrong.err;
  std::filesystem::remove(file);
}

TEST(Jobs, TheSameQuestionGivesTheSameBytes) {
  const std::string asked = "simulate " + example("two_jobs_fat_tree.toml") + " --json";
  EXPECT_EQ(run(asked).out, run(asked).out);
}

}  // namespace
}  // namespace helio::apps
