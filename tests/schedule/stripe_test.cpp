// SPDX-License-Identifier: Apache-2.0
#include "schedule/stripe.h"

#include <gtest/gtest.h>

namespace helio::schedule {
namespace {

TEST(Stripe, WidensEveryMoveAndSaysSo) {
  const CollectiveRequest request = request_on_all(Kind::kAllReduce, Bytes{1}, 6);
  for (const char* name : {"ring", "bidirectional-ring", "recursive-doubling", "halving-doubling", "binary-tree",
                           "hierarchical-ring", "two-level"}) {
    const Schedule plain = build(name, request, {}), wide = build(name, request, {}, {{"stripe", {"3", ""}}});
    EXPECT_TRUE(plain.facts.empty() || plain.facts.front().name != "stripe") << name;
    ASSERT_EQ(plain.phases.size(), wide.phases.size());
    for (const Phase& phase : plain.phases)
      for (const Move& move : phase.moves) EXPECT_EQ(move.lane.width, 1) << name;
    for (const Phase& phase : wide.phases)
      for (const Move& move : phase.moves) EXPECT_EQ(move.lane.width, 3) << name;
    EXPECT_EQ(wide.facts.back(), (Fact{{"stripe"}, 3.0}));
  }
}

}  // namespace
}  // namespace helio::schedule
