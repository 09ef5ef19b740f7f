// SPDX-License-Identifier: Apache-2.0
#include "pipeline/counted.h"

#include <gtest/gtest.h>

namespace helio::pipeline {
namespace {

TEST(Counted, OneIsOneAndAllOthersAreMany) {
  EXPECT_EQ(counted(1, "rank"), "1 rank");
  EXPECT_EQ(counted(0, "rank"), "0 ranks");
  EXPECT_EQ(counted(std::size_t{2}, "rank"), "2 ranks");
  EXPECT_EQ(counted(1u, "mesh", "meshes"), "1 mesh");
  EXPECT_EQ(counted(16u, "mesh", "meshes"), "16 meshes");
}

}  // namespace
}  // namespace helio::pipeline
