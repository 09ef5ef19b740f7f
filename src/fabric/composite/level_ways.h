// SPDX-License-Identifier: Apache-2.0
// Ways across the levels of a composite (composite.h): up to a gateway, over it, across, over a gateway of the other unit, and down.
//
//     from ──▶ gateway ═▶ level that joins the units ═▶ gateway ──▶ to        a node that is a gateway pays nothing to reach itself
//
// Which gateway a node takes that is none itself:
//
//     position   index · gateways / nodes of the unit: traffic spreads, neighbours keep together
//     nearest    least latency, then fewest links, to it; of several alike by position
//     hash       of both ends, as ECMP does
//     rail       where the receiver sits
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fabric/carrier.h"
#include "fabric/composite/levels.h"

namespace helio::fabric {

// A way that cannot be put together.
struct Blocked {
  std::string reason;
};

// By level and instance.
using LevelCarriers = std::vector<std::vector<std::unique_ptr<Carrier>>>;

class LevelWays {
 public:
  // `offset`: of the composite's own resources, the gateways, in the program.
  LevelWays(const std::vector<Level>& levels, const LevelCarriers& carriers, std::uint32_t offset)
      : levels_(levels), carriers_(carriers), offset_(offset) {}

  // The lowest level whose instance holds both.
  std::size_t meeting(NodeId a, NodeId b) const;

  // The way of a move. Throws Blocked. Requires: from != to.
  void join(NodeId from, NodeId to, const Carriage& carriage, Way& way);

  // Whether there is anything between the units of a level and those who hold their parts.
  bool has_doors(std::size_t k) const { return k > 0 && (!levels_[k].all || levels_[k].gateway_rate); }
  // Adds what lies between a holder and level k. Throws Blocked.
  void add_door(std::size_t k, bool out, NodeId holder, const Carriage& carriage, Doors::Door& door);

 private:
  // The gateway of its unit on level k that a node's bytes take: its own where it is one.
  std::uint32_t gateway_index(std::size_t k, NodeId node, NodeId other, const Carriage& carriage);
  std::uint32_t nearest_gateway(std::size_t k, NodeId node, const Carriage& carriage);
  NodeId gateway(std::size_t k, NodeId in_unit, std::uint32_t index) const;
  void cross_gate(std::size_t k, NodeId in_unit, std::uint32_t index, bool out,
                  std::vector<flow::LinkUse>& links) const;
  void pass(NodeId from, NodeId to, const Carriage& carriage, Way& way);
  void append(const Way& here, const Level& level, Way& way);

  const std::vector<Level>& levels_;
  const LevelCarriers& carriers_;
  const std::uint32_t offset_;
  int lit_ = 0;                          // levels with light on the way that is put together
  std::optional<std::size_t> has_lane_;  // the level whose light its move was given
  std::map<std::pair<std::size_t, std::uint32_t>, std::uint32_t> nearest_;  // by level and place in a unit
};

}  // namespace helio::fabric
