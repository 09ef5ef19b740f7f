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

// Epoch 1 looked at nothing: its cells are empty, and the columns stand where they stand when epoch 2 did.
TEST(MetricsTable, ColumnsStayWhereTheyAre) {
  const std::vector<std::string> columns = {"epoch", "accuracy", "wrong", "seconds"};
  const std::string first = "{\"epoch\":1,\"seconds\":3}\n",
                    second = "{\"epoch\":2,\"accuracy\":0.5,\"wrong\":7,\"seconds\":6}\n";
  EXPECT_EQ(table_of_lines("", columns), "epoch,accuracy,wrong,seconds\n");
  EXPECT_EQ(table_of_lines(first, columns), "epoch,accuracy,wrong,seconds\n1,,,3\n");
  EXPECT_EQ(table_of_lines(first + second, columns), "epoch,accuracy,wrong,seconds\n1,,,3\n2,0.5,7,6\n");
}

}  // namespace
}  // namespace helio::train
