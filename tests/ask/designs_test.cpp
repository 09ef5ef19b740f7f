// SPDX-License-Identifier: Apache-2.0
// What single designs are asked: slices of ODDL, traffic of experts, a FRED switch.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <variant>

#include "ask/fred_route.h"
#include "ask/refusal.h"
#include "ask/report.h"
#include "ask/slices.h"
#include "ask/traffic.h"
#include "report/json/slices.h"
#include "source_dir.h"

namespace helio::ask {
namespace {

const std::string kStory = std::string(HELIO_SOURCE_DIR) + "/examples/oddl_slices.toml";

// examples/oddl_slices.toml: twelve events, `giant` is refused at 70 s and fits at 90 s.
TEST(Slices, TellTheExample) {
  const pipeline::SliceTold told = slices({.file = kStory});
  ASSERT_EQ(told.outcomes.size(), 12u);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(told.outcomes[i].report.done, i != 8) << i;
  EXPECT_FALSE(told.runs);
  EXPECT_EQ(told.running, (std::vector<std::string>{"search", "notebook", "giant"}));
  const auto json = nlohmann::json::parse(report::to_json(told));
  EXPECT_EQ(json["events"].size(), 12u);
  EXPECT_EQ(report_of(told).files[0].second, report::to_json(told));
}

// Two runs of each stretch instead of the file's twenty; a stretch is an outcome that lights something.
TEST(Slices, RunAsManyRunsAsAreAsked) {
  const pipeline::SliceTold told = slices({.file = kStory, .run = true, .runs = 2});
  ASSERT_TRUE(told.runs);
  ASSERT_EQ(told.runs->jobs.size(), told.question.jobs.size());
  std::size_t lit = 0;
  for (const pipeline::SliceOutcome& outcome : told.outcomes) lit += outcome.lit ? 1 : 0;
  EXPECT_EQ(lit, told.question.stretches.size());
  for (const pipeline::JobRuns& job : told.runs->jobs)
    for (const pipeline::StretchRuns& stretch : job.stretches) EXPECT_LE(stretch.simulated, 2u);
}

TrafficQuestion experts() {
  TrafficQuestion question{.fabric = {"switch"}, .bytes = "1 MB"};
  question.nodes = "8";
  question.iterations = "2";
  return question;
}

TEST(Traffic, IsThatOfTheCorridor) {
  const TrafficAnswer answer = traffic(experts());
  const auto& result = std::get<pipeline::TrafficResult>(answer);
  EXPECT_EQ(result.iterations.size(), 2u);
  EXPECT_EQ(result.nodes, 8u);
  EXPECT_EQ(result.time, pipeline::run_traffic(result.asked).time);
  for (const pipeline::TrafficIteration& iteration : result.iterations)
    EXPECT_GE(iteration.time.to_seconds(), iteration.bound_s * (1 - 1e-9));
}

TEST(Traffic, ComparesSeveralAtOneRate) {
  TrafficQuestion question = experts();
  question.fabric = {"oddl:policy=*", "switch"};
  question.rate = "100 Gb/s";
  const auto comparison = std::get<pipeline::TrafficComparison>(traffic(question));
  EXPECT_DOUBLE_EQ(comparison.rate.value, 100e9);
  ASSERT_GT(comparison.entries.size(), 2u);  // one for each policy
  EXPECT_TRUE(comparison.entries.front().name.starts_with("oddl policy="));
  EXPECT_EQ(comparison.entries.back().name, "switch");
}

TEST(Traffic, SaysWhatIsWrongInTheWordsOfTheFrontEnd) {
  TrafficQuestion question = experts();
  question.called = shouted;
  question.rate = "1 Gb/s";
  const auto alone = refusal([&] { traffic(question); });
  EXPECT_EQ(alone->place(), "<rate>");
  EXPECT_EQ(alone->advice(), "Name several fabrics, or give <set> fabric.rate=RATE.");
  question = experts();
  question.fabric = {"oddl:policy"};
  EXPECT_EQ(refusal([&] { traffic(question); })->place(), "fabric");
  question.fabric.clear();
  EXPECT_EQ(refusal([&] { traffic(question); })->kind(), ErrorKind::kUsage);
}

// arXiv 2406.19580: {0,2}, {1,4}, {3,5} meet in pairs and need three middle switches.
TEST(FredRoute, RoutesOrProvesThatItCannot) {
  const FredRoute blocked = fred_route({.ports = 8, .middle = 2, .groups = "0,2;1,4;3,5;6,7"});
  EXPECT_TRUE(std::get<fabric::FredBlocked>(blocked.routing).proven);
  EXPECT_FALSE(blocked.check.verified);
  const FredRoute routed = fred_route({.ports = 8, .middle = 3, .groups = "0,2;1,4;3,5;6,7"});
  EXPECT_EQ(std::get<fabric::FredConfiguration>(routed.routing).colours.size(), 4u);
  EXPECT_TRUE(routed.check.verified);
  EXPECT_EQ(nlohmann::json::parse(report::to_json(routed))["routed"], true);
  EXPECT_EQ(refusal([] { fred_route({.ports = 8, .called = shouted}); })->message(), "give either <groups> or <flows>");
  EXPECT_EQ(refusal([] { fred_route({.ports = 8, .groups = "0,9"}); })->place(), "groups");
}

}  // namespace
}  // namespace helio::ask
