// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/wafer_io.h"

#include <algorithm>

namespace helio::fabric {
namespace {

// Where the nodes of a shard lie along one axis: over all lines, and on each of them.
struct Extent {
  static constexpr std::uint32_t kNowhere = 0xffffffffu;
  struct Span {
    std::uint32_t first = kNowhere, last = 0;
    void add(std::uint32_t at) {
      first = std::min(first, at);
      last = std::max(last, at);
    }
    bool beyond(std::uint32_t at) const { return first != kNowhere && last > at; }
    bool up_to(std::uint32_t at) const { return first <= at; }
  };
  Span all;
  std::vector<Span> line;
};

// Channels that cross between positions `at` and `at` + 1 of a line, upwards and downwards.
struct Crossing {
  double upward = 0, downward = 0;
};

// The line's own two channels, one at each end, go on while anything of the shard is ahead, on whichever line. Those at the two
// ends of each line across it come from behind and go on while something is ahead on this line.
Crossing crossing(const Extent& extent, std::uint32_t line, std::uint32_t at, std::uint32_t length) {
  const Extent::Span& here = extent.line[line];
  Crossing crossing;
  if (extent.all.beyond(at)) crossing.upward += 1;
  if (here.beyond(at)) crossing.upward += 2.0 * (at + 1);
  if (extent.all.up_to(at)) crossing.downward += 1;
  if (here.up_to(at)) crossing.downward += 2.0 * (length - 1 - at);
  return crossing;
}

}  // namespace

double WaferIoLoads::hottest() const {
  double most = 0;
  for (const WaferIoLink& link : links) most = std::max(most, link.load);
  return most;
}

double WaferIoLoads::share(BitRate link, BitRate channel) const {
  const double most = hottest();
  return most == 0 ? 1 : std::min(1.0, link / (most * channel));
}

std::uint32_t wafer_io_channels(std::uint32_t columns, std::uint32_t rows) { return 2 * (columns + rows); }

WaferIoLoads wafer_io_loads(std::uint32_t columns, std::uint32_t rows, std::span<const std::vector<NodeId>> shards,
                            bool inward) {
  // Every link between neighbours, as it is when data comes in
  struct Pair {
    std::uint32_t lower, upper;
    Crossing load;
  };
  std::vector<Pair> pairs;
  for (const std::vector<NodeId>& shard : shards) {
    Extent along_row{.all = {}, .line = std::vector<Extent::Span>(rows)};
    Extent along_column{.all = {}, .line = std::vector<Extent::Span>(columns)};
    for (const NodeId node : shard) {
      const std::uint32_t x = node.value % columns, y = node.value / columns;
      along_row.all.add(x);
      along_row.line[y].add(x);
      along_column.all.add(y);
      along_column.line[x].add(y);
    }
    std::size_t next = 0;
    const auto add = [&](std::uint32_t lower, std::uint32_t upper, Crossing load) {
      if (next == pairs.size()) pairs.push_back({lower, upper, {}});
      pairs[next].load.upward += load.upward;
      pairs[next].load.downward += load.downward;
      ++next;
    };
    for (std::uint32_t y = 0; y < rows; ++y)
      for (std::uint32_t x = 0; x < columns; ++x) {
        const std::uint32_t node = x + columns * y;
        if (x + 1 < columns) add(node, node + 1, crossing(along_row, y, x, columns));
        if (y + 1 < rows) add(node, node + columns, crossing(along_column, x, y, rows));
      }
  }

  // Both directions of each, turned round when data goes out
  WaferIoLoads loads{.channels = wafer_io_channels(columns, rows), .links = {}};
  const auto parts = static_cast<double>(shards.size());
  for (const Pair& pair : pairs) {
    const NodeId lower{pair.lower}, upper{pair.upper};
    const double up = inward ? pair.load.upward : pair.load.downward;
    const double down = inward ? pair.load.downward : pair.load.upward;
    if (up > 0) loads.links.push_back({lower, upper, up / parts});
    if (down > 0) loads.links.push_back({upper, lower, down / parts});
  }
  std::ranges::sort(loads.links, {}, [](const WaferIoLink& link) { return std::pair(link.from, link.to); });
  return loads;
}

WaferIoLoads wafer_io_broadcast(std::uint32_t columns, std::uint32_t rows) {
  std::vector<NodeId> everyone;
  for (std::uint32_t node = 0; node < columns * rows; ++node) everyone.push_back({node});
  return wafer_io_loads(columns, rows, {&everyone, 1}, true);
}

}  // namespace helio::fabric
