// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "plan/small_plan.h"

namespace helio::plan {
namespace {

TEST(PlanModelThreads, TheSameAnswerByAnyNumberOfThreads) {
  PlanQuestion question = asking({"switch", "ring", "torus"}, 8, 16);
  question.most_runs = 12;
  question.threads = 1;
  const pipeline::ModelPlan alone = plan_model(question, {});
  question.threads = 3;
  const pipeline::ModelPlan together = plan_model(question, {});
  ASSERT_EQ(alone.runs.size(), together.runs.size());
  EXPECT_EQ(alone.gap, together.gap);
  for (std::size_t i = 0; i < alone.runs.size(); ++i) {
    EXPECT_EQ(alone.runs[i].candidate.strategy, together.runs[i].candidate.strategy);
    EXPECT_EQ(alone.runs[i].candidate.time_s, together.runs[i].candidate.time_s);
  }
}

}  // namespace
}  // namespace helio::plan
