// SPDX-License-Identifier: Apache-2.0
#include "studies/closed_forms/closed_forms.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace helio::studies {
namespace {

TEST(ClosedForms, EveryRowIsMetToABillionth) {
  const std::vector<report::Row> rows = reproduce("closed-forms").rows;
  ASSERT_FALSE(rows.empty());
  for (const report::Row& row : rows) {
    EXPECT_LT(row.within(), 1e-9) << row.quantity;
    EXPECT_EQ(row.study, "closed-forms");
    EXPECT_TRUE(row.predicted());
    EXPECT_TRUE(row.expected && !row.published);
    EXPECT_FALSE(row.source.empty());
  }
  // 2 x 1023 x (0.5 us + 97656.25 B / 50 GB/s) = 2046 x 2.453125 us = 5.01909375 ms
  EXPECT_DOUBLE_EQ(rows.front().ours, 5.01909375e-3);
}

TEST(ClosedForms, NamesThatAreNoStudyAreErrorsOfTheirKind) {
  const auto kind_of = [](const char* name) {
    try {
      reproduce(name);
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::kUsage;
  };
  EXPECT_EQ(kind_of("wrth"), ErrorKind::kInput);
}

}  // namespace
}  // namespace helio::studies
