// SPDX-License-Identifier: Apache-2.0
#include "base/sorted_blocks.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <functional>
#include <set>

#include "base/random.h"

namespace helio {
namespace {

using Blocks = SortedBlocks<std::uint32_t, std::less<>>;

std::vector<std::uint32_t> all(const Blocks& blocks) {
  std::vector<std::uint32_t> values;
  blocks.any_of([&](std::uint32_t value) { return values.push_back(value), false; });
  return values;
}

TEST(SortedBlocks, FindsTheFirstThatIsNotBefore) {
  Blocks blocks;
  EXPECT_TRUE(blocks.empty());
  EXPECT_EQ(blocks.lower_bound(1), nullptr);
  for (const std::uint32_t value : {30u, 10u, 20u}) blocks.insert(value);
  EXPECT_EQ(blocks.front(), 10u);
  EXPECT_EQ(*blocks.lower_bound(20), 20u);
  EXPECT_EQ(*blocks.lower_bound(21), 30u);
  EXPECT_EQ(blocks.lower_bound(31), nullptr);
  EXPECT_TRUE(blocks.any_of([](std::uint32_t value) { return value == 30; }));
}

// Hundreds come, so that blocks are cut, then most go, so that they join.
RC_GTEST_PROP(SortedBlocks, IsASet, (std::uint64_t seed)) {
  Random random(seed);
  Blocks blocks;
  std::set<std::uint32_t> expected;
  for (const std::uint64_t growth : {9, 5, 1})
    for (int i = 0; i < 400; ++i) {
      const auto value = static_cast<std::uint32_t>(random.below(2000));
      if (random.below(10) < growth) {
        if (expected.insert(value).second) blocks.insert(value);
      } else if (const auto found = expected.lower_bound(value); found != expected.end()) {
        RC_ASSERT(*blocks.lower_bound(value) == *found);
        blocks.erase(*found);
        expected.erase(found);
      } else {
        RC_ASSERT(blocks.lower_bound(value) == nullptr);
      }
    }
  RC_ASSERT(blocks.size() == expected.size());
  RC_ASSERT(blocks.empty() == expected.empty());
  RC_ASSERT(all(blocks) == std::vector<std::uint32_t>(expected.begin(), expected.end()));
}

}  // namespace
}  // namespace helio
