// SPDX-License-Identifier: Apache-2.0
// The light of a collective on a WDM ring, step by step, as reports draw it.
//
//     clockwise   node 0 ══▶ 1 ══▶ 2 ══▶ 3        lightpath 0 → 2: segments 0 and 1, on every one of its wavelengths
//     segment          0      1      2
//
// It is read off the lowered program, so that it shows what is simulated: lanes that the schedule fixed, lanes that the fabric chose, and
// rounds that it divided. On `wdm-ring` a wavelength has a number and holds it on the whole way; `sip-ring` counts wavelengths and
// does not number them (fabric/wdm/sip_allocation.h).
//
// A sub-tree is what hangs together in a step: nodes that lightpaths join, directly or by others. Its representative is the node that all
// its lightpaths end at, or all begin at; with one lightpath only, as most of that step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "flow/program.h"

namespace helio::fabric {

struct Lightpath {
  std::uint32_t source = 0, destination = 0;  // nodes; of a drop-and-continue, the farthest
  std::uint32_t direction = 0;                // 0 clockwise, 1 counter-clockwise
  std::uint32_t first = 0, width = 1;         // wavelengths; `first` means nothing where they have no numbers
  double bytes = 0;                           // in one round
  std::uint32_t tree = 0;                     // sub-tree of its step
};

struct LitStep {
  std::string name;          // of the phase
  std::uint64_t rounds = 1;  // that are like this
  std::vector<Lightpath> paths;
  std::vector<std::uint32_t> representatives;  // in order
};

struct LitRing {
  std::uint32_t nodes = 0, wavelengths = 0;  // of one direction, all fibres and rings
  bool numbered = true;
  std::vector<LitStep> steps;
  std::size_t steps_left_out = 0;
};

// Lightpaths of all steps together; further steps are left out, and counted.
inline constexpr std::size_t kMostLightpaths = 12000;
inline constexpr std::uint64_t kMostLitCrossings = 1u
                                                   << 23;  // segments of all lightpaths; past that there are no steps

// How a ring numbers its resources in a program. Numbered wavelengths: channels by direction, segment, wavelength. Else segments, by
// direction and the node that they leave.
struct RingNumbers {
  std::uint32_t nodes = 0, wavelengths = 0;
  bool numbered = true;
  std::uint32_t segments_from = 0;
  std::uint32_t bundle = 1;  // wavelengths of a channel
};

// The light of what was lowered to `entry`, in step order.
LitRing lit_ring(const flow::Program& program, flow::TemplateId entry, const RingNumbers& numbers);

// Finds sub-trees and representatives of a step.
void settle_trees(LitStep& step);

// Segments that a lightpath crosses.
std::uint32_t hops_of(const Lightpath& path, std::uint32_t nodes);

}  // namespace helio::fabric
