// SPDX-License-Identifier: Apache-2.0
#include "studies/fred/wafer.h"

#include <algorithm>

#include "fabric/electrical/wafer_io.h"
#include "studies/fred/phase_time.h"

namespace helio::studies::fred_study {
namespace {

constexpr int kFewestChannels = 3;  // of an L1: 18 over five are 4, 4, 4, 3, 3

BitRate rate(double bytes_per_second) { return BitRate{8 * bytes_per_second}; }

}  // namespace

double io_share(Wafer wafer) {
  if (wafer == Wafer::kMesh)
    return fabric::wafer_io_broadcast(kColumns, kRows).share(rate(kMeshLink), rate(kIoChannel));
  return std::min(1.0, uplink_of(wafer) / ((kIoChannels - kFewestChannels) * kIoChannel));
}

double mesh_io_share_of_shards(int mp, int dp, int pp) {
  std::vector<std::vector<NodeId>> shards;
  for (int stage = 0; stage < pp; ++stage)
    for (int member = 0; member < mp; ++member) {
      std::vector<NodeId>& shard = shards.emplace_back();
      for (int replica = 0; replica < dp; ++replica) {
        const Position at = position_of(static_cast<std::uint32_t>(member + mp * (stage + pp * replica)), false);
        shard.push_back({static_cast<std::uint32_t>(at.x + kColumns * at.y)});
      }
    }
  return fabric::wafer_io_loads(kColumns, kRows, shards, true).share(rate(kMeshLink), rate(kIoChannel));
}

}  // namespace helio::studies::fred_study
