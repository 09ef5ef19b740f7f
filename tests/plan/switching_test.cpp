// SPDX-License-Identifier: Apache-2.0
#include "plan/switching.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <set>

#include "base/error.h"
#include "plan/dials.h"
#include "plan/map_model.h"
#include "plan/model_switching.h"
#include "plan/small_plan.h"

namespace helio::plan {
namespace {

struct Said {
  std::vector<pipeline::Switching> switching;
  std::vector<std::string> steady;
};
Said seek(double at, const StillAhead& ahead, double whole = 0) {
  Said said;
  seek_switches({.parameter = "x",
                 .at = at,
                 .whole = whole,
                 .winner = "a",
                 .rival = "b",
                 .in_words = [](double value) { return fmt::format("{:g}", value); }},
                ahead, said.switching, said.steady);
  return said;
}

// a wins between 3 and 50: from 10, both ends are found to 2 %.
TEST(Switching, FindsTheNearestChangeOnBothSides) {
  const Said said = seek(10, [](double x) { return x > 3 && x < 50; });
  ASSERT_EQ(said.switching.size(), 2u);
  EXPECT_NEAR(said.switching[0].value, 3, 0.06);
  EXPECT_EQ(said.switching[0].below, "b");
  EXPECT_EQ(said.switching[0].above, "a");
  EXPECT_NEAR(said.switching[1].value, 50, 1);
  EXPECT_EQ(said.switching[1].below, "a");
  EXPECT_EQ(said.switching[1].above, "b");
  EXPECT_TRUE(said.steady.empty());
}

// Steps of 4 as far as 64 either way; what lies beyond is not seen, and what was looked at is said.
TEST(Switching, SaysHowFarItLooked) {
  const Said said = seek(64, [](double x) { return x < 1e6; });
  EXPECT_TRUE(said.switching.empty());
  ASSERT_EQ(said.steady.size(), 1u);
  EXPECT_EQ(said.steady[0], "x: a stays ahead of b from 1 to 4096");
}

// Batches of whole steps: the first multiple of 8 from which b wins, above 100, is 104.
TEST(Switching, WholeNumbersStayWhole) {
  const Said said = seek(
      32, [](double x) { return x <= 100; }, 8);
  ASSERT_EQ(said.switching.size(), 1u);
  EXPECT_EQ(said.switching[0].value, 104);
}

// One pass of a model over a switch and over a ring, which is the better for its two links a node and worse for its steps: where two
// runs cross, the time of both is the same within what 2 % of the parameter make.
TEST(ModelSwitching, BothTakeAsLongThere) {
  PlanQuestion question = asking({"switch", "ring"}, 8, 16);
  question.space = {.tp = {1, 8},
                    .pp = {1},
                    .cp = {},
                    .ep = {},
                    .chunks = {1},
                    .zero = {0},
                    .micro_batch = {1},
                    .sequence_parallel = {0},
                    .recompute = {"none"},
                    .rank_order = {"tp,dp,pp"}};
  pipeline::ModelPlan plan = plan_model(question, {});
  ASSERT_EQ(plan.best_of_family.size(), 2u);  // the one that the proof did not need ran, too
  seek_switching(question, {"injection", "overhead", "batch"}, {}, plan);
  EXPECT_GE(plan.switching.size() + plan.steady.size(), 3u);  // each is told, found or not
  for (const pipeline::Switching& at : plan.switching) {
    EXPECT_NE(at.below, at.above);
    EXPECT_GT(at.value, 0);
    EXPECT_EQ(at.at > at.value ? at.above : at.below, plan.runs.front().candidate.title) << at.parameter;
  }
}

// A batch of 3 spreads over no 8 replicas of one sample, and the cell says so; others answer.
TEST(ModelMap, CellsThatCannotBeSayWhy) {
  std::vector<PlanQuestion> cells;
  for (const int nodes : {4, 8})
    for (const double batch : {3.0, 16.0}) {
      cells.push_back(asking({"switch", "ring"}, nodes, batch));
      cells.back().space.tp = cells.back().space.pp = {1};
      cells.back().space.zero = {0};
      cells.back().space.micro_batch = {1};  // so that half the replicas take twice the turns
    }
  const pipeline::ModelMap map = map_model(cells, {3, 16}, {});
  ASSERT_EQ(map.cells.size(), 4u);
  EXPECT_EQ(map.npus, (std::vector<std::uint64_t>{4, 8}));
  for (const std::size_t i : {0u, 2u}) {
    EXPECT_TRUE(map.cells[i].runs.empty());
    EXPECT_NE(map.reasons[i].find("no way to spread"), std::string::npos) << map.reasons[i];
  }
  for (const std::size_t i : {1u, 3u}) {
    EXPECT_EQ(map.cells[i].best_of_family.size(), 2u);
    EXPECT_TRUE(map.reasons[i].empty());
  }
  // Of four and eight NPUs at the same batch each is there: fewer of them, and less time
  std::set<std::uint64_t> on_front;
  for (const auto& [cell, run] : map.front) on_front.insert(map.cells[cell].npus);
  EXPECT_EQ(on_front, (std::set<std::uint64_t>{4, 8}));
}

}  // namespace
}  // namespace helio::plan
