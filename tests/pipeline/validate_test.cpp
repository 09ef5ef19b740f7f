// SPDX-License-Identifier: Apache-2.0
#include "pipeline/validate.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace helio::pipeline {
namespace {

// The formula of docs/fabric.md for a ring of 8: launch 4.5 us and 14 steps. 8 bytes: each step is LL's 1.25 us, so 22 us. 1 GiB:
// Simple, 8 us and 128 MiB at 232.5 GB/s (577.3 us) a step: 8.1984 ms.
TEST(Validate, AllReduceOfOneServer) {
  const Validation v = validate("size_B,time_us\n8,20\n1073741824,8244.5\n", "x.csv");
  ASSERT_EQ(v.rows.size(), 2u);
  EXPECT_NEAR(v.rows[0].predicted_s, 22e-6, 0.01e-6);
  EXPECT_NEAR(v.rows[1].predicted_s, 4.5e-6 + 14 * (8e-6 + 134217728 / 232.5e9), 1e-6);
  EXPECT_NEAR(v.rows[0].error_percent(), 10, 0.1);
  EXPECT_EQ(v.worst(1)[0].line, 2u);
}

const std::string kColumns =
    "# GPUs,global batch,micro batch,hidden size,attention heads,# layers,sequence length,tensor parallelism,data "
    "parallelism,"
    "pipeline parallelism,iteration time (ms)\n";

// Twice the layers and micro-batches take about twice as long, and both files of columns are recognised in any order.
TEST(Validate, Iterations) {
  const Validation v =
      validate(kColumns + "8,8,1,1024,16,12,1024,8,1,1,500\n8,16,1,1024,16,24,1024,8,1,1,2000\n", "x.csv");
  ASSERT_EQ(v.rows.size(), 2u);
  EXPECT_EQ(v.kind, "training iterations");
  EXPECT_NEAR(v.rows[1].predicted_s / v.rows[0].predicted_s, 4, 0.2);
}

// A mark of the editor, a column of words, and a row that cannot be (tp 3 of 16 heads): said, and the others go on.
TEST(Validate, OneBadRowDoesNotEndTheFile) {
  std::string columns = kColumns;
  columns.insert(columns.size() - 1, ",remark");
  const Validation v =
      validate("\xef\xbb\xbf" + columns + "3,8,1,1024,16,12,1024,3,1,1,500,no\n8,16,1,1024,16,24,1024,8,1,1,2000,yes\n",
               "x.csv");
  EXPECT_EQ(v.rows.size(), 1u);
  ASSERT_EQ(v.refused.size(), 1u);
  EXPECT_EQ(v.refused[0].line, 2u);
}

void expect_refused(const std::string& text, const std::string& place) {
  try {
    validate(text, "x.csv");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_EQ(error.place(), place) << error.message();
  }
}

TEST(Validate, WrongFilesAreRefusedWhereTheyAreWrong) {
  expect_refused("", "x.csv");
  expect_refused("size_B,time_us\n", "x.csv");
  expect_refused("a,b\n1,2\n", "x.csv:1:1");
  expect_refused("size_B,time_us\n8,x\n", "x.csv:2:3");
  expect_refused("size_B,time_us\n8\n", "x.csv:2:1");
  expect_refused("size_B,time_us\n8,0\n", "x.csv:2:3");
  expect_refused("size_B,time_us\n8.5,1\n", "x.csv:2:1");
  expect_refused(kColumns + "8,8,1,1024,16,12,1024,4,1,1,500\n", "x.csv:2:1");  // 4 x 1 x 1 is not 8
  expect_refused("size_B,time_us,size_B\n8,20,16\n", "x.csv:1:16");             // which of the two?
  expect_refused("size_B,time_us\n8,20\n8,x\n", "x.csv:3:3");
}

// Cut after any byte, a file says what its whole lines say, or is refused: never another number.
TEST(Validate, ACutFileIsNoticed) {
  const std::string whole = "size_B,time_us\n8,20.5\n1024,120\n";
  const Validation all = validate(whole, "x.csv");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const bool lines = length > 0 && whole[length - 1] == '\n' && whole.find('\n') + 1 < length;
    if (!lines) {
      EXPECT_THROW(validate(whole.substr(0, length), "x.csv"), Error) << length;
      continue;
    }
    const Validation some = validate(whole.substr(0, length), "x.csv");
    ASSERT_EQ(some.rows.size(), 1u);
    EXPECT_EQ(some.rows[0].measured_s, all.rows[0].measured_s);
  }
}

}  // namespace
}  // namespace helio::pipeline
