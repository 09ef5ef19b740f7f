// SPDX-License-Identifier: Apache-2.0
// What a network costs in MZIs, depth, area, loss, time and energy. Three ways of counting, never mixed (papers/optinc.md 2.3):
//
//   svd      m(m−1)/2 + n(n−1)/2 + min(m, n) of a layer of m units and n wires
//   ud       ⌈max/min⌉ square blocks of side s = min(m, n), s(s−1)/2 + s each
//   compact  r(m + n − r) of each block of rank r (onn_compile.h)
//
// With bias light a layer has one wire more. The numbers of the spec are counted without it for 4-64-128-256-128-64-4 (106,260 and
// 41,664) and with it for the constructed networks (376 and 346).
#pragma once

#include <set>
#include <vector>

#include "photonics/mesh_cost.h"
#include "photonics/onn_compile.h"

namespace helio::photonics {

// Of one layer. Requires: units, wires ≥ 1.
long svd_mzis(long units, long wires);
long ud_mzis(long units, long wires);

// Of a chain of layers, those in `ud_layers` (0-based) as blocks and the others by SVD.
long mzis(const std::vector<int>& widths, const std::set<int>& ud_layers, bool bias_light);
// Their columns one after the other: n + m by SVD, s as blocks (the amplitudes are not counted).
long mesh_columns(const std::vector<int>& widths, const std::set<int>& ud_layers, bool bias_light);

struct OnnCostParameters {
  MziParameters mzi;
  double activation_ns = 0;          // time of one activation; 0: not known
  double activation_pj = 0;          // energy of one unit's activation per symbol; 0: not known
  double symbol_rate_hz = 53.125e9;  // ours (papers/optinc.md 3)
};

// Of a compiled network. Blocks of a layer stand side by side, layers one after the other.
struct OnnCost {
  long mzis = 0;
  int depth = 0;                   // columns of MZIs along the longest way, amplitudes not counted
  int linear_stages = 0;           // layers
  int activation_stages = 0;       // layers with an activation
  int activations = 0;             // units with a non-linear element
  int waveguides = 0;              // wires that a layer only passes on
  double loss_db = 0;              // worst path of every layer, added up
  double worst_layer_loss_db = 0;  // the most between two regenerations of the light
  double area_mm2 = 0;
  double latency_s = 0;  // flight and activations
  double heater_mw = 0;
  double energy_pj = 0;  // of one average: heaters for a symbol time, and activations
};
OnnCost cost(const CompiledOnn& compiled, const OnnCostParameters& parameters = {});

}  // namespace helio::photonics
