// SPDX-License-Identifier: Apache-2.0
#include "pipeline/measured/fit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "pipeline/measured/expert_exchange.h"
#include "pipeline/measured/simplex.h"

namespace helio::pipeline {
namespace {

// A bowl whose lowest point is (1, -2, 3), narrow in one direction.
TEST(Simplex, FindsTheBottomOfABowl) {
  const auto height = [](const std::vector<double>& x) {
    return std::pow(x[0] - 1, 2) + 50 * std::pow(x[1] + 2, 2) + std::pow(x[2] - 3, 2);
  };
  const std::vector<double> found = lowest_point(height, {0, 0, 0}, 0.5, 600);
  EXPECT_NEAR(found[0], 1, 1e-3);
  EXPECT_NEAR(found[1], -2, 1e-3);
  EXPECT_NEAR(found[2], 3, 1e-3);
  EXPECT_EQ(lowest_point(height, {0, 0, 0}, 0.5, 1), (std::vector<double>{0, 0, 0}));  // never worse than the start
}

// A ring of n A100 in LL takes launch + 2 (n - 1) 0.82 us for 8 bytes. Measured with a launch of 20 us, that is what is found, also where one
// number of GPUs was left out.
TEST(Fit, FindsTheLaunchThatWasMeasured) {
  std::string text = "gpu,collective,gpus,bytes,time_s\n";
  for (const int n : {2, 4, 8}) text += fmt::format("A100,all-reduce,{},8,{}\n", n, 20e-6 + 2 * (n - 1) * 0.82e-6);
  FitOptions wanted;
  wanted.constants = {"fabric.launch"};
  wanted.evaluations = 60;
  const Fit found = fit(text, "x.csv", wanted);
  ASSERT_EQ(found.constants.size(), 1u);
  EXPECT_EQ(found.constants[0].before, "10 us");
  EXPECT_NEAR(std::stod(found.constants[0].after), 20, 0.2);
  EXPECT_LT(found.after.mean, 1);
  EXPECT_EQ(found.left_out, "gpus");
  EXPECT_EQ(found.unseen.size(), 3u);
  EXPECT_LT(found.unseen_together.mean, 1);
}

TEST(Fit, WhatCannotBeFittedIsSaid) {
  const std::string text = "size_B,time_us\n8,20\n16,20\n";
  const auto error_of = [&](const FitOptions& wanted) { EXPECT_THROW(fit(text, "x.csv", wanted), Error); };
  error_of({.constants = {"fabric.nodes"}});                       // a count
  error_of({.constants = {"fabric.lunch"}});                       // unknown
  error_of({.constants = {"job.compute.matrix_efficiency"}});      // there is no job
  error_of({.constants = {"fabric.launch"}, .left_out = "gpus"});  // no such column
}

// Constants are of one NPU.
TEST(Fit, RowsOfSeveralNpusAreRefused) {
  FitOptions wanted;
  wanted.constants = {"fabric.launch"};
  const std::string text = "gpu,collective,gpus,bytes,time_s\nA100,all-reduce,8,8,1e-5\nH100,all-reduce,8,8,1e-5\n";
  EXPECT_THROW(fit(text, "x.csv", wanted), Error);
}

// Two of eight experts on eight GPUs: 8 (1 - C(7,2) / C(8,2)) = 8 (1 - 21/28) = 2. Six of eight on two, four each: both.
TEST(ExpertExchange, CopiesOfAToken) {
  EXPECT_NEAR(copies_of_token(8, 8, 2), 2, 1e-12);
  EXPECT_NEAR(copies_of_token(2, 8, 6), 2, 1e-12);
}

// Between two servers of 8 H100 low-latency sends half of its copies over NICs, at 46.1 GB/s, whatever ports do.
TEST(ExpertExchange, NicsDecideBetweenServers) {
  const ExpertShape shape{.gpus = 16, .servers = 2, .tokens = 128, .hidden = 7168, .topk = 8};
  const auto kernel = expert_kernel("h100", ExpertMode::kLowLatency, ExpertPhase::kCombine, shape);
  ASSERT_TRUE(kernel);
  EXPECT_NEAR(kernel->bytes.value, 128 * 8 * 7168 * 2, 1e-6);
  EXPECT_NEAR(kernel->network.value, 8 * 46.1e9, 1);
  EXPECT_FALSE(expert_kernel("a100-80", ExpertMode::kLowLatency, ExpertPhase::kCombine, shape));
}

// Steps of training name a software, whose constants are the start; what products reach is 0 there, the NPU's own, and starts at 0.64. Measured
// as predicted with 0.5 in its place: found again.
TEST(Fit, FindsWhatProductsReachInStepsOfTraining) {
  const std::string columns =
      "model,layers,hidden,heads,kv_heads,ffn,vocab,seq,gpu,gpus,tp,pp,global_batch,micro_batch,precision,source,step_"
      "s\n";
  const std::string rows[] = {"llama,32,4096,32,8,14336,128256,8192,H100,8,1,1,8,1,bf16,Megatron-Bridge 26.04,",
                              "llama,16,4096,32,8,14336,128256,8192,H100,8,1,1,16,2,bf16,Megatron-Bridge 26.04,"};
  Assertions half;
  half.set.emplace_back("job.compute.matrix_efficiency", Setting{"0.5", "test"});
  std::string text = columns, measured = columns;
  for (const std::string& row : rows) text += row + "1\n";
  const Validation with_half = validate(text, "x.csv", half);
  ASSERT_EQ(with_half.rows.size(), 2u);
  for (int i = 0; i < 2; ++i) measured += rows[i] + fmt::format("{}\n", with_half.rows[i].predicted_s);
  FitOptions wanted;
  wanted.constants = {"job.compute.matrix_efficiency"};
  wanted.left_out = "layers";
  wanted.evaluations = 40;
  const Fit found = fit(measured, "x.csv", wanted);
  ASSERT_EQ(found.constants.size(), 1u);
  EXPECT_EQ(found.constants[0].before, "0.64");
  EXPECT_NEAR(std::stod(found.constants[0].after), 0.5, 0.01);
}

}  // namespace
}  // namespace helio::pipeline
