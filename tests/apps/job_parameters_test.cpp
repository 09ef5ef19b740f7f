// SPDX-License-Identifier: Apache-2.0
// No key of a job is decoration: for each there is a job here that it changes a number of, or that it makes impossible.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "apps/running.h"
#include "pipeline/job.h"
#include "placement/npu.h"
#include "placement/software.h"
#include "workload/zoo.h"

namespace helio::apps {
namespace {

using Json = nlohmann::json;

// A job that has the key at `value` ("": left out) and at `other`.
struct Case {
  std::string key;   // "tp", "compute.kernel_gap"
  std::string keys;  // of the [[job]], besides
  std::string value, other;
  int code = 0;  // 3, 4: `other` must be refused so
  std::string options = "";
};

const std::string kBert = "model = \"bert-large\"\n";
const std::string kDeep = kBert + "tp = 2\npp = 2\nmicro_batches = 4\n";
const std::string kStream = kBert + "execution = \"streaming\"\n";
// As busy as the device can be: the host takes no time.
const std::string kDevice =
    kBert +
    "tp = 2\nmicro_batch = 8\n[job.compute]\nforward_launch = \"0 s\"\nbackward_launch = \"0 s\"\n"
    "exchange_launch = \"0 s\"\nexchange_skew = \"0 s\"\n";
const std::string kMixture = "model = \"mixtral-8x7b\"\nzero = 3\nrecompute = \"full\"\n";
const std::string kNarrow = "npu = \"h100\"\nprecision = \"fp8\"\n" + kDevice;  // products of fewer than 16 bits
const std::string kFused = "model = \"gpt2-xl\"\ntp = 5\nnpus = 5\n";  // five heads on a rank are no multiple of four

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"model", "", "alexnet", "vgg16"},
      {"npu", kBert + "micro_batch = 8\n", "a100-80", "h100"},
      {"iterations", kBert, "", "3"},
      {"priorities", kDevice, "tp,dp", "dp,tp", 0, " --set fabric.name=switch --set 'fabric.rate=100 Gb/s'"},
      {"algorithm", kDevice, "", "usual"},
      {"bandwidth", kDevice, "strict", "demand", 0, " --set fabric.name=switch --set 'fabric.rate=100 Gb/s'"},
      {"shares", kDevice, "tp=4,dp=1", "tp=1,dp=4", 0,
       " --set job.bandwidth=weighted --set fabric.name=switch --set 'fabric.rate=100 Gb/s'"},
      {"remedy", kBert + "tp = 2\n", "block", "endpoint", 0, " --set fabric.name=switch --set fabric.reducers=1"},
      {"tp", kBert, "", "2"},
      {"pp", kBert, "", "2"},
      {"dp", kBert + "tp = 2\n", "8", "7", 3},
      {"ep", kMixture, "", "8"},
      {"cp", kBert, "", "2"},
      {"context", kDevice + "fused_attention_from = 1\n", "", "all-gather", 0, " --set job.cp=2"},
      {"etp", kMixture + "tp = 2\nsequence_parallel = true\nep = 8\n", "", "1"},
      {"npus", kBert, "", "8"},
      {"first_node", kBert + "npus = 8\n", "", "4"},  // half in another server
      {"micro_batch", kBert, "", "8"},
      {"micro_batches", kBert, "", "2"},
      {"global_batch", kBert, "", "32"},
      {"schedule", kDeep, "", "gpipe"},
      {"chunks", kDeep + "schedule = \"interleaved\"\n", "", "2"},
      {"blocking_sends", kDeep, "", "false"},
      {"scattered_sends", kDeep, "", "false"},
      {"multicast_sends", kDeep + "scattered_sends = false\n", "", "true"},
      {"uneven", kBert + "tp = 3\nnpus = 3\n", "true", "false", 4},
      {"sequence_parallel", kDeep, "", "true"},
      {"zero", kBert, "", "1"},
      {"gather_ahead", kBert + "zero = 1\n", "", "true"},
      {"zero_group", kBert + "zero = 3\n", "", "4"},
      {"recompute", kBert, "", "full"},
      {"recompute_share", kBert + "recompute = \"full\"\n", "", "0.5"},
      {"ends_count", kBert + "pp = 4\n", "", "true"},
      {"bucket", kBert, "", "100 MB"},
      {"overlap", kBert, "", "false"},
      {"clip", "model = \"alexnet\"\npp = 2\n", "", "false"},
      {"lock_step", kBert + "speed = \"3=0.5\"\n", "", "true"},  // all at the pace of the slowest
      {"execution", kBert + "io_rate = \"100 Gb/s\"\n", "", "streaming"},
      {"io_rate", kStream, "100 Gb/s", "200 Gb/s"},
      {"sample_bytes", kBert + "io_rate = \"1 Gb/s\"\n", "", "100 MB"},
      {"precision", kBert, "", "fp32"},
      {"gradient_precision", kBert, "", "fp32"},
      {"optimiser_bytes", kBert, "", "8"},
      {"rank_order", kDeep, "", "pp,dp,tp"},
      {"ranks", kBert + "npus = 8\n", "", "4-11"},
      {"speed", kBert, "", "3=0.5"},

      {"npu_parameters.peak", kDevice, "", "100"},
      {"npu_parameters.memory_bandwidth", kDevice, "", "1000 GB/s"},
      {"npu_parameters.memory", kDevice, "", "1 GB", 4},
      {"npu_parameters.power", kDevice, "", "100 W"},

