// SPDX-License-Identifier: Apache-2.0
// The light of a collective on a WDM ring, step by step: what the map (wavelength_figure.h) and the drawing (ring_figure.h) show.
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
#include <optional>
#include <string>
#include <vector>

#include "pipeline/experiment.h"
#include "pipeline/result.h"
#include "report/figures/figure.h"

namespace helio::report {

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
  std::string name;  // of the collective
  std::string algorithm, fabric;
  std::uint32_t nodes = 0, wavelengths = 0;  // of one direction, all fibres and rings
  bool numbered = true;
  std::vector<LitStep> steps;
  std::size_t steps_left_out = 0;
};

// Lightpaths of all steps together; further steps are left out, and counted.
inline constexpr std::size_t kMostLightpaths = 12000;
inline constexpr std::uint64_t kMostLitCrossings = 1u
                                                   << 23;  // segments of all lightpaths, before that nothing is drawn

// Lowers the collective again, as it ran in `result`. None where the fabric is no WDM ring, nothing moves, steps run into each other
// (dataflow), a remedy was needed, or kMostLitCrossings are not enough.
std::optional<LitRing> light_of(const pipeline::Experiment& experiment, const pipeline::Collective& collective,
                                const pipeline::Result& result);

// Finds sub-trees and representatives of a step.
void settle_trees(LitStep& step);

// Segments that a lightpath crosses.
std::uint32_t hops_of(const Lightpath& path, std::uint32_t nodes);

// The data of both pictures: web/wavelengths.js, web/ring.js.
nlohmann::ordered_json to_json(const LitRing& ring);

}  // namespace helio::report
