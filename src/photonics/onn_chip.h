// SPDX-License-Identifier: Apache-2.0
// A network on a chip that errs in every way at once, calibrated as chips are: what it really multiplies by.
//
//   made        couplers that split wrongly, MZIs that lose and do not all lose alike, a phase of its own in every shifter, heat that
//               leaks to all shifters of the layer (thermal.h). Where a path of a mesh passes a column by, a dummy coupler stands, so that
//               all paths that are added lose alike and one gain makes up for it
//   phases      set by measuring, round by round, to the nearest level of their drives (thermal.h)
//   gains and   set layer by layer, unit by unit, from what the unit's detector shows when known wires are lit: gain and threshold
//   thresholds  that bring the points nearest to its decision to where they belong; of units that do not decide, all points
//   drift       behind all that every phase errs anew, by `phase_sigma`: nothing that was calibrated knows of it
//   noise       white, at every detector, after every linear stage (OnnForward); not in the matrices made here
//
//     wires ─▷ meshes ─▷ detector ─(+ noise)─▷ gain, threshold ─▷ limiter ─▷ wires of the next layer
//
// Not modelled: heat between layers, what calibration itself reads wrongly (it is averaged for as long as it takes), reflections.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "photonics/onn_compile.h"
#include "photonics/thermal.h"

namespace helio::photonics {

struct Chip {
  std::string name;
  Imperfections
      flaws;         // phase_sigma: what is left after calibration. Gains of shifters and drift over time are not used
  double noise = 0;  // symbols, after every linear stage
  bool calibrated = true;  // else each shifter was set alone, the others cold, and gains and thresholds are as drawn
};

// `default`: 0.2 dB per MZI (recalled; published 0.1 to 0.5) and a tenth of it from one to the other (ours), 1 % of heat one pitch away, 10-bit
// phases, 3 mrad left, noise of 0.06 symbols, couplers of 50 ± 2 % (ours). Throws for an unknown name.
Chip chip_named(std::string_view name, std::string_view place = {});
std::vector<std::string> chip_names();
// Every imperfection times a factor; levels of phases as much finer. Requires: factor > 0.
Chip scaled(Chip chip, double factor);

// Dummy couplers that even out the paths of all meshes: columns that a lit waveguide passes by.
long dummies(const CompiledOnn& compiled);
// The largest gain behind a detector: light is divided on its way (by adding and by copying) and lost.
double largest_gain_db(const CompiledOnn& compiled, double mzi_loss_db);

class ChipMaker {
 public:
  // Keeps references. Throws Error(kInput) for imperfections out of their range.
  ChipMaker(const CompiledOnn& compiled, const Chip& chip);

  // The network as one chip computes it, with the gains, thresholds and phases that it has in use.
  Onn make(Random& random) const;

 private:
  struct Placed {
    const Mesh* mesh;
    std::size_t first;  // of its shifters
  };
  struct LayerPlan {
    std::vector<Placed> meshes;
    std::vector<double> phases;  // wanted of all shifters
    HeatSpread heat;
    Matrix entering, before;  // of the perfect network, at the points of calibration
  };

  const CompiledOnn& compiled_;
  const Chip& chip_;
  std::vector<LayerPlan> plans_;
};

}  // namespace helio::photonics