      {"compute.software", kDevice, "", "megatron-26.06"},
      {"compute.matrix_efficiency", kDevice, "", "0.5"},
      {"compute.tile_fill", kDevice, "", "100"},
      {"compute.winograd", "model = \"vgg19\"\nnpu = \"v100\"\nprecision = \"fp32\"\nmicro_batch = 16\n", "", "2.25"},
      {"compute.quantised_bytes", kNarrow, "", "10"},
      {"compute.grouped_efficiency", kMixture, "", "0.1"},
      {"compute.mixture_overhead", kMixture, "", "10"},
      {"compute.score_share", kDevice + "fused_attention_from = 1\n", "", "0.5"},
      {"compute.attention_efficiency", kDevice + "fused_attention_from = 1\n", "", "0.1"},
      {"compute.fused_attention_from", kDevice, "", "1"},
      {"compute.kernel_traffic", kDevice, "", "2"},
      {"compute.loss_traffic",
       "model = \"gpt2-xl\"\nnpus = 1\nmicro_batch = 8\n[job.npu_parameters]\nmemory = \"1 PB\"\n", "", "0.1"},
      {"compute.runs_ahead", "model = \"llama-7b\"\ntp = 2\nnpus = 2\n[job.npu_parameters]\nmemory = \"1 PB\"\n", "",
       "1"},
      {"compute.experts_exposed", kMixture + "ep = 8\n[job.compute]\ndispatch_once = 1\n", "", "0.5"},
      {"compute.dispatch_once", kMixture + "ep = 2\n", "", "1"},
      {"compute.expert_launch", kMixture, "", "10 ms"},
      {"compute.pipelined", kDevice, "", "0.5"},
      {"compute.contention", kDevice, "", "1"},
      {"compute.memory_efficiency", kDevice, "", "0.5"},
      {"compute.kernel_gap", kDevice, "", "10 us"},
      {"compute.backward_traffic", kDevice, "", "2"},
      {"compute.accumulated_elements", kDevice, "", "0"},
      {"compute.forward_launch", kBert, "", "1 ms"},
      {"compute.backward_launch", kBert, "", "1 ms"},
      {"compute.exchange_launch", kBert + "tp = 2\n", "", "1 ms"},
      {"compute.exchange_skew", kBert + "tp = 2\n", "", "1 ms"},
      {"compute.fused_batch", kFused, "", "0"},
      {"compute.unfused_kernels", kFused, "", "20"},
      {"compute.unfused_traffic", kFused + "micro_batch = 7\n", "", "50"},
      {"compute.optimiser_traffic", kBert, "", "100"},
      {"compute.transfer_launch", kDeep, "", "1 ms"},
      {"compute.utilisation", kBert, "", "0.5"},
  };
  return all;
}

class JobParameters : public testing::Test {
 protected:
  ~JobParameters() override { std::filesystem::remove(file_); }

  Said simulated(const Case& asked, const std::string& value) {
    std::ofstream(file_) << "[fabric]\nname = \"cluster\"\nnodes = 16\n[[job]]\n" << asked.keys;
    return run("simulate " + file_ + " --json" + asked.options +
               (value.empty() ? "" : " --set 'job." + asked.key + "=" + value + "'"));
  }
  // Everything but what was put in and what is said in words.
  Json numbers(const Case& asked, const std::string& value) {
    const Said said = simulated(asked, value);
    EXPECT_EQ(said.code, 0) << asked.key << "\n" << said.err;
    if (said.code != 0) return {};
    Json job = Json::parse(said.out)["jobs"][0];
    for (const char* words : {"configuration", "model", "npu", "critical_path", "algorithms", "iterations", "npus"})
      job.erase(words);
    return job;
  }

  const std::string file_ = scratch_file("job_parameters.toml");
};

TEST_F(JobParameters, EachOneMatters) {
  for (const Case& asked : cases()) {
    SCOPED_TRACE(asked.key);
    const Json first = numbers(asked, asked.value);
    if (asked.code != 0)
      EXPECT_EQ(simulated(asked, asked.other).code, asked.code);
    else
      EXPECT_NE(first, numbers(asked, asked.other));
  }
}

TEST_F(JobParameters, NoneIsMissingHere) {
  std::set<std::string> visited = {"name"};  // what the result is called: no number
  for (const Case& asked : cases()) visited.insert(asked.key);
  std::set<std::string> declared;
  for (const Parameter& parameter : pipeline::job_parameters()) declared.insert(parameter.name);
  for (const Parameter& parameter : placement::software_parameters(placement::all_software().front()))
    declared.insert("compute." + parameter.name);
  for (const auto& entry : placement::npus().entries())
    for (const Parameter& parameter : entry.description.parameters) declared.insert("npu_parameters." + parameter.name);
  EXPECT_EQ(visited, declared);
}

// Models say themselves which other value to try; a count of one NPU shows it in memory and in operations.
TEST_F(JobParameters, EachOneOfAModelMatters) {
  for (const auto& entry : workload::models().entries())
    for (const Parameter& parameter : entry.description.parameters) {
      SCOPED_TRACE(entry.description.name + ", " + parameter.name);
      // Some matter only beside others, which their situation names
      std::string beside = parameter.matters.question;
      std::ranges::replace(beside, ' ', '\n');
      if (!beside.empty()) beside = "[job.model_parameters]\n" + beside + "\n";
      const Case asked{
          "model_parameters." + parameter.name,
          "model = \"" + entry.description.name + "\"\nnpus = 1\n[job.npu_parameters]\nmemory = \"1 PB\"\n" + beside,
          "", parameter.matters.other};
      ASSERT_FALSE(asked.other.empty());
      EXPECT_NE(numbers(asked, ""), numbers(asked, asked.other));
    }
}

}  // namespace
}  // namespace helio::apps
