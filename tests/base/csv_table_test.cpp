// SPDX-License-Identifier: Apache-2.0
#include "base/csv_table.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace helio {
namespace {

void expect_refused(const std::string& text, const std::string& place, const std::string& words) {
  try {
    parse_csv(text, "f");
    ADD_FAILURE() << "read: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_EQ(error.place(), place) << error.what();
    EXPECT_NE(error.message().find(words), std::string::npos) << error.what();
  }
}

TEST(CsvTable, CellsHaveTheirPlaces) {
  const std::string text =
      "\xef\xbb\xbf"
      "a, b b ,\r\n\n1,2 ,\r\n ,x,3\r\n";
  const CsvTable table = parse_csv(text, "f");
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.index("b b"), 1u);
  EXPECT_EQ(table.index("c"), CsvTable::kNone);
  EXPECT_EQ(table.rows[0].cells[1].text, "2");
  EXPECT_EQ(table.rows[1].cells[0].text, "");
  EXPECT_EQ(table.rows[1].cells[2].text, "3");
  EXPECT_EQ(table.place(table.rows[1], 2), "f:4:5");
}

TEST(CsvTable, AColumnIsThereOnce) {
  expect_refused("a,b,a\n1,2,3\n", "f:1:5", "'a' is there twice, as number 1 and 3");
  expect_refused("a, a\n1,2\n", "f:1:3", "twice");
  EXPECT_EQ(parse_csv("a,,\n1,2,3\n", "f").rows.size(), 1u);  // without a name nobody asks for them
}

TEST(CsvTable, WhatIsCutOrCrookedIsRefused) {
  expect_refused("", "f", "empty");
  expect_refused("\n \n", "f", "empty");
  expect_refused("a,b\n", "f", "no rows");
  expect_refused("a,b\n1\n", "f:2:1", "1 values below 2 names");
  expect_refused("a,b\n1,2,\n", "f:2:1", "3 values below 2 names");
  expect_refused("a,b\n1,20", "f:2:5", "may be cut off");
  expect_refused("a,b", "f:1:4", "may be cut off");
}

// Names from elsewhere: the first line is a row.
TEST(CsvTable, AFileMayHaveNoLineOfNames) {
  const std::string text = "1,2\n3,4\n";
  const CsvTable table = parse_csv(text, "f", {.names = "a,b"});
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.place(table.rows[0], table.index("b")), "f:1:3");
  EXPECT_EQ(table.rows[1].cells[table.index("a")].text, "3");
}

}  // namespace
}  // namespace helio
