// SPDX-License-Identifier: Apache-2.0
#include "workload/moment.h"

#include <gtest/gtest.h>

namespace helio::workload {
namespace {

// 2000-03-01 is 11,017 days after 1970-01-01: 30 years of 365, 7 leap days before 2000, January's 31 and February's 29.
TEST(Moment, CountsSecondsFrom1970) {
  EXPECT_EQ(moment("1970-01-01 00:00:00"), 0);
  EXPECT_EQ(moment("1970-01-01T00:01:01Z"), 61);
  EXPECT_EQ(moment("2000-03-01 00:00:00"), 11017.0 * 86400);
  EXPECT_EQ(moment("1970-01-02 08:00:00+08:00"), 86400);
  EXPECT_EQ(moment("1970-01-01 00:00:00-01:30"), 5400);
  EXPECT_NEAR(*moment("1970-01-01 00:00:01.25"), 1.25, 1e-12);
}

TEST(Moment, IsNothingElse) {
  for (const char* text :
       {"", "12", "1970-01-01", "1970-13-01 00:00:00", "1970-01-01 24:00:00", "1970-01-01 00:00:00+8",
        "1970-01-01 00:00:00 PDT", "1970/01/01 00:00:00", "197a-01-01 00:00:00"})
    EXPECT_FALSE(moment(text)) << text;
}

}  // namespace
}  // namespace helio::workload
