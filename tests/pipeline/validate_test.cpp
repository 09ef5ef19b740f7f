// SPDX-License-Identifier: Apache-2.0
#include "pipeline/validate.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "pipeline/iteration.h"

namespace helio::pipeline {
namespace {

// The formula of docs/fabric.md for a ring of 8: launch 10 us and 14 steps. 8 bytes: each step is LL's 0.82 us, so 21.48 us. 1 GiB: Simple,
// 25.3 us once, 5.7 us and 128 MiB at 230.4 GB/s a step, and 0.44 of that once more.
TEST(Validate, AllReduceOfOneServer) {
  const Validation v = validate("size_B,time_us\n8,20\n1073741824,8244.5\n", "x.csv");
  ASSERT_EQ(v.rows.size(), 2u);
  EXPECT_NEAR(v.rows[0].predicted_s, 21.48e-6, 0.01e-6);
  EXPECT_NEAR(v.rows[1].predicted_s, 35.3e-6 + 14 * 5.7e-6 + 14.44 * 134217728 / 230.4e9, 1e-6);
  EXPECT_NEAR(v.rows[0].error_percent(), 7.4, 0.1);
  EXPECT_EQ(v.worst(1)[0].line, 2u);
}

const std::string kColumns =
    "# GPUs,global batch,micro batch,hidden size,attention heads,# layers,sequence length,tensor parallelism,data "
    "parallelism,"
    "pipeline parallelism,iteration time (ms)\n";

// Twice the layers and micro-batches take about twice as long, and both files of columns are recognised in any order.
TEST(Validate, Iterations) {
  const Validation v =
      validate(kColumns + "8,8,1,1024,16,12,1024,8,1,1,500\n8,16,1,1024,16,24,1024,8,1,1,2000\n", "x.csv");
  ASSERT_EQ(v.rows.size(), 2u);
  EXPECT_EQ(v.kind, "training iterations");
  EXPECT_NEAR(v.rows[1].predicted_s / v.rows[0].predicted_s, 4, 0.2);
}

// A mark of the editor, a column of words, and a row that cannot be (tp 3 of 16 heads): said, and the others go on.
TEST(Validate, OneBadRowDoesNotEndTheFile) {
  std::string columns = kColumns;
  columns.insert(columns.size() - 1, ",remark");
  const Validation v =
      validate("\xef\xbb\xbf" + columns + "3,8,1,1024,16,12,1024,3,1,1,500,no\n8,16,1,1024,16,24,1024,8,1,1,2000,yes\n",
               "x.csv");
  EXPECT_EQ(v.rows.size(), 1u);
  ASSERT_EQ(v.refused.size(), 1u);
  EXPECT_EQ(v.refused[0].line, 2u);
}

void expect_refused(const std::string& text, const std::string& place) {
  try {
    validate(text, "x.csv");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_EQ(error.place(), place) << error.message();
  }
}

TEST(Validate, WrongFilesAreRefusedWhereTheyAreWrong) {
  expect_refused("", "x.csv");
  expect_refused("size_B,time_us\n", "x.csv");
  expect_refused("a,b\n1,2\n", "x.csv:1:1");
  expect_refused("size_B,time_us\n8,x\n", "x.csv:2:3");
  expect_refused("size_B,time_us\n8\n", "x.csv:2:1");
  expect_refused("size_B,time_us\n8,0\n", "x.csv:2:3");
  expect_refused("size_B,time_us\n8.5,1\n", "x.csv:2:1");
  expect_refused(kColumns + "8,8,1,1024,16,12,1024,4,1,1,500\n", "x.csv:2:1");  // 4 x 1 x 1 is not 8
  expect_refused("size_B,time_us,size_B\n8,20,16\n", "x.csv:1:16");             // which of the two?
  expect_refused("size_B,time_us\n8,20\n8,x\n", "x.csv:3:3");
}

// Cut after any byte, a file says what its whole lines say, or is refused: never another number.
TEST(Validate, ACutFileIsNoticed) {
  const std::string whole = "size_B,time_us\n8,20.5\n1024,120\n";
  const Validation all = validate(whole, "x.csv");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const bool lines = length > 0 && whole[length - 1] == '\n' && whole.find('\n') + 1 < length;
    if (!lines) {
      EXPECT_THROW(validate(whole.substr(0, length), "x.csv"), Error) << length;
      continue;
    }
    const Validation some = validate(whole.substr(0, length), "x.csv");
    ASSERT_EQ(some.rows.size(), 1u);
    EXPECT_EQ(some.rows[0].measured_s, all.rows[0].measured_s);
  }
}

// Comments may stand anywhere, also above "# GPUs", which is a name.
TEST(Validate, CommentsAreAllowed) {
  const Validation v = validate("# from a friend, 2025\nsize_B,time_us\n# small\n8,20\n", "x.csv");
  ASSERT_EQ(v.rows.size(), 1u);
  EXPECT_EQ(v.rows[0].line, 4u);
  EXPECT_EQ(validate("# one, two\n" + kColumns + "8,8,1,1024,16,12,1024,8,1,1,500\n", "x.csv").rows.size(), 1u);
}

// Errors of +10, -20, +30 and -40 %: mean 25, median between 20 and 30, nine in ten are below 40, bias -5.
TEST(Validate, ErrorsOfSomeRows) {
  std::vector<ComparedRow> rows(4);
  const double predicted[] = {1.1, 0.8, 1.3, 0.6};
  std::vector<const ComparedRow*> all;
  for (int i = 0; i < 4; ++i) {
    rows[i].measured_s = 1;
    rows[i].predicted_s = predicted[i];
    all.push_back(&rows[i]);
  }
  const Errors errors = errors_of("some", all);
  EXPECT_NEAR(errors.mean, 25, 1e-9);
  EXPECT_NEAR(errors.median, 25, 1e-9);
  EXPECT_NEAR(errors.p90, 40, 1e-9);
  EXPECT_NEAR(errors.bias, -5, 1e-9);
}

Validation where(const std::vector<std::string>& conditions) {
  Assertions assertions;
  for (const std::string& condition : conditions) assertions.where.push_back({condition, "--where"});
  return validate(
      "gpu,collective,gpus,bytes,time_s\nA100,all-reduce,8,1024,20e-6\nA100,all-gather,4,4194304,60e-6\nZ9,all-reduce,"
      "8,8,1\n",
      "x.csv", assertions);
}

// A GPU that nobody knows is refused by name; conditions on one column are alternatives, on several all hold, and words have no case.
TEST(Validate, RowsAreChosenAndRefused) {
  const Validation all = where({});
  EXPECT_EQ(all.rows.size(), 2u);
  ASSERT_EQ(all.refused.size(), 1u);
  EXPECT_NE(all.refused[0].reason.find("Z9"), std::string::npos);
  EXPECT_EQ(where({"gpu=a100"}).left_out, 1u);
  EXPECT_EQ(where({"gpu=a100", "bytes>=1e6"}).rows.size(), 1u);
  EXPECT_EQ(where({"bytes=1024", "bytes=4194304"}).rows.size(), 2u);
  EXPECT_EQ(where({"gpu!=z9", "gpus<=4"}).rows.size(), 1u);
  for (const char* wrong : {"gpu", "gpv=A100", "gpu>=x", "bytes>=1e30"}) EXPECT_THROW(where({wrong}), Error) << wrong;
}

// What is set holds for every row: launch 10 us of the 21.48 us above becomes 14.5.
TEST(Validate, SettingsHoldForEveryRow) {
  Assertions assertions;
  assertions.set = {{"fabric.launch", {"14.5 us", "--set"}}};
  EXPECT_NEAR(validate("size_B,time_us\n8,20\n", "x.csv", assertions).rows[0].predicted_s, 25.98e-6, 0.01e-6);
}

// The GPU of a row brings its links: of 256 MiB on 8 H100 the switch adds halves (tests/fabric/electrical/cluster_test.cpp), and a ring adds
// integers: 5.5 us, Simple's 25.5 us once, 14 steps of 0.6 + 1.2 us and 32 MiB at 0.807 * 450 GB/s, and 0.43 of that.
TEST(Validate, AGpuBringsItsCluster) {
  const Validation v = validate(
      "gpu,collective,gpus,bytes,time_s,dtype\nH100,all-reduce,8,268435456,1e-3,half\nH100,all-reduce,8,268435456,1e-3,"
      "int8\n",
      "x.csv");
  EXPECT_NEAR(v.rows[0].predicted_s, 68.5e-6 + 268435456 / 262e9, 1e-8);
  EXPECT_NEAR(v.rows[1].predicted_s, 31e-6 + 14 * 1.8e-6 + 14.43 * 33554432 / 363.15e9, 1e-8);
}

// 16 GiB on two servers of 8 H100 with 400 GB/s of NICs each: trees between servers take 17.2 GB at 380 GB/s, 45 ms, beside the switches'
// sums at 262 GB/s, 65.6 ms, which so set the pace but for the first and the last of 32 pieces. Without sums (integers) two rings inside
// take 2 * 7/8 of the vector at 363 GB/s, 82.8 ms, and the parts that are copied.
TEST(Validate, SwitchesAddUpBetweenTwoServers) {
  const Validation v = validate(
      "gpu,system,collective,gpus,bytes,time_s,nodes,nics_per_node,nic_gbps,dtype\n"
      "H100,2x p5.48xlarge,all-reduce,16,17179869184,66e-3,2,32,100,half\n"
      "H100,2x p5.48xlarge,all-reduce,16,17179869184,66e-3,2,32,100,int8\n",
      "x.csv");
  EXPECT_GT(v.rows[0].predicted_s, 65.57e-3);
  EXPECT_LT(v.rows[0].predicted_s, 65.57e-3 * 33 / 32 + 1e-3);
  EXPECT_GT(v.rows[1].predicted_s, 82.8e-3);
}

// Low-latency combine of 128 tokens of 1,000 elements in two bytes to 2 of 8 experts: 512,000 B at 257 GB/s after 10.6 us and 4.15 ns for
// each expert (expert_exchange.cpp). Normal kernels say how many multiprocessors they have.
TEST(Validate, ExchangesOfExperts) {
  const Validation v = validate(
      "gpu,mode,phase,nodes,gpus,tokens,hidden,topk,experts,sms,time_s\nH100,low-latency,combine,1,8,128,1000,2,8,,13e-"
      "6\n"
      "H100,normal,combine,1,8,128,1000,2,8,,13e-6\nA100,low-latency,combine,1,8,128,1000,2,8,,13e-6\n",
      "x.csv");
  ASSERT_EQ(v.rows.size(), 1u);
  EXPECT_NEAR(v.rows[0].predicted_s, 10.6e-6 + 8 * 4.15e-9 + 512e3 / 257e9, 1e-9);
  ASSERT_EQ(v.refused.size(), 2u);
  EXPECT_EQ(v.refused[0].reason, "'sms' is not said");
}

// Two stages of 64 micro-batches each: what 8 and 16 tell is what all of them take. A step of 16 is simulated whole.
TEST(Validate, LongStepsAreToldByShorterOnes) {
  const std::string text =
      "model,layers,hidden,heads,kv_heads,ffn,vocab,seq,gpu,gpus,tp,pp,zero,global_batch,micro_batch,precision,step_s,"
      "source\n"
      "m,8,1024,8,8,4096,32000,1024,H100,8,2,2,1,128,1,bf16,1,NVIDIA-NeMo/Megatron-Bridge 26.04\n"
      "m,8,1024,8,8,4096,32000,1024,H100,8,2,2,1,32,1,bf16,1,NVIDIA-NeMo/Megatron-Bridge 26.04\n";
  const ReadRows rows(text, "x.csv", {});
  for (const std::size_t i : {0u, 1u}) {
    const ComparedRow told = predict(rows, i, {}, {});
    const double whole = run_jobs(experiment_of(rows, i, {})).front().time_s;
    EXPECT_NEAR(told.predicted_s, whole, (i == 0 ? 1e-3 : 1e-12) * whole);
    EXPECT_EQ(told.reason.find("16 of 64 micro-batches") != std::string::npos, i == 0) << told.reason;
  }
}

// Made-up steps of Llama 3.1 8B, 16 samples of 8192 tokens on 8 chips. 6 · 8.03e9 · 131,072 operations take 0.8 s at the bf16 peak of 8 H100
// (989.5e12 each) and no less; half of that in fp8. A row below it cannot be bf16; a chip that nobody knows, and software that nobody knows,
// are refused by name.
TEST(Validate, StepsOfTrainingArePredictedOrRefused) {
  const std::string header =
      "model,layers,hidden,heads,kv_heads,ffn,vocab,seq,gpu,gpus,tp,pp,zero,global_batch,micro_batch,precision,step_s,"
      "source,active_params\n";
  const auto row = [](const std::string& gpu, const std::string& precision, const std::string& seconds,
                      const std::string& source) {
    return "llama3.1-8b,32,4096,32,8,14336,128256,8192," + gpu + ",8,1,1,1,16,1," + precision + "," + seconds + "," +
           source + ",8030000000\n";
  };
  const std::string bridge = "NVIDIA-NeMo/Megatron-Bridge 26.04";
  const Validation all = validate(header + row("H100", "bf16", "1.5", bridge) + row("H100", "fp8", "1.2", bridge) +
                                      row("H100", "bf16", "0.5", bridge) + row("Z9", "bf16", "1", bridge) +
                                      row("H100", "bf16", "1.5", "own script"),
                                  "x.csv");
  ASSERT_EQ(all.rows.size(), 2u);
  const double least = 6 * 8.03e9 * 131072 / (8 * 989.5e12);
  EXPECT_GT(all.rows[0].predicted_s, least);
  EXPECT_LT(all.rows[0].predicted_s, 3 * least);
  EXPECT_LT(all.rows[1].predicted_s, all.rows[0].predicted_s);
  EXPECT_GT(all.rows[1].predicted_s, all.rows[0].predicted_s / 2);  // only products are faster
  ASSERT_EQ(all.refused.size(), 3u);
  EXPECT_NE(all.refused[0].reason.find("peak"), std::string::npos);
  EXPECT_NE(all.refused[1].reason.find("Z9"), std::string::npos);
  EXPECT_NE(all.refused[2].reason.find("own script"), std::string::npos);
}

}  // namespace
}  // namespace helio::pipeline
