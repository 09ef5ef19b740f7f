// SPDX-License-Identifier: Apache-2.0
// A configured plane of a FRED tree on real numbers: up through the L1 chiplets, through the L2 chips, down through the same L1
// chiplets, each chip micro-switch by micro-switch (fred_simulation.h). Only links and settings count here, no flows.
//
//     NPUs ──▶ L1 ──up──▶ L2 ──down──▶ L1 ──▶ NPUs
//               └── local ──────────────┘       nothing that came down may go up again: checked
#pragma once

#include <fmt/format.h>

#include <cassert>
#include <map>
#include <span>
#include <vector>

#include "fabric/fred/fred_simulation.h"
#include "fabric/fred/fred_tree.h"

namespace helio::fabric {

struct FredTreePassage {
  std::vector<PortVector> outputs;  // at each end of the tree
  bool settled = true;              // what went up did not depend on what came down
  FredActivity activity;            // over all chips
};

inline void add(FredActivity& sum, const FredActivity& part) {
  sum.adders += part.adders;
  sum.copiers += part.copiers;
  sum.crossed += part.crossed;
}

// Chips of one size, built once.
class Switches {
 public:
  explicit Switches(std::uint32_t middles) : middles_(middles) {}
  std::vector<PortVector> pass(const FredChip& chip, const std::vector<PortVector>& inputs, FredActivity* activity) {
    const auto ports = static_cast<std::uint32_t>(inputs.size());
    const FredSwitch& fred = switches_.try_emplace(ports, ports, middles_).first->second;
    const FredPassage passage = simulate(fred, chip.configuration.settings, inputs);
    if (activity) add(*activity, passage.activity);
    return outputs(fred, passage);
  }

 private:
  std::uint32_t middles_;
  std::map<std::uint32_t, FredSwitch> switches_;
};

// Requires: a vector (or nothing) per end, all of one length; a plane of that shape.
inline FredTreePassage simulate(const FredTreeShape& shape, const FredPlane& plane,
                                std::span<const PortVector> inputs) {
  assert(inputs.size() == shape.ends() && "a vector, or nothing, for each end");
  assert(plane.l1.size() == shape.groups && plane.l2.size() == shape.chips_per_plane && "a plane of this shape");
  FredTreePassage passage;
  passage.outputs.resize(shape.ends());
  Switches switches(shape.middles);

  // Up: only the ends feed the L1 chiplets
  std::vector<std::vector<PortVector>> l1_in(shape.groups), l1_up(shape.groups);
  for (std::uint32_t g = 0; g < shape.groups; ++g) l1_in[g].resize(shape.l1_ports(g));
  for (std::uint32_t end = 0; end < shape.ends(); ++end) l1_in[shape.group_of(end)][shape.l1_port(end)] = inputs[end];
  for (std::uint32_t g = 0; g < shape.groups; ++g) l1_up[g] = switches.pass(plane.l1[g], l1_in[g], nullptr);

  // Through the L2 chips, over the links
  for (std::uint32_t chip = 0; chip < shape.chips_per_plane; ++chip) {
    std::vector<PortVector> in(shape.l2_ports());
    for (std::uint32_t g = 0; g < shape.groups; ++g)
      for (std::uint32_t link = 0; link < shape.links_per_chip; ++link)
        in[shape.l2_port(g, link)] = l1_up[g][shape.l1_uplink_port(chip, link)];
    const std::vector<PortVector> out = switches.pass(plane.l2[chip], in, &passage.activity);
    for (std::uint32_t g = 0; g < shape.groups; ++g)
      for (std::uint32_t link = 0; link < shape.links_per_chip; ++link)
        l1_in[g][shape.l1_uplink_port(chip, link)] = out[shape.l2_port(g, link)];
  }

  // Down: ends and downlinks feed the L1 chiplets, and what goes up is what went up
  for (std::uint32_t g = 0; g < shape.groups; ++g) {
    const std::vector<PortVector> out = switches.pass(plane.l1[g], l1_in[g], &passage.activity);
    for (std::uint32_t u = 0; u < shape.uplinks(); ++u)
      passage.settled &= out[shape.npus + u] == l1_up[g][shape.npus + u];
    for (std::uint32_t end = 0; end < shape.ends(); ++end)
      if (shape.group_of(end) == g) passage.outputs[end] = out[shape.l1_port(end)];
  }
  return passage;
}

// For all vectors: a unit vector enters at every end, also where no flow begins. `flows` are all; the plane's own are compared.
inline FredCheck check_collective(const FredTreeShape& shape, const FredPlane& plane, std::span<const Flow> flows) {
  std::vector<PortVector> units(shape.ends(), PortVector(shape.ends(), 0.0));
  for (std::uint32_t end = 0; end < shape.ends(); ++end) units[end][end] = 1;
  std::vector<Flow> carried;
  for (const TreeWay& way : plane.ways) carried.push_back(flows[way.flow]);

  const FredTreePassage passage = simulate(shape, plane, units);
  if (!passage.settled) return {false, "what came down from an L2 chip goes up again", passage.activity};
  const std::vector<PortVector> expected = expected_outputs(shape.ends(), carried, units);
  for (std::uint32_t end = 0; end < shape.ends(); ++end)
    if (passage.outputs[end] != expected[end])
      return {false, fmt::format("end {} in L1 group {} got another sum than its flow has", end, shape.group_of(end)),
              passage.activity};
  return {true, "", passage.activity};
}

}  // namespace helio::fabric
