// SPDX-License-Identifier: Apache-2.0
// The wafer's FRED fabric at the level of its chiplets: a tree of two levels in several planes, and the routing of flows
// through one plane (arXiv 2406.19580, sections 5 and 6; wiring derived in spec papers/fred.md, 2.6).
//
//   one of 5 planes          L2 chip 0, Fred_3(10)                    L2 chip 1, Fred_3(10)
//                          0 1   2 3   4 5   6 7   8 9              0 1   2 3   4 5   6 7   8 9     ports
//                          ║ ║   ║ ║    …     …    ║ ║              ║ ║   ║ ║    …     …    ║ ║     two links to each L1,
//                         L1 0  L1 1              L1 4             L1 0  L1 1              L1 4     both ways
//
//   L1 chiplet, Fred_3(12)       ports   0 1 2 3    4 5           6 7           8 … 11
//   (Fred_3(11) with 3 I/O)              4 NPUs     to L2 chip 0  to L2 chip 1  I/O controllers
//
//   NPU n is port n mod 4 of the chiplet of group n / 4 in every plane, 600 GB/s each: 3 TB/s in all
//
// A flow whose ends lie in one group is one flow of that L1 chiplet. One that crosses takes
//   - in each L1 with inputs of it: a reduce, local inputs → one uplink;
//   - in ONE L2 chip: one flow from those uplinks to the downlinks of every L1 with outputs of it;
//   - in each L1 with outputs of it: a multicast, one downlink → local outputs.
// So a chip carries at most `links_per_chip` collectives per L1 and direction (packing), and every chip must route what it
// carries (colouring, fred_router.h). The rule of one chip and one uplink per L1, collective and plane is the spec's; all
// proofs here are within it. The order of ports is ours: NPUs, uplinks of chip 0, of chip 1, …, I/O; in an L2 chip the links
// of group 0, of group 1, …
//
// `route_tree` is exact: it tries every chip for every flow, and every link where links are not alike, with the exact router
// in every chip. Where L1 has an even number of NPUs and chips have one or two links per L1, links of one chip are alike: they are
// on one edge element at both ends, so any choice routes when one does.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "fabric/fred/fred_router.h"

namespace helio::fabric {

struct FredTreeShape {
  std::uint32_t groups = 5;                            // L1 groups (spec 2.6)
  std::uint32_t npus = 4;                              // per group
  std::uint32_t planes = 5;                            // chiplets per group, links per NPU
  std::uint32_t chips_per_plane = 2;                   // L2 chips
  std::uint32_t links_per_chip = 2;                    // from an L2 chip to each L1 of its plane, each way
  std::vector<std::uint32_t> io_ports{4, 4, 4, 3, 3};  // I/O controllers per group
  std::uint32_t middles = 3;                           // m of every chip

  // Ends of flows: NPUs group by group, then I/O controllers group by group.
  std::uint32_t places() const { return groups * npus; }  // for NPUs
  std::uint32_t ends() const;
  std::uint32_t group_of(std::uint32_t end) const;
  std::uint32_t l1_port(std::uint32_t end) const;
  // Uplinks, and downlinks, of an L1 chiplet.
  std::uint32_t uplinks() const { return chips_per_plane * links_per_chip; }
  std::uint32_t l1_uplink_port(std::uint32_t chip, std::uint32_t link) const {
    return npus + chip * links_per_chip + link;
  }
  std::uint32_t l2_port(std::uint32_t group, std::uint32_t link) const { return group * links_per_chip + link; }
  std::uint32_t l1_ports(std::uint32_t group) const { return npus + uplinks() + io_ports[group]; }
  std::uint32_t l2_ports() const { return groups * links_per_chip; }
  friend bool operator==(const FredTreeShape&, const FredTreeShape&) = default;
};

// Throws Error(kInput) when a number is 0, a chip would have fewer than two ports, or io_ports has not one number per group.
void check_shape(const FredTreeShape& shape);

inline constexpr std::uint32_t kNoLink = 0xffffffffu;

// A flow in an L1 that it touches: the links it takes to and from its L2 chip.
struct TreeStop {
  std::uint32_t group = 0;
  std::uint32_t up = kNoLink;    // 0 … links_per_chip−1; kNoLink: no inputs here, or a local flow
  std::uint32_t down = kNoLink;  // likewise for outputs
  friend bool operator==(const TreeStop&, const TreeStop&) = default;
};

// How one flow goes through a plane.
struct TreeWay {
  std::uint32_t flow = 0;
  std::uint32_t chip = kNoLink;  // kNoLink: it stays in its L1
  std::vector<TreeStop> stops;   // groups ascending
};

// One chip of a plane with its setting.
struct FredChip {
  std::vector<Flow> flows;            // over the chip's ports
  std::vector<std::uint32_t> owners;  // of each, the flow of the tree that it is a part of
  FredConfiguration configuration;
};

struct FredPlane {
  std::vector<TreeWay> ways;  // of the flows it carries, ascending
  std::vector<FredChip> l1;   // by group
  std::vector<FredChip> l2;   // by chip
  std::uint64_t tried = 0;    // choices of links in an L1 made
};

enum class TreeObstacle : std::uint8_t {
  kUplinks,    // more collectives cross the border of one L1 than it has links that way
  kChipSlots,  // counted: so many collectives of such spans do not fit into the L2 chips
  kPacking,    // every choice of L2 chips was tried, links alone
  kColouring,  // they can be packed, and in every packing some chip blocks
  kWorkLimit,  // nothing is known
};

struct FredTreeBlocked {
  TreeObstacle kind = TreeObstacle::kPacking;
  bool proven = true;
  std::vector<std::uint32_t>
      flows;  // do not fit; a smallest such set: without any one the rest does, unless work ran out
  std::string reason;
  std::uint64_t tried = 0;
};

using FredTreeRouting = std::variant<FredPlane, FredTreeBlocked>;

struct TreeRouteOptions {
  std::uint64_t work_limit = 200'000;  // choices of links in an L1, over the whole question
  RouteOptions chip;                   // of each chip's router
};

// All flows through one plane at once: then every plane carries the same and each flow has the full rate. Throws as check_shape
// and, over ends, as check_flows.
FredTreeRouting route_tree(const FredTreeShape& shape, std::span<const Flow> flows,
                           const TreeRouteOptions& options = {});

// The same for some of the flows, by their numbers (ascending); ways and owners keep them.
FredTreeRouting route_tree(const FredTreeShape& shape, std::span<const Flow> flows,
                           std::span<const std::uint32_t> chosen, const TreeRouteOptions& options = {});

}  // namespace helio::fabric
