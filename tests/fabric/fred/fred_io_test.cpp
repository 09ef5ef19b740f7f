// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/fred_io.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

namespace helio::fabric {
namespace {

using Key = std::tuple<std::uint32_t, std::uint32_t, bool>;

std::map<Key, double> loads(const std::vector<long long>& radix, const std::vector<std::uint32_t>& channels,
                            const std::vector<std::vector<NodeId>>& shards, bool inward) {
  std::map<Key, double> found;
  for (const FredIoLoad& load : fred_io_loads(TreeLevels(radix), channels, shards, inward))
    found[{load.level, load.below, load.up}] += load.bytes;
  return found;
}

// Two L1s of two NPUs with 1 and 3 channels, everything to everyone: an NPU takes in all of it; L1 0 takes in the 3/4 that enter at
// L1 1 and sends up its own 1/4, and the other way round.
TEST(FredIo, ABroadcastByHand) {
  const auto in = loads({2, 2}, {1, 3}, {{{0}, {1}, {2}, {3}}}, true);
  const std::map<Key, double> expected = {{{0, 0, false}, 1},    {{0, 1, false}, 1},    {{0, 2, false}, 1},
                                          {{0, 3, false}, 1},    {{1, 0, false}, 0.75}, {{1, 0, true}, 0.25},
                                          {{1, 1, false}, 0.25}, {{1, 1, true}, 0.75}};
  EXPECT_EQ(in, expected);
  // Written back: the same bytes on the same links the other way
  std::map<Key, double> reversed;
  for (const auto& [key, bytes] : expected) reversed[{std::get<0>(key), std::get<1>(key), !std::get<2>(key)}] = bytes;
  EXPECT_EQ(loads({2, 2}, {1, 3}, {{{0}, {1}, {2}, {3}}}, false), reversed);
}

// A shard of one NPU: nobody else takes it in, and its own L1 sends nothing up.
TEST(FredIo, NothingGoesWhereNothingIsWanted) {
  const auto in = loads({2, 2}, {1, 3}, {{{0}}}, true);
  EXPECT_EQ(in, (std::map<Key, double>{{{0, 0, false}, 1}, {{1, 0, false}, 0.75}, {{1, 1, true}, 0.75}}));
}

// Three levels: what enters below a switch of level 2 does not come down to it again.
TEST(FredIo, MoreLevels) {
  const auto in = loads({1, 2, 2}, {1, 1, 1, 1}, {{{0}, {1}, {2}, {3}}}, true);
  EXPECT_EQ(in.at({1, 0, false}), 0.75);
  EXPECT_EQ(in.at({2, 0, false}), 0.5);
  EXPECT_EQ(in.at({2, 0, true}), 0.5);
}

}  // namespace
}  // namespace helio::fabric
