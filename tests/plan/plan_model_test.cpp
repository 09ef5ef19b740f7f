// SPDX-License-Identifier: Apache-2.0
#include "plan/plan_model.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "base/random.h"
#include "plan/small_plan.h"

namespace helio::plan {
namespace {

template <class T>
std::vector<std::vector<T>> single(const std::vector<T>& values) {
  std::vector<std::vector<T>> all;
  for (const T& value : values) all.push_back({value});
  return all;
}

// The least time of all, each asked by itself; and no bound is above its time.
double exhaustive(const PlanQuestion& question) {
  double least = 0;
  const StrategySpace& space = question.space;
  for (const Contender& contender : question.fabrics.contenders)
    for (const auto& tp : single(space.tp))
      for (const auto& pp : single(space.pp))
        for (const auto& chunks : single(space.chunks))
          for (const auto& zero : single(space.zero))
            for (const auto& micro : single(space.micro_batch))
              for (const auto& sequence : single(space.sequence_parallel))
                for (const auto& recompute : single(space.recompute))
                  for (const auto& order : single(space.rank_order)) {
                    PlanQuestion one = question;
                    one.fabrics.contenders = {contender};
                    one.space = {.tp = tp,
                                 .pp = pp,
                                 .ep = {},
                                 .chunks = chunks,
                                 .zero = zero,
                                 .micro_batch = micro,
                                 .sequence_parallel = sequence,
                                 .recompute = recompute,
                                 .rank_order = order};
                    try {
                      const pipeline::ModelPlan plan = plan_model(one, {});
                      const pipeline::Candidate& ran = plan.runs.front().candidate;
                      EXPECT_LE(ran.bound_s, ran.time_s * (1 + 1e-9))
                          << contender.title << " " << plan.runs.front().candidate.strategy;
                      if (least == 0 || ran.time_s < least) least = ran.time_s;
                    } catch (const Error&) {  // not in the space, or nobody carries it
                    }
                  }
  return least;
}

// Thirty spaces drawn at random: what the search finds is what asking everything finds.
TEST(PlanModel, FindsWhatAskingEverythingFinds) {
  Random random(7);
  const auto some = [&](auto values) {
    auto chosen = values;
    std::erase_if(chosen, [&](const auto&) { return random.below(2) == 0; });
    return chosen.empty() ? decltype(values){values.front()} : chosen;
  };
  for (int round = 0; round < 30; ++round) {
    PlanQuestion question =
        asking(some(std::vector<std::string>{"switch", "ring", "torus", "fred", "wdm-ring"}), 8, 16);
    question.space = {.tp = some(std::vector<int>{1, 2, 4, 8}),
                      .pp = some(std::vector<int>{1, 2, 4}),
                      .ep = {},
                      .chunks = some(std::vector<int>{1, 2}),
                      .zero = {static_cast<int>(random.below(4))},
                      .micro_batch = some(std::vector<double>{1, 2}),
                      .sequence_parallel = {static_cast<int>(random.below(2))},
                      .recompute = {round % 2 ? "none" : "full"},
                      .rank_order = some(std::vector<std::string>{"tp,dp,pp", "tp,pp,dp"})};
    const double least = exhaustive(question);
    if (least == 0) continue;
    const pipeline::ModelPlan plan = plan_model(question, {});
    EXPECT_EQ(plan.ended, "proven");
    EXPECT_EQ(plan.gap, 0);
    EXPECT_EQ(plan.runs.front().candidate.time_s, least) << round;
  }
}

// No simulated iteration is shorter than its bound, over all fabrics and the whole space of ways.
TEST(PlanModel, NoBoundIsAboveATime) {
  std::size_t ran = 0;
  for (const auto& [nodes, batch] : {std::pair(8, 8.0), {16, 32.0}}) {
    PlanQuestion question = asking(
        {"switch", "ring", "full-mesh", "mesh", "torus", "fat-tree", "cluster", "wdm-ring", "fred"}, nodes, batch);
    question.space.chunks = {1, 2};
    question.space.micro_batch = {1, 2};
    question.most_runs = 300;
    const pipeline::ModelPlan plan = plan_model(question, {});
    ran += plan.runs.size();
    for (const pipeline::PlannedRun& run : plan.runs)
      EXPECT_LE(run.candidate.bound_s, run.candidate.time_s * (1 + 1e-9))
          << run.candidate.title << " " << run.candidate.strategy;
  }
  EXPECT_GT(ran, 4u);
}

TEST(PlanModel, ALimitOfRunsLeavesAGap) {
  PlanQuestion question = asking({"ring"}, 8, 16);
  question.most_runs = 1;  // the first round, then it ends
  const pipeline::ModelPlan plan = plan_model(question, {});
  EXPECT_LE(plan.ran + plan.refused, kFirstRound);
  if (plan.ended == "runs") {
    EXPECT_NEAR(plan.gap, std::max(0.0, 1 - plan.least_left_s / plan.runs.front().candidate.time_s), 1e-12);
  }
}

TEST(PlanModel, WhatNobodyCanDoIsSaid) {
  const auto refused = [](const PlanQuestion& question) -> std::pair<ErrorKind, std::string> {
    try {
      plan_model(question, {});
    } catch (const Error& error) {
      return {error.kind(), error.message() + " " + error.advice().text()};
    }
    return {ErrorKind::kUsage, "accepted"};
  };
  // A budget nobody meets names the nearest
  PlanQuestion poor = asking({"switch", "ring"}, 8, 16);
  poor.limits.watts = 1;
  const auto [kind, words] = refused(poor);
  EXPECT_EQ(kind, ErrorKind::kInfeasible);
  EXPECT_NE(words.find("'ring'"), std::string::npos) << words;  // it takes less than a switch
  EXPECT_NE(words.find("watts"), std::string::npos) << words;
  // Three heads do not divide eight
  PlanQuestion empty = asking({"switch"}, 8, 16);
  empty.space.tp = {3};
  EXPECT_EQ(refused(empty).first, ErrorKind::kInput);
}

}  // namespace
}  // namespace helio::plan
