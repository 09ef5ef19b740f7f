// SPDX-License-Identifier: Apache-2.0
#include "pipeline/admission.h"

#include <gtest/gtest.h>

namespace helio::pipeline {
namespace {

using schedule::Kind;

TEST(Admission, InFabricNeedsAnOperator) {
  // A wdm-ring that drops and continues can copy, not add, and so can routers of a grid; an OptINC hands on averages only
  const std::vector<std::string> adding = {"switch with fabric.reducers=1", "cluster with fabric.npu=h100", "fred",
                                           "optinc"},
                                 copying = {"switch with fabric.reducers=1",       "mesh with fabric.multicast=true",
                                            "torus with fabric.multicast=true",    "cluster with fabric.npu=h100",
                                            "wdm-ring with fabric.multicast=true", "fred"};
  for (const char* fabric : {"ring", "switch", "full-mesh"}) {
    EXPECT_EQ(fabrics_that_admit({.name = "in-fabric"}, Kind::kAllReduce, {.name = fabric}), adding);
    EXPECT_EQ(fabrics_that_admit({.name = "in-fabric"}, Kind::kBroadcast, {.name = fabric}), copying);
  }
}

// The fabric as the user set it admits the algorithm: a refusal was about something else.
TEST(Admission, NothingIsAdvisedWhereTheFabricItselfAdmits) {
  EXPECT_TRUE(fabrics_that_admit({.name = "ring"}, Kind::kAllReduce, {.name = "switch"}).empty());
  const Choice able{.name = "switch", .settings = {{"reducers", {"2", ""}}, {"nodes", {"16777216", ""}}}};
  EXPECT_TRUE(fabrics_that_admit({.name = "in-fabric"}, Kind::kAllGather, able).empty());
}

}  // namespace
}  // namespace helio::pipeline
