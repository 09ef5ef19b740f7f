// SPDX-License-Identifier: Apache-2.0
#include "report/text/text.h"

#include <gtest/gtest.h>

#include "report/a_result.h"

namespace helio::report {
namespace {

TEST(Text, AResultSaysWhatMatters) {
  const std::string text = to_text(a_result());
  for (const char* word :
       {"all-reduce of 1 MB on ring (2 groups of 4 ranks) by in-fabric+ring", "3 ms", "2.333 x the lower bound",
        "latency & more", "14 (step)", "yes, by explicit-sets", "endpoint: carried (one of two)", "ours"})
    EXPECT_NE(text.find(word), std::string::npos) << word << " in\n" << text;
  EXPECT_EQ(text.find("wavelengths"), std::string::npos);
}

TEST(Text, AnUnprovenScheduleIsNotCalledProven) {
  pipeline::Result result = a_result();
  result.verified = false;
  result.verify_method = "work-limit";
  EXPECT_NE(to_text(result).find("no: work-limit"), std::string::npos);
  result.verify_method = "none";
  EXPECT_NE(to_text(result).find("not asked for"), std::string::npos);
}

TEST(Text, OneRankIsNotOneRanks) {
  pipeline::Result result = a_result();
  result.ranks = 1;
  EXPECT_NE(to_text(result).find("(2 groups of 1 rank)"), std::string::npos);
  result.groups = 1;
  EXPECT_NE(to_text(result).find("(1 rank)"), std::string::npos);
}

// "longest_path_hops" has 17 letters and two spaces before it, so all values begin in column 20, "3 ms" of the time too.
TEST(Text, ValuesStandInOneColumn) {
  pipeline::Result result = a_result();
  EXPECT_NE(to_text(result).find("\n  time         3 ms"), std::string::npos);  // 12 letters at least
  result.facts = {{{"levels"}, 2.0}, {{"longest_path_hops"}, 516.0}, {{"closes_passively"}, false}};
  result.asked_algorithm = "auto";
  const std::string text = to_text(result);
  for (const char* words :
       {"\n  time              3 ms", "\n  levels            2\n", "\n  longest_path_hops 516\n",
        "\n  closes_passively  no\n", "\n  label             ours\n", "\n  auto              in-fabric+ring  "})
    EXPECT_NE(text.find(words), std::string::npos) << words << " in\n" << text;
}

// Two collectives of 3 ms, bounds of 1/7 s each: 6 ms in all, 0.006 / (2/7) = 0.021 of the bounds.
TEST(Text, SeveralCollectivesEndInTheirTotal) {
  const std::string text = to_text(std::vector{a_result(), a_result()});
  EXPECT_TRUE(
      text.ends_with("\ntotal: 2 collectives, one after the other\n  time         6 ms   0.021 x the lower bounds\n"))
      << text;
  EXPECT_NE(to_text(std::vector{a_result()}).find("total: 1 collective,"), std::string::npos);
}

TEST(Text, ASearchShowsWhatElseWasTried) {
  pipeline::Result result = a_result();
  EXPECT_EQ(to_text(result).find("the fastest"), std::string::npos);
  result.asked_algorithm = "auto";
  result.alternatives = {{"ring", "slower", "takes 10 % longer", Time::microseconds(3300), 7},
                         {"direct", "infeasible", "too many moves", std::nullopt, 0}};
  const std::string text = to_text(result);
  for (const char* words : {"auto         in-fabric+ring       3 ms   14 steps  the fastest\n",
                            "  ring               3.3 ms    7 steps  slower: takes 10 % longer\n",
                            "  direct                  -          -  infeasible: too many moves\n"})
    EXPECT_NE(text.find(words), std::string::npos) << words << " in\n" << text;
}

// 4 ms of the 5 ms are 80 % of forty cells: 32; 1 ms is 8.
TEST(Text, ATerminalIsShownWhereTheTimeWent) {
  pipeline::Result result = a_result();
  result.time = Time::milliseconds(5);
  result.critical = {};
  result.critical.transmission = Time::milliseconds(4);
  result.critical.latency = Time::milliseconds(1);
  const std::string text = to_text(result, {.terminal = true});
  for (const std::string& words : {"\n  path         transmission       4 ms   80.0 %  " + std::string(32, '#') + "\n",
                                   "\n               latency            1 ms   20.0 %  " + std::string(8, '#') + "\n"})
    EXPECT_NE(text.find(words), std::string::npos) << words << " in\n" << text;
  EXPECT_EQ(text.find('\033'), std::string::npos);
  EXPECT_EQ(text.find("overhead"), std::string::npos);  // nothing was lost to it
  EXPECT_EQ(to_text(result).find("path"), std::string::npos);
  EXPECT_NE(inked(to_text(result, {.terminal = true, .colour = true}), {.colour = true}).find("\033["),
            std::string::npos);
}

// 3 ms against 6 ms of the slowest are half of sixteen cells.
TEST(Text, ATerminalComparesAlternatives) {
  pipeline::Result result = a_result();
  result.asked_algorithm = "auto";
  result.alternatives = {{"ring", "slower", "takes 100 % longer", Time::milliseconds(6), 7},
                         {"direct", "infeasible", "too many moves", std::nullopt, 0}};
  const std::string text = to_text(result, {.terminal = true});
  for (const char* words :
       {"   14 steps  ########          the fastest\n", "    7 steps  ################  slower: takes 100 % longer\n",
        "          -                    infeasible: too many moves\n"})
    EXPECT_NE(text.find(words), std::string::npos) << words << " in\n" << text;
}

// Two equal ones share the total.
TEST(Text, ATerminalIsShownSharesOfTheTotal) {
  const std::string text = to_text(std::vector{a_result(), a_result()}, {.terminal = true});
  EXPECT_NE(text.find("  gradients <b>       3 ms     2.333 x bound   50.0 %  ########\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace helio::report
