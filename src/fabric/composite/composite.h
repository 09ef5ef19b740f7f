// SPDX-License-Identifier: Apache-2.0
// `composite`: fabrics made of fabrics. Level i+1 joins the instances of level i, each of which is one node of it.
//
//     level 1   wdm-ring of 3 nodes          ┌───────────○───────────┐
//                                            ○                       ○        a node of the ring is a whole wafer (a unit),
//                                         ┌──┴──┐                 ┌──┴──┐     with the ring's own injection, which its gateways share
//     level 0   a fred for each of them   n n n n                 n n n n
//                                         ▲   ▲ gateways: nodes that reach upstairs, each with `gateway_rate`
//
// Nodes count through: node x is in unit x / n0 of level 1, n0 being the nodes of level 0. A move between nodes of one instance is that
// instance's own affair. Another goes up, across and down: to a gateway of its unit by the levels below, which costs nothing where the
// sender is one, over the gateway, between units by the level that joins them, over a gateway of the other unit, to its end.
//
// Collectives by level (schedule/levels/by_level.h) are lowered stage by stage, each by the level's own fabric: its wavelengths, circuits,
// operators and controllers work as in the fabric alone. Other schedules go move by move; there light may be crossed on one level of a way,
// and not through fabrics that must be settled for a whole schedule (oddl, sip-ring, optinc).
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "fabric/composite/levels_picture.h"
#include "fabric/fabric.h"
#include "fabric/footing.h"

namespace helio::fabric {

Description describe_composite();
std::unique_ptr<Fabric> make_composite(const Parameters& parameters);
// On an equal footing (footing.h): latencies and overheads on every level; nodes inject on the lowest, and what joins its instances has
// the rates that it was written with.
Settings footing_of_composite(Settings given, const Footing& footing);

// What it is made of, to be drawn; none of other fabrics.
std::optional<LevelsPicture> levels_picture(const Fabric& fabric);

// Which level a resource belongs to, by its number in a program whose first resources are the composite's.
class LevelResources {
 public:
  // The lowest first; gateways belong to the level that they lead to.
  std::optional<std::uint32_t> level_of(flow::ResourceId id) const;

 private:
  friend LevelResources level_resources(const Fabric& fabric);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> stretches_;  // the number after the last one, and its level
};
// Of other fabrics it knows none.
LevelResources level_resources(const Fabric& fabric);

}  // namespace helio::fabric
