// SPDX-License-Identifier: Apache-2.0
// The files of measurements that docs/fidelity.md is about, where they stand beside the repository: what is predicted of them gets no worse.
// They are no part of it, so without them these tests are skipped, and say so.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "pipeline/validate.h"
#include "source_dir.h"

namespace helio::pipeline {
namespace {

const std::filesystem::path kShared = std::filesystem::path(HELIO_SOURCE_DIR).parent_path() / "shared/data/measured";

// Mean errors in percent without sign: those that we want to keep to (docs/fidelity.md), a little above today's where they are not reached yet.
struct Guarded {
  const char* file;
  std::vector<std::string> where;
  double mean;
  double refused = 0.02;  // of its rows, at most
};

class SharedMeasurements : public testing::TestWithParam<Guarded> {};

TEST_P(SharedMeasurements, ArePredictedAsWellAsBefore) {
  const std::filesystem::path path = kShared / GetParam().file;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path.filename() << " is not beside the repository: not guarded";
  Assertions assertions;
  for (const std::string& condition : GetParam().where) assertions.where.push_back({condition, "--where"});
  const Validation v = validate_file(path.string(), assertions);
  EXPECT_LE(v.errors().mean, GetParam().mean);
  const auto all = static_cast<double>(v.rows.size() + v.refused.size());
  EXPECT_LE(static_cast<double>(v.refused.size()), std::max(1.0, GetParam().refused * all));
}

INSTANTIATE_TEST_SUITE_P(Files, SharedMeasurements,
                         testing::Values(Guarded{"llm_iteration_single_node.csv", {}, 5},
                                         Guarded{"llm_iteration_multi_node.csv", {}, 8},  // asked: 7; today 7.8
                                         Guarded{"nccl_allreduce_8xA100_nvlink.csv", {}, 10},
                                         Guarded{"nccl_collectives.csv", {"bytes>=1000000"}, 10},
                                         Guarded{"nccl_collectives.csv", {"bytes<=999999"}, 20},
                                         Guarded{"nccl_multi_node.csv", {"nodes>=2", "bytes>=1000000"}, 12},
                                         Guarded{"nccl_multi_node.csv", {"bytes<=999999"}, 20},
                                         Guarded{"moe_all_to_all.csv", {}, 15},
                                         Guarded{"training_steps.csv", {"experts="}, 8},
                                         Guarded{"training_steps.csv", {"experts>=1"}, 12}));

}  // namespace
}  // namespace helio::pipeline
