// SPDX-License-Identifier: Apache-2.0
#include "report/text/csv.h"

#include <gtest/gtest.h>

namespace helio::report {
namespace {

// RFC 4180: a field with a comma, a quote or a line break is quoted, quotes are doubled.
TEST(Csv, FieldsAreQuotedWhereTheyHaveToBe) {
  EXPECT_EQ(csv_field("plain text"), "plain text");
  EXPECT_EQ(csv_field("a, \"b\""), "\"a, \"\"b\"\"\"");
  EXPECT_EQ(csv_field("a\nb"), "\"a\nb\"");
  EXPECT_EQ(csv_field(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(csv_line({"a", "b", ""}), "a,b,\n");
}

}  // namespace
}  // namespace helio::report
