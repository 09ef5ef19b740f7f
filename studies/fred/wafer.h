// SPDX-License-Identifier: Apache-2.0
// The published machines (papers/fred.md 2.5 to 2.7): a wafer of 20 NPUs as a mesh of 5x4, and as a FRED tree in four variants.
#pragma once

#include <array>

namespace helio::studies::fred_study {

enum class Wafer { kMesh, kA, kB, kC, kD };
inline constexpr std::array kTrees = {Wafer::kA, Wafer::kB, Wafer::kC, Wafer::kD};

// Bytes per second
inline constexpr double kNpuRate = 3e12;     // of an NPU's link to its L1, each way (paper 6.2.3)
inline constexpr double kMeshLink = 750e9;   // 3 TB/s over four sides (paper 7.1)
inline constexpr double kIoChannel = 128e9;  // of one of 18 I/O controllers (paper)
inline constexpr int kIoChannels = 18, kNpus = 20, kColumns = 5, kRows = 4;
inline constexpr int kNpusPerL1 = 4;  // five L1 groups

// Of one L1 to the L2, each way (paper 8.1).
constexpr double uplink_of(Wafer wafer) { return wafer == Wafer::kA || wafer == Wafer::kB ? 1.5e12 : 12e12; }
// Whether its switches add; all variants copy.
constexpr bool reduces(Wafer wafer) { return wafer == Wafer::kB || wafer == Wafer::kD; }

constexpr const char* name_of(Wafer wafer) {
  constexpr const char* kNames[] = {"mesh", "Fred-A", "Fred-B", "Fred-C", "Fred-D"};
  return kNames[static_cast<int>(wafer)];
}
// As `fabric.variant` of the product has it. Requires: not the mesh.
constexpr const char* variant_of(Wafer wafer) { return name_of(wafer) + 5; }

// The share of their rate that all I/O channels reach when they broadcast to all NPUs (2.7): the mesh is bound by its hottest
// link, a tree by the uplink of the L1 with the fewest channels, which takes in the 15 others.
double io_share(Wafer wafer);

// The same for a stream in MP·PP shards, each to its DP replicas; ours, the paper takes the broadcast for all.
double mesh_io_share_of_shards(int mp, int dp, int pp);

}  // namespace helio::studies::fred_study
