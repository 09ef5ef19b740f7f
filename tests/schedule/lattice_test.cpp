// SPDX-License-Identifier: Apache-2.0
#include "schedule/lattice.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace helio::schedule {
namespace {

using Runs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Runs runs(const Stage& stage, Position p, Position block, Position blocks) {
  Runs found;
  stage.for_each_run(p, block, blocks,
                     [&](std::uint32_t slot, std::uint32_t count) { found.emplace_back(slot, count); });
  return found;
}

TEST(Lattice, AxisZeroIsFastest) {
  // The drawing: 4x3, rank 6 is (2, 1).
  const Lattice lattice({{.extent = 4}, {.extent = 3}});
  EXPECT_EQ(lattice.ranks(), 12);
  EXPECT_EQ(lattice.coordinate(6, 0), 2);
  EXPECT_EQ(lattice.coordinate(6, 1), 1);
  EXPECT_EQ(lattice.at(6, 0, 3), 7);
  EXPECT_EQ(lattice.at(6, 1, 2), 10);
}

TEST(Lattice, ByRankTheBlocksOfAStageAreScattered) {
  // Reduce-scatter, two shares: block r is slots 2r, 2r+1. In order 0, 1 the block of coordinate 2 is that of ranks 2,
  // 6, 10: slots 4, 12, 20; then rank 6 is in charge of them, and the block of coordinate 1 is its own. In order 1, 0
  // row 1 is ranks 4..7.
  const Lattice lattice({{.extent = 4}, {.extent = 3}});
  const Share first = lay_out(lattice, Kind::kReduceScatter, {0, 1}, +1, 0, 2);
  EXPECT_EQ(runs(Stage(lattice, first, 0, 24), 6, 2, 1), (Runs{{4, 1}, {12, 1}, {20, 1}}));
  EXPECT_EQ(runs(Stage(lattice, first, 1, 24), 6, 1, 1), (Runs{{12, 1}}));
  const Share second = lay_out(lattice, Kind::kReduceScatter, {1, 0}, +1, 1, 2);
  EXPECT_EQ(runs(Stage(lattice, second, 0, 24), 6, 1, 1), (Runs{{9, 1}, {11, 1}, {13, 1}, {15, 1}}));
  EXPECT_TRUE(Stage(lattice, second, 0, 24).is_cyclic());
  EXPECT_FALSE(Stage(lattice, first, 0, 24).is_cyclic());
}

TEST(Lattice, ApartTheyAreInOneRun) {
  // All-reduce, share 1 of 2 has slots 12..23; in order 0, 1 coordinate 2 of axis 0 is three slots from 12 + 2*3 on.
  const Lattice lattice({{.extent = 4}, {.extent = 3}});
  const Share share = lay_out(lattice, Kind::kAllReduce, {0, 1}, +1, 1, 2);
  EXPECT_EQ(runs(Stage(lattice, share, 0, 24), 6, 2, 1), (Runs{{18, 3}}));
  EXPECT_EQ(runs(Stage(lattice, share, 1, 24), 6, 1, 1), (Runs{{19, 1}}));
  // Several blocks past the last: to the end, then from the beginning of the share; modulo the buffer where it is all
  // of it.
  EXPECT_EQ(runs(Stage(lattice, share, 0, 24), 6, 3, 2), (Runs{{21, 3}, {12, 3}}));
  const Share whole = lay_out(lattice, Kind::kAllReduce, {0, 1});
  EXPECT_EQ(runs(Stage(lattice, whole, 0, 12), 6, 3, 2), (Runs{{9, 6}}));
}

TEST(Lattice, MoreMovesThanMemoryAreInfeasible) {
  // 65536 ranks in rows of 256: 256 runs of each block, 2^24 moves, just fit; rows of 128 have 512 runs.
  const auto stage = [](Position row) {
    const Lattice lattice({{.extent = row}, {.extent = 65536 / row}});
    const Share share = lay_out(lattice, Kind::kReduceScatter, {0, 1});
    return Stage(lattice, share, 0, 65536).runs().size();
  };
  EXPECT_EQ(stage(256), 256u);
  EXPECT_THROW(stage(128), Error);
}

}  // namespace
}  // namespace helio::schedule
