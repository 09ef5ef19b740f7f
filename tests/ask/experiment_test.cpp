// SPDX-License-Identifier: Apache-2.0
#include "ask/experiment.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ask/refusal.h"
#include "ask/report.h"
#include "ask/what_if.h"
#include "pipeline/config_file.h"
#include "pipeline/run.h"
#include "source_dir.h"

namespace helio::ask {
namespace {

// src/README.md: four nodes, 8 bytes, 1 B/s, 1 s of latency. 6 rounds of 2 B and a latency: 6 (2 + 1) = 18 s.
CollectiveQuestion by_hand() {
  CollectiveQuestion question{.kind = "all-reduce", .fabric = "ring", .bytes = "8 B"};
  question.nodes = "4";
  question.algorithm = "ring";
  question.set = {{"fabric.rate", "1 B/s"}, {"fabric.latency", "1 s"}};
  return question;
}

TEST(Collective, TakesWhatTheTourSays) {
  const Answer answer = collective(by_hand());
  ASSERT_EQ(answer.results.size(), 1u);
  EXPECT_DOUBLE_EQ(answer.results[0].time_s, 18);
  EXPECT_EQ(answer.title, "all-reduce of 8 B on ring");
  EXPECT_DOUBLE_EQ(nlohmann::json::parse(to_json(answer))["time_s"].get<double>(), 18);
  EXPECT_NE(to_text(answer).find("18 s"), std::string::npos);
}

// Without an algorithm: the fastest. Both directions of the ring halve the transmission, 6 (1 + 1) = 12 s.
TEST(Collective, SearchesWhereNoAlgorithmIsNamed) {
  CollectiveQuestion question = by_hand();
  question.algorithm.reset();
  const pipeline::Result result = collective(question).results[0];
  EXPECT_EQ(result.asked_algorithm, "auto");
  EXPECT_LE(result.time_s, 12);
}

TEST(Collective, NamesFieldsAsTheFrontEndDoes) {
  CollectiveQuestion question = by_hand();
  question.called = shouted;
  question.nodes.reset();
  const auto missing = refusal([&] { collective(question); });
  EXPECT_EQ(missing->kind(), ErrorKind::kUsage);
  EXPECT_EQ(missing->place(), "<nodes>");
  EXPECT_EQ(missing->advice(), "give <nodes> N");

  question = by_hand();
  question.set.push_back({"fabric.nodes", "5"});
  EXPECT_EQ(refusal([&] { collective(question); })->message(), "nodes says 4 and set says 5");
  question = by_hand();
  question.set.push_back({"fabric.rate", "2 B/s"});
  EXPECT_EQ(refusal([&] { collective(question); })->message(), "'fabric.rate' is set twice");
  question = by_hand();
  question.bytes = "8 Bx";
  EXPECT_EQ(refusal([&] { collective(question); })->place(), "bytes");
  question = by_hand();
  question.root = "1";
  EXPECT_EQ(refusal([&] { collective(question); })->message(),
            "root belongs to broadcast and reduce, and this is all-reduce");
}

// The library adds nothing to what the corridor says of the same file.
TEST(Simulate, IsTheCorridorFileByFile) {
  const std::string file = std::string(HELIO_SOURCE_DIR) + "/examples/first_collectives.toml";
  std::vector<std::string> parts;
  const Watch watch{.part = [&](std::size_t, std::size_t, std::string_view name) { parts.emplace_back(name); }};
  const Answer answer = simulate({.file = file}, false, watch);
  const pipeline::Experiment experiment = pipeline::interpret(pipeline::read_draft(file));
  ASSERT_EQ(answer.results.size(), experiment.collectives.size());
  ASSERT_EQ(parts.size(), answer.results.size());
  for (std::size_t i = 0; i < answer.results.size(); ++i) {
    EXPECT_EQ(parts[i], experiment.collectives[i].name);
    if (experiment.collectives[i].algorithm.name == "auto") continue;
    EXPECT_EQ(answer.results[i].time_s, pipeline::run(experiment, experiment.collectives[i]).time_s);
  }
  EXPECT_EQ(refusal([&] { simulate({.file = file, .set = {{"fabric.nodse", "8"}}}); })->place(), "set fabric.nodse");
}

// At twice the rate transmission is halved: 6 (1 + 1) = 12 s.
TEST(Reports, TellWhatWouldChange) {
  const Answer answer = collective(by_hand(), true);
  const auto changed =
      what_if(answer.experiment, answer.experiment.collectives[0], answer.results[0], pipeline::RunOptions{});
  ASSERT_FALSE(changed.empty());
  EXPECT_NE(changed[0].change.find("fabric.rate doubled"), std::string::npos);
  EXPECT_DOUBLE_EQ(changed[0].time_s, 12);
  const report::Report report = report_of(answer);
  ASSERT_EQ(report.pages.size(), 1u);
  EXPECT_EQ(report.pages[0].title, answer.title);
  ASSERT_EQ(report.files.size(), 1u);
  EXPECT_EQ(report.files[0], (std::pair<std::string, std::string>{"results.json", to_json(answer)}));
}

}  // namespace
}  // namespace helio::ask
