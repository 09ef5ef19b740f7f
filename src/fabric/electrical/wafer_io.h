// SPDX-License-Identifier: Apache-2.0
// I/O of a wafer whose NPUs form a mesh: what a stream through the channels at its edge puts on every link
// (FRED, arXiv 2406.19580, the I/O hotspot; spec papers/fred.md, 2.7).
//
//              ▼   ▼   ▼            X·Y nodes, node = x + X·y; 2(X+Y) channels, one at every position of the edge
//           ┌──┬───┬───┬──┐         (a corner has two). A channel reaches everybody by going straight across first and
//         ▶ │0 ─ 1 ─ 2    │ ◀       fanning out sideways then:
//         ▶ │3 ─ 4 ─ 5    │ ◀
//           └──┴───┴───┴──┘           left, right    along their row, then up and down every column
//              ▲   ▲   ▲              top, bottom    along their column, then left and right along every row
//
// So the way to one node is X-Y from the sides and Y-X from top and bottom; branches without destinations are not taken. When
// all channels send to all nodes, the link from column x to x + 1 carries one channel of its own row and the 2(x + 1) of the
// columns behind it: 2X−1 at the most, 2N−1 on N×N, which is the published count. Rows of 5x4 carry 9, columns 7.
//
// Writing back is the same trees from the leaves, added on the way: the same loads on the reversed links.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/id.h"
#include "base/quantity.h"

namespace helio::fabric {

struct WaferIoLink {
  NodeId from, to;  // neighbours
  double load = 0;  // in channels: 1 is what one channel carries
  friend bool operator==(const WaferIoLink&, const WaferIoLink&) = default;
};

struct WaferIoLoads {
  std::uint32_t channels = 0;
  std::vector<WaferIoLink> links;  // those with a load, by `from`, then `to`

  double hottest() const;  // load of the busiest link; 0 without links
  // Bytes on a link for each byte of a stream that all channels share evenly.
  double per_byte(const WaferIoLink& link) const { return link.load / channels; }
  // The share of their rate that the channels reach. Requires: rates above zero.
  double share(BitRate link, BitRate channel) const;
};

std::uint32_t wafer_io_channels(std::uint32_t columns, std::uint32_t rows);

// A stream in equal parts, each copied to all nodes of its shard (inward) or added up from them (outward); every channel carries
// its share of every part. Requires: columns and rows above zero, nodes of the mesh, shards that are not empty.
WaferIoLoads wafer_io_loads(std::uint32_t columns, std::uint32_t rows, std::span<const std::vector<NodeId>> shards,
                            bool inward);

// One shard of all nodes.
WaferIoLoads wafer_io_broadcast(std::uint32_t columns, std::uint32_t rows);

}  // namespace helio::fabric
