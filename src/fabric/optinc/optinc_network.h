// SPDX-License-Identifier: Apache-2.0
// What the optical network of one switch costs: how many MZIs, how deep, how lossy, how long the light takes.
//
//   chip          the network that bears a chip with all its flaws (photonics/onn_thermometer.h, onn_chip.h), in trees of MZIs; only for servers
//                 that are a power of two
//   constructed   the exact network that photonics/onn_construct.h builds for the task (carries from below where N admits it, else
//                 symbols from the top), saturating steps
//   paper         layers 4-64-128-256-128-64-4 [secondary] as full singular value decompositions; only for four symbols in and out
//   paper-ud      the same layers as blocks diag·Q (papers/optinc.md 2.3)
#pragma once

#include <cstdint>
#include <string_view>

#include "base/averaging.h"
#include "base/quantity.h"
#include "base/time.h"
#include "photonics/mesh_cost.h"

namespace helio::fabric {

struct OptincNetwork {
  std::uint64_t mzis = 0;
  std::uint32_t activations = 0;  // stages of them
  std::uint32_t units = 0;        // with an activation: light that is heard and sent again
  std::uint32_t depth = 0;        // MZIs in a row, all layers
  Decibel loss;                   // of the deepest layer: light is made anew at every activation
  Time flight;                    // through all of it, activations aside
};

enum class OptincNetworkKind : std::uint8_t { kChip, kConstructed, kPaper, kPaperUd };

// Throws Error(kInfeasible) where the kind has no network for the task.
OptincNetwork network_for(OptincNetworkKind kind, const AveragingTask& task, const photonics::MziParameters& mzi);

}  // namespace helio::fabric
