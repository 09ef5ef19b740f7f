// SPDX-License-Identifier: Apache-2.0
// Jobs that cannot be: each one line with its place, and the documented exit code.
#include <gtest/gtest.h>

#include "apps/refused.h"
#include "apps/running.h"

namespace helio::apps {
namespace {

// A file whose [[job]] begins in line 4 and has `keys` from line 6 on.
class BadJob : public testing::Test {
 protected:
  ~BadJob() override { std::filesystem::remove(file_), std::filesystem::remove(model_); }

  void expect(const std::string& keys, int code, const std::string& where, std::vector<std::string> words,
              const std::string& options = "") {
    std::ofstream(file_) << "[fabric]\nname = \"cluster\"\nnodes = 16\n[[job]]\nname = \"a\"\n" << keys;
    words.push_back("(" + (where.starts_with(":") ? file_ + where : where) + ")");
    expect_refused("simulate " + file_ + " " + options, code, words);
  }
  // With a model of its own, as a config.json of that text.
  void expect_config(const std::string& text, std::vector<std::string> words) {
    std::ofstream(model_) << text;
    expect("model = \"" + model_ + "\"\n", 3, model_, std::move(words));
  }

  const std::string llama_ = "model = \"llama-7b\"\n";
  std::string file_ = scratch_file("bad_job.toml"), model_ = scratch_file("config.json");
};

TEST_F(BadJob, DegreesMustMultiplyToTheNpus) {
  expect(llama_ + "tp = 4\npp = 2\ndp = 3\n", 3, ":9:1", {"tp 4 x pp 2 x dp 3 = 24 NPUs, but the job has 16"});
  expect(llama_ + "tp = 3\n", 3, ":7:1", {"tp 3", "16"});
  expect(llama_ + "npus = 8\ndp = 16\n", 3, ":8:1", {"= 16 NPUs, but the job has 8"});
  expect(llama_ + "npus = 16\nfirst_node = 1\n", 3, ":8:1", {"16 NPUs from node 1 on do not fit on 16 nodes"});
  expect("model = \"mixtral-8x7b\"\nep = 3\n", 3, ":7:1", {"ep 3 does not divide dp 16"});
}

// 6.74 G parameters of 16 bytes are 108 GB, and 32 blocks of activations; an A100 has 80 GiB = 85.9 GB.
TEST_F(BadJob, AModelMustFit) {
  expect(llama_, 4, ":4:1", {"LLaMA-7B does not fit", "parameters 13.48 GB", "optimiser 80.86 GB", "85.9 GB", "zero"});
}

TEST_F(BadJob, AModelMustBeDivisible) {
  expect("model = \"llama-7b\"\ntp = 16\nzero = 3\n", 4, ":4:1", {"does not fit"},
         "--set 'job.npu_parameters.memory=1 GB'");
  expect("model = \"gpt2-xl\"\ntp = 2\n", 4, ":4:1", {"tp 2 does not divide the 25 attention heads"});
  expect("model = \"alexnet\"\npp = 16\n", 4, ":4:1", {"layers, not enough for 16"});
  expect(llama_ + "ep = 2\n", 4, ":4:1", {"no experts"});
}

TEST_F(BadJob, NamesMustBeKnown) {
  expect("model = \"lama-7b\"\n", 3, ":6:1", {"unknown model 'lama-7b'", "'llama-7b'"});
  expect(llama_ + "npu = \"a100-8\"\n", 3, ":7:1", {"unknown npu 'a100-8'", "'a100-80'"});
  expect(llama_ + "zerro = 3\n", 3, ":7:1", {"'zerro'", "'zero'"});
  expect(llama_ + "[job.algoritm]\ndp = \"ring\"\n", 3, ":7:6", {"'algorithm'"});
  expect(llama_ + "zero = 3\n[job.algorithm]\ndp = \"rign\"\n", 3, ":9:1", {"'ring'"});
  expect(llama_ + "zero = 3\n[job.algorithm]\ndq = \"ring\"\n", 3, ":9:1", {"class of traffic 'dq'", "'dp'"});
  expect(llama_ + "zero = 3\n[job.compute]\nkernel_gab = \"1 us\"\n", 3, ":9:1", {"compute model", "'kernel_gap'"});
  expect(llama_ + "zero = 3\n[job.npu_parameters]\npeek = 300\n", 3, ":9:1", {"'peak'"});
  expect(llama_ + "zero = 3\n[job.model_parameters]\nsequense = 512\n", 3, ":9:1", {"'sequence'"});
  expect(llama_ + "zero = 3\npriorities = [\"tp\", \"up\"]\n", 3, ":8:1", {"class of traffic 'up'"});
  expect(llama_, 3, "--set job.zerro", {"'zero'"}, "--set job.zerro=3");
  expect(llama_, 3, "--set zero", {"'job.zero'"}, "--set zero=3");
  expect(llama_, 3, "--set job.b.zero", {"unknown job 'b'"}, "--set job.b.zero=3");
}

TEST_F(BadJob, ValuesMustBeLegal) {
  expect("dp = 16\n", 3, ":4:1", {"needs a value for 'model'"});
  expect(llama_ + "zero = 4\n", 3, ":7:1", {"'zero'", "maximum 3"});
  expect(llama_ + "zero = 3\nmicro_batch = 0\n", 3, ":8:1", {"'micro_batch'"});
  expect(llama_ + "zero = 3\niterations = 0\n", 3, ":8:1", {"'iterations'"});
  expect(llama_ + "global_batch = 24\nzero = 3\n", 3, ":7:1", {"global_batch 24", "16 replicas"});
  expect(llama_ + "rank_order = \"tp,pp\"\nzero = 3\n", 3, ":7:1", {"each of tp, dp and pp once"});
  expect(llama_ + "ranks = [\"0-14\", 14]\nzero = 3\n", 3, ":7:1", {"node 14 stands twice"});
  expect(llama_ + "ranks = \"0-16\"\nzero = 3\n", 3, ":7:1", {"no node 16", "0 to 15"});
  expect(llama_ + "speed = \"0=2\"\nzero = 3\n", 3, ":7:1", {"speed of 2"});
  expect(llama_ + "precision = \"fp8\"\nzero = 3\n", 4, ":4:1", {"a100-80 has no fp8"});
  expect(llama_ + "zero = 3\n", 4, "--set engine", {"our own engine"}, "--set engine=simgrid");
}

TEST_F(BadJob, WhatContradictsItselfIsRefused) {
  const std::string streaming = llama_ + "execution = \"streaming\"\n";
  expect(streaming, 3, ":7:1", {"io_rate is not set"});
  expect(streaming + "io_rate = \"1 Tb/s\"\nzero = 1\n", 3, ":9:1", {"streaming", "zero has no meaning"});
  expect(streaming + "io_rate = \"1 Tb/s\"\nschedule = \"interleaved\"\nchunks = 2\n", 3, ":10:1",
         {"chunks have no meaning"});
  expect(llama_ + "sample_bytes = \"1 MB\"\nzero = 3\n", 3, ":7:1", {"io_rate is not set"});
  expect(llama_ + "pp = 2\nchunks = 2\n", 3, ":8:1", {"interleaved"});
  expect(llama_ + "pp = 4\nschedule = \"interleaved\"\nchunks = 2\nmicro_batches = 6\n", 3, ":8:1",
         {"turns of pp = 4"});
}

TEST_F(BadJob, JobsHaveNodesAndNamesOfTheirOwn) {
  const std::string alexnet = "model = \"alexnet\"\n";
  expect(alexnet + "npus = 8\n[[job]]\nname = \"b\"\n" + alexnet + "npus = 8\nfirst_node = 7\n", 3, ":8:1",
         {"node 7 serves both 'a' and 'b'", "first_node"});
  expect(alexnet + "npus = 1\n[[job]]\nname = \"b\"\n" + alexnet + "npus = 1\n", 3, ":8:1", {"node 0 serves both"});
  expect(alexnet + "npus = 8\n[[job]]\nname = \"a\"\n" + alexnet + "npus = 8\nfirst_node = 8\n", 3, ":8:1",
         {"are called 'a'"});
}

TEST_F(BadJob, ConfigsMustBeOfAKnownFamilyAndComplete) {
  const std::string rest =
      R"("hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 100, "max_position_embeddings": 32)";
  expect_config(R"({"model_type": "mamba", )" + rest + "}", {"'mamba'", "llama"});
  expect_config("{" + rest + "}", {"'model_type' is missing"});
  expect_config(R"({"model_type": "llama", )" + rest + "}", {"'intermediate_size' is missing"});
  std::ofstream(model_) << "{\n  \"model_type\": \"llama\",\n  \"hidden_size\": \n}";
  expect("model = \"" + model_ + "\"\n", 3, model_ + ":4:1", {"not a JSON file"});
  expect("model = \"no/such/config.json\"\n", 3, ":6:1", {"cannot read the model file 'no/such/config.json'"});
}

TEST_F(BadJob, TheFileMustHaveItsShape) {
  std::ofstream(file_) << "[fabric]\nname = \"ring\"\nnodes = 8\n[job]\nmodel = \"alexnet\"\n";
  expect_refused("simulate " + file_, 3, {"[[job]]", file_ + ":4:"});
}

}  // namespace
}  // namespace helio::apps
