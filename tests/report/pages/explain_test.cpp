// SPDX-License-Identifier: Apache-2.0
#include "report/pages/explain.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "report/a_job.h"
#include "report/a_result.h"

namespace helio::report {
namespace {

bool says(const std::vector<std::string>& paragraphs, const std::string& part) {
  for (const std::string& paragraph : paragraphs)
    if (paragraph.find(part) != std::string::npos) return true;
  ADD_FAILURE() << part << " is not in\n" << fmt::format("{}", fmt::join(paragraphs, "\n"));
  return false;
}

simulate::Split split(double transmission_ms, double setup_ms) {
  simulate::Split path;
  path.transmission = Time::milliseconds(transmission_ms);
  path.setup = Time::milliseconds(setup_ms);
  return path;
}

pipeline::Result a_slow_one() {
  pipeline::Result result = a_result();
  result.time = Time::milliseconds(100);
  result.time_s = 0.1, result.bound_s = 0.025;
  result.critical = split(38, 62);
  return result;
}

// 100 ms over 25 ms is 4; 38 of 40 ms of the other way is 95 %, so that 2 ms of set-up are 5 %; 40 is 60 % less than 100.
TEST(Explain, ACollectiveSaysWhatBindsAndWhatWouldChangeIt) {
  const auto words = explain(a_slow_one(), {{"With retune_rule = changed", 0.04, split(38, 2)}});
  says(words, "All-reduce of 1 MB among 2 groups of 4 ranks on ring, by in-fabric+ring, takes 100 ms.");
  says(words, "No schedule can take less than 25 ms (bytes); this one takes 4 times as long.");
  says(words, "Latency & more.");
  says(words,
       "With retune_rule = changed it would take 40 ms, 60 % less: setting up circuits is 62 % of the time now and "
       "would be 5 %.");
}

TEST(Explain, NearTheBoundNothingIsLeftToGain) {
  pipeline::Result result = a_slow_one();
  result.bound_s = 0.1;
  says(explain(result), "That is the lower bound: no schedule can be faster (bytes)");
}

TEST(Explain, ChangesAreToldAsTheyAre) {
  const auto words = explain(a_slow_one(), {{"With fabric.rate doubled to 2 Gb/s", 0.1001, {}},
                                            {"With half", 0.35, {}},
                                            {"By the fastest", 0.09, {}, "wrht"}});
  says(words, "With fabric.rate doubled to 2 Gb/s it would take 100.1 ms, no change worth naming.");
  says(words, "With half it would take 350 ms, 3.5 times as long.");
  says(words, "By the fastest it would take 90 ms, 10 % less, by wrht.");
}

TEST(Explain, TheNextBestAlgorithmIsNamed) {
  pipeline::Result result = a_slow_one();
  result.asked_algorithm = "auto";
  result.algorithm = "ring";
  result.alternatives = {{"direct", "slower", "", Time::milliseconds(150), 2},
                         {"double-binary-tree", "slower", "", Time::milliseconds(120), 9},
                         {"wrht", "infeasible", "no light", std::nullopt, 0}};
  says(explain(result),
       "Ring was the fastest of 3 algorithms that were tried; the next, double-binary-tree, takes 120 ms, 20 % more; 1 "
       "more");
}

// Shares of 38 and 62 ms, the larger first; what takes no time is not listed.
TEST(Explain, SharesAreOfTheWholePath) {
  const auto shares = shares_of(split(38, 62));
  ASSERT_EQ(shares.size(), 2u);
  EXPECT_EQ(shares[0].first, "setting up circuits");
  EXPECT_DOUBLE_EQ(shares[0].second, 0.62);
  EXPECT_TRUE(shares_of({}).empty());
}

// 8 of 10 s are computing: 20 % are everything else.
TEST(Explain, AJobSaysWhatIsExposed) {
  const auto words = explain(a_job(), {{"With fabric.rate doubled to 800 Gb/s", 9, {}}});
  says(words,
       "One iteration of GPT & more on 32 x a100-80 takes 10 s. The bound is 8 s (computing): 20 % of the time is "
       "spent on everything else");
  says(words, "Computing 80.0 % & more.");
  says(words, "With fabric.rate doubled to 800 Gb/s it would take 9 s, 10 % less.");
}

TEST(Explain, NothingIsMadeUp) {
  pipeline::Result nothing;
  nothing.ranks = 1;
  nothing.bottleneck = "nothing moves";
  EXPECT_EQ(explain(nothing).size(), 2u);
  EXPECT_EQ(explain(nothing)[1], "Nothing moves.");
}

}  // namespace
}  // namespace helio::report
