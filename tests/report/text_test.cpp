// SPDX-License-Identifier: Apache-2.0
#include "report/text.h"

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

TEST(Text, RowsThatAreNotPredictedAreMarked) {
  const std::vector<Row> rows = {{"s", "q", 1, 1, "ours", {}, true, "x"}, {"s", "q", 1, 1, "fitted", {}, false, "x"}};
  const std::string text = to_text(rows);
  EXPECT_NE(text.find("fitted*"), std::string::npos);
  EXPECT_NE(text.find("not predicted"), std::string::npos);
  EXPECT_EQ(to_text(std::vector<Row>{rows[0]}).find('*'), std::string::npos);
}

}  // namespace
}  // namespace helio::report
