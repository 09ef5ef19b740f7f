// SPDX-License-Identifier: Apache-2.0
#include "report/figures/stacked.h"

#include <gtest/gtest.h>

namespace helio::report {
namespace {

TEST(Stacked, PartsThatNoBarHasAreLeftOut) {
  const Figure figure = figure_of(Stacked{.name = "s",
                                          .title = "t",
                                          .words = "w",
                                          .value_label = "time (ms)",
                                          .bars = {"a", "b"},
                                          .parts = {{"compute", {8, 4}}, {"tp", {0, 0}}, {"dp", {0, 1}}}});
  EXPECT_EQ(figure.kind, "stacked");
  ASSERT_EQ(figure.data.at("parts").size(), 2u);
  EXPECT_EQ(figure.data["parts"][1]["name"], "dp");
  EXPECT_EQ(figure.csv, "bar,part,time (ms)\na,compute,8\nb,compute,4\na,dp,0\nb,dp,1\n");
}

}  // namespace
}  // namespace helio::report
