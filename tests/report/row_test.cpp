// SPDX-License-Identifier: Apache-2.0
#include "report/row.h"

#include <gtest/gtest.h>

namespace helio::report {
namespace {

Row beside_five(const Assumptions& assumptions) {
  return {.study = "s",
          .quantity = "q",
          .published = 5,
          .expected = {},
          .ours = 5.02,
          .assumptions = assumptions,
          .source = "a paper"};
}

// 5 was used, or another number, or none.
TEST(Row, IsPredictedUnlessItsOwnNumberWasUsed) {
  const Row own = beside_five({{"a", Grade::kCalibrated, "", {5}}}),
            other = beside_five({{"a", Grade::kFitted, "", {7}}}),
            none = beside_five({{"a", Grade::kLiteral, "a paper"}, {"b"}});
  EXPECT_FALSE(own.predicted());
  EXPECT_TRUE(other.predicted());
  EXPECT_FALSE(other.unfitted());
  EXPECT_TRUE(none.predicted());
  EXPECT_TRUE(none.unfitted());
}

// A mean of published numbers was not predicted by what used one of them.
TEST(Row, ANumberThatIsMadeOfOthersIsNotPredictedByWhatUsedThem) {
  Row row = beside_five({{"a", Grade::kFitted, "", {7}}});
  row.follows_from = {3, 7};
  EXPECT_FALSE(row.predicted());
}

TEST(Row, WhatWasFittedElsewhereIsNotUnfitted) {
  EXPECT_FALSE(beside_five({{"a", Grade::kFitted}}).unfitted());
  EXPECT_FALSE(beside_five({{"a", Grade::kOurs, "", {7}}}).unfitted());
}

// 0.02 of 5 is 0.4 %; beside an expected 5 the same.
TEST(Row, IsMetWithinOnePercentOfEither) {
  Row row = beside_five({});
  EXPECT_NEAR(row.within(), 0.004, 1e-12);
  EXPECT_TRUE(row.met());
  EXPECT_STREQ(row.versus(), "published");
  std::swap(row.published, row.expected);
  EXPECT_NEAR(row.within(), 0.004, 1e-12);
  EXPECT_STREQ(row.versus(), "expected");
}

}  // namespace
}  // namespace helio::report
