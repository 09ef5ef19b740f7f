// SPDX-License-Identifier: Apache-2.0
#include "base/csv_field.h"

#include <gtest/gtest.h>

namespace helio {
namespace {

// RFC 4180: a field with a comma or a quote is quoted, quotes are doubled.
TEST(CsvField, IsQuotedWhereItHasToBe) {
  EXPECT_EQ(csv_field("plain text"), "plain text");
  EXPECT_EQ(csv_field("a, \"b\""), "\"a, \"\"b\"\"\"");
  EXPECT_EQ(csv_field(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(csv_line({"a", "b", ""}), "a,b,\n");
}

// A row is a line, whatever a name holds.
TEST(CsvField, ControlCharactersAreWritten) {
  EXPECT_EQ(csv_field("a\nb\r\tc\x1b\xff"), "a\\x0ab\\x0d\\x09c\\x1b\\xff");
  EXPECT_EQ(csv_field("\u202e"), "\\u202e");
}

// Text that a spreadsheet would compute is text to it; numbers stay numbers.
TEST(CsvField, IsNoFormula) {
  EXPECT_EQ(csv_field("=1+1"), "'=1+1");
  EXPECT_EQ(csv_field("+1"), "'+1");
  EXPECT_EQ(csv_field("-job"), "'-job");
  EXPECT_EQ(csv_field("@SUM(A1,A2)"), "\"'@SUM(A1,A2)\"");
  EXPECT_EQ(csv_field("＝1"), "'＝1");
  EXPECT_EQ(csv_field("\t=1"), "\\x09=1");
  EXPECT_EQ(csv_field("-inf"), "'-inf");
  for (const char* same : {"-5", "-2.5e-3", "1=1", "", "a-b"}) EXPECT_EQ(csv_field(same), same);
  EXPECT_EQ(csv_field(-0.5), "-0.5");
}

}  // namespace
}  // namespace helio
