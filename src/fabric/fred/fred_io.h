// SPDX-License-Identifier: Apache-2.0
// I/O of a wafer whose NPUs are under a tree: what a stream through channels at the L1 switches puts on every link (FRED, arXiv 2406.19580;
// papers/fred.md 2.7). The mesh's counterpart is wafer_io.h.
//
//        L2                 channels c₀ … at the L1s, Σ c of them. Of a stream to everybody an L1 takes in what enters elsewhere,
//      ╱  │  ╲              1 − c/Σ, and sends up what enters below it, c/Σ; an NPU takes in all of it.
//    L1   L1   L1 ◁ I/O     18 channels at 5 L1s, 1.5 TB/s up: 15·128 GB/s want to come down to an L1 with 3 of them, so that a
//                           broadcast gets 1.5/1.92 = 0.78125 of the channels' rate.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/id.h"
#include "fabric/tree_levels.h"

namespace helio::fabric {

// On the link of a switch, or NPU, of a level: bytes per byte of the stream.
struct FredIoLoad {
  std::uint32_t level = 0, below = 0;
  bool up = false;
  double bytes = 0;
};

// `channels`: at every L1 switch. Shards as in Fabric::stream. Requires: at least one channel, one shard, no shard empty.
std::vector<FredIoLoad> fred_io_loads(const TreeLevels& levels, std::span<const std::uint32_t> channels,
                                      std::span<const std::vector<NodeId>> shards, bool inward);

}  // namespace helio::fabric
