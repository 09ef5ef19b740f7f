// SPDX-License-Identifier: Apache-2.0
// `helio list` and `helio describe` for the parts of a job.
#include <gtest/gtest.h>

#include "apps/refused.h"
#include "apps/running.h"
#include "pipeline/job.h"
#include "placement/npu.h"
#include "placement/software.h"
#include "source_dir.h"
#include "workload/zoo.h"

namespace helio::apps {
namespace {

void expect_said(const std::string& arguments, const std::vector<std::string>& words) {
  const Said said = run(arguments, HELIO_SOURCE_DIR);
  EXPECT_EQ(said.code, 0) << arguments << "\n" << said.err;
  for (const std::string& word : words)
    EXPECT_NE(said.out.find(word), std::string::npos) << arguments << ": no '" << word << "' in\n" << said.out;
}

TEST(JobText, EveryModelAndNpuIsListedAndDescribed) {
  expect_said("list models", workload::models().names());
  expect_said("list npus", placement::npus().names());
  expect_said("list", {"models\n", "npus\n", "gpt3-175b", "a100-80"});
  for (const std::string& name : workload::models().names())
    expect_said("describe " + name, {"model " + name + "\n", "  parameters: ", "reference: ", "forward GFLOP"});
  for (const std::string& name : placement::npus().names())
    expect_said("describe " + name, {"npu " + name + "\n", "TFLOP/s", "GiB at ", "reference: "});
}

// 96 blocks of 12 h² + 13 h parameters with h = 12288; forward 24 s h² + 4 s² h each with s = 2048, in GFLOP.
TEST(JobText, AModelIsToldLayerByLayer) {
  expect_said("describe gpt3-175b", {"GPT-3 175B", "174,604,259,328", "sequence of 2048 tokens", "1,812,099,072",
                                     "7627.86", "25,165,824", "job.model_parameters.sequence"});
}

TEST(JobText, AModelFileIsDescribedLikeAModel) {
  expect_said("describe examples/models/llama-7b/config.json", {"6,738,415,616", "family llama"});
  expect_refused("describe no/such.json", 3, {"no/such.json"});
}

TEST(JobText, AnNpuIsToldByItsDataSheet) {
  expect_said("describe a100-80",
              {"bf16 312", "80 GiB at 2039 GB/s", "400 W", "NVIDIA A100 data sheet", "job.npu_parameters.peak"});
}

TEST(JobText, EveryKeyOfAJobIsTold) {
  std::vector<std::string> keys;
  for (const Parameter& parameter : pipeline::job_parameters()) keys.push_back("  job." + parameter.name + " ");
  for (const Parameter& parameter : placement::software_parameters(placement::all_software().front()))
    keys.push_back("  job.compute." + parameter.name + " ");
  expect_said("describe job", keys);
}

TEST(JobText, TheDocumentHasEveryKeyOfAJob) {
  const std::string page = contents(std::string(HELIO_SOURCE_DIR) + "/docs/experiment-file.md");
  for (const Parameter& parameter : pipeline::job_parameters())
    EXPECT_NE(page.find("\n| `" + parameter.name + "` | "), std::string::npos) << parameter.name;
}

TEST(JobText, UnknownNamesGetTheNearest) {
  expect_refused("describe gpt3-175", 3, {"'gpt3-175b'"});
  expect_refused("describe a100-81", 3, {"'a100-80'"});
  expect_refused("list npu", 3, {"'npus'"});
}

}  // namespace
}  // namespace helio::apps
