// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/wafer_io.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/random.h"

namespace helio::fabric {
namespace {

using Link = std::pair<std::uint32_t, std::uint32_t>;

double load_of(const WaferIoLoads& loads, std::uint32_t from, std::uint32_t to) {
  for (const WaferIoLink& link : loads.links)
    if (link.from.value == from && link.to.value == to) return link.load;
  return 0;
}

// The published hotspot: 4N channels, the hottest link of N×N carries 2N−1 of them, 7 on 4×4 (papers/fred.md 2.7).
TEST(WaferIo, TheHottestLinkOfASquareCarriesTwoNLessOne) {
  for (std::uint32_t n = 2; n <= 8; ++n) {
    const WaferIoLoads loads = wafer_io_broadcast(n, n);
    EXPECT_EQ(loads.channels, 4 * n);
    EXPECT_EQ(loads.hottest(), 2 * n - 1) << n;
  }
  EXPECT_EQ(wafer_io_broadcast(4, 4).hottest(), 7);
}

// 2(5+4) = 18 channels, as published. Rows 2·5−1 = 9, columns 2·4−1 = 7; 9 · 128 = 1152 GB/s on a link of 750: 0.6510.
TEST(WaferIo, TheWaferOfFred) {
  const WaferIoLoads loads = wafer_io_broadcast(5, 4);
  EXPECT_EQ(loads.channels, 18u);
  double rows = 0, columns = 0;
  for (const WaferIoLink& link : loads.links) {
    double& most = link.from.value / 5 == link.to.value / 5 ? rows : columns;
    most = std::max(most, link.load);
  }
  EXPECT_EQ(rows, 9);
  EXPECT_EQ(columns, 7);
  EXPECT_DOUBLE_EQ(loads.share(BitRate{8 * 750e9}, BitRate{8 * 128e9}), 750.0 / 1152);
  EXPECT_EQ(loads.share(BitRate{8 * 3e12}, BitRate{8 * 128e9}), 1);
  // From column x to x+1: its own row and two for each column behind, 1 + 2(x+1); and mirrored
  for (std::uint32_t y = 0; y < 4; ++y)
    for (std::uint32_t x = 0; x < 4; ++x) {
      EXPECT_EQ(load_of(loads, 5 * y + x, 5 * y + x + 1), 1 + 2 * (x + 1));
      EXPECT_EQ(load_of(loads, 5 * y + 4 - x, 5 * y + 3 - x), 1 + 2 * (x + 1));
    }
}

// Way by way: from the sides X first, from top and bottom Y first; the union for all destinations is one channel's tree.
std::map<Link, double> walked(std::uint32_t columns, std::uint32_t rows,
                              const std::vector<std::vector<NodeId>>& shards) {
  std::map<Link, double> loads;
  for (std::uint32_t channel = 0; channel < 2 * (columns + rows); ++channel)
    for (const std::vector<NodeId>& shard : shards) {
      std::set<Link> tree;
      for (const NodeId destination : shard) {
        const bool side = channel < 2 * rows;
        std::uint32_t x = side ? (channel % 2 ? columns - 1 : 0) : (channel - 2 * rows) / 2;
        std::uint32_t y = side ? channel / 2 : (channel % 2 ? rows - 1 : 0);
        const std::uint32_t to_x = destination.value % columns, to_y = destination.value / columns;
        const auto walk_x = [&] {
          while (x != to_x) {
            const std::uint32_t next = x < to_x ? x + 1 : x - 1;
            tree.insert({x + columns * y, next + columns * y});
            x = next;
          }
        };
        const auto walk_y = [&] {
          while (y != to_y) {
            const std::uint32_t next = y < to_y ? y + 1 : y - 1;
            tree.insert({x + columns * y, x + columns * next});
            y = next;
          }
        };
        if (side) walk_x();
        walk_y();
        walk_x();
      }
      for (const Link& link : tree) loads[link] += 1.0 / static_cast<double>(shards.size());
    }
  return loads;
}

TEST(WaferIo, LoadsAreThoseOfTreesThatAreWalked) {
  Random random(7);
  for (int trial = 0; trial < 60; ++trial) {
    const auto columns = static_cast<std::uint32_t>(1 + random.below(6)),
               rows = static_cast<std::uint32_t>(1 + random.below(6));
    std::vector<std::vector<NodeId>> shards(1 + random.below(4));
    for (std::vector<NodeId>& shard : shards) {
      shard.push_back({static_cast<std::uint32_t>(random.below(columns * rows))});
      for (std::uint32_t node = 0; node < columns * rows; ++node)
        if (node != shard.front().value && random.below(3) == 0) shard.push_back({node});
    }
    const std::map<Link, double> expected = walked(columns, rows, shards);
    const WaferIoLoads in = wafer_io_loads(columns, rows, shards, true);
    ASSERT_EQ(in.links.size(), expected.size()) << columns << "x" << rows;
    std::size_t i = 0;
    for (const auto& [link, load] : expected) {
      EXPECT_EQ(in.links[i].from.value, link.first);
      EXPECT_EQ(in.links[i].to.value, link.second);
      EXPECT_NEAR(in.links[i].load, load, 1e-12);
      ++i;
    }

    // Writing back: the same on reversed links
    const WaferIoLoads out = wafer_io_loads(columns, rows, shards, false);
    ASSERT_EQ(out.links.size(), in.links.size());
    for (const WaferIoLink& link : in.links) EXPECT_EQ(load_of(out, link.to.value, link.from.value), link.load);
  }
}

// GPT-3's 2-5-2 on 5x4, column by column: every MP-PP shard is one row. A row link carries its row's channel in full and a quarter
// of the 2(x+1) column channels behind it, 1 + 8/4 = 3 at the most: 384 GB/s, and nothing has to wait.
TEST(WaferIo, ShardsThatAreRowsLeaveNoHotspot) {
  std::vector<std::vector<NodeId>> shards(4);
  for (std::uint32_t y = 0; y < 4; ++y)
    for (std::uint32_t x = 0; x < 5; ++x) shards[y].push_back({x + 5 * y});
  const WaferIoLoads loads = wafer_io_loads(5, 4, shards, true);
  EXPECT_EQ(loads.hottest(), 3);
  EXPECT_EQ(loads.share(BitRate{8 * 750e9}, BitRate{8 * 128e9}), 1);
}

// A stream to one node that is not at the edge: every byte arrives there over one link, and none goes on.
TEST(WaferIo, AByteForOneNodeArrivesOnce) {
  const std::vector<std::vector<NodeId>> shards = {{NodeId{7}}};  // (2, 1) of 5x4
  const WaferIoLoads loads = wafer_io_loads(5, 4, shards, true);
  double arriving = 0;
  for (const WaferIoLink& link : loads.links) {
    if (link.to.value == 7) arriving += loads.per_byte(link);
    EXPECT_NE(link.from.value, 7u);
  }
  EXPECT_NEAR(arriving, 1, 1e-12);
  EXPECT_EQ(wafer_io_broadcast(1, 1).hottest(), 0);
  EXPECT_EQ(wafer_io_broadcast(1, 1).share(BitRate{1}, BitRate{1}), 1);
}

}  // namespace
}  // namespace helio::fabric
