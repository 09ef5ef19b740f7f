// SPDX-License-Identifier: Apache-2.0
#include "train/metrics_table.h"

#include <gtest/gtest.h>

namespace helio::train {
namespace {

TEST(MetricsTable, HasAColumnForEveryKeyThatAppears) {
  EXPECT_EQ(
      table_of_lines("{\"epoch\":1,\"loss\":0.5}\nnot json\n{\"epoch\":2,\"loss\":0.25,\"note\":\"a \\\"b\\\", c\"}\n"),
      "epoch,loss,note\n1,0.5,\n2,0.25,\"a \"\"b\"\", c\"\n");
  EXPECT_EQ(table_of_lines(""), "");
}

}  // namespace
}  // namespace helio::train
