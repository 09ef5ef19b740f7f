// SPDX-License-Identifier: Apache-2.0
#include "pipeline/admission.h"

#include <gtest/gtest.h>

namespace helio::pipeline {
namespace {

using schedule::Kind;

TEST(Admission, InFabricNeedsAnOperator) {
  const std::vector<std::string> expected = {"switch with fabric.reducers=1"};
  for (const Kind kind : {Kind::kAllReduce, Kind::kBroadcast})
    for (const char* fabric : {"ring", "switch", "full-mesh"})
      EXPECT_EQ(fabrics_that_admit({.name = "in-fabric"}, kind, {.name = fabric}), expected);
}

// The fabric as the user set it admits the algorithm: a refusal was about something else.
TEST(Admission, NothingIsAdvisedWhereTheFabricItselfAdmits) {
  EXPECT_TRUE(fabrics_that_admit({.name = "ring"}, Kind::kAllReduce, {.name = "switch"}).empty());
  const Choice able{.name = "switch", .settings = {{"reducers", {"2", ""}}, {"nodes", {"16777216", ""}}}};
  EXPECT_TRUE(fabrics_that_admit({.name = "in-fabric"}, Kind::kAllGather, able).empty());
}

}  // namespace
}  // namespace helio::pipeline
