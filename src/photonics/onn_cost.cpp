// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn_cost.h"

#include <algorithm>
#include <cassert>

namespace helio::photonics {

long svd_mzis(long units, long wires) {
  assert(units >= 1 && wires >= 1 && "a layer has units and wires");
  return units * (units - 1) / 2 + wires * (wires - 1) / 2 + std::min(units, wires);
}

long ud_mzis(long units, long wires) {
  assert(units >= 1 && wires >= 1 && "a layer has units and wires");
  const long side = std::min(units, wires), blocks = (std::max(units, wires) + side - 1) / side;
  return blocks * (side * (side - 1) / 2 + side);
}

long mzis(const std::vector<int>& widths, const std::set<int>& ud_layers, bool bias_light) {
  long count = 0;
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
    const long wires = widths[i] + (bias_light ? 1 : 0), units = widths[i + 1];
    count += ud_layers.contains(static_cast<int>(i)) ? ud_mzis(units, wires) : svd_mzis(units, wires);
  }
  return count;
}

long mesh_columns(const std::vector<int>& widths, const std::set<int>& ud_layers, bool bias_light) {
  long count = 0;
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
    const long wires = widths[i] + (bias_light ? 1 : 0), units = widths[i + 1];
    count += ud_layers.contains(static_cast<int>(i)) ? std::min(units, wires) : units + wires;
  }
  return count;
}

OnnCost cost(const CompiledOnn& compiled, const OnnCostParameters& parameters) {
  OnnCost total;
  for (std::size_t i = 0; i < compiled.layers.size(); ++i) {
    const CompiledLayer& meshes = compiled.layers[i];
    const Layer& layer = compiled.onn.layers[i];
    int deepest = 0;
    double loss = 0, flight = 0;
    for (const MeshBlock& block : meshes.blocks) {
      const MeshCost in = cost(block.in, parameters.mzi),
                     out = block.out.modes > 0 ? cost(block.out, parameters.mzi) : MeshCost{};
      MeshCost before;  // of the gathers, side by side
      for (const Gather& gather : block.gathers) {
        if (gather.wires.size() == 1) continue;
        const MeshCost one = cost(gather.mesh, parameters.mzi);
        before.depth = std::max(before.depth, one.depth);
        before.worst_loss_db = std::max(before.worst_loss_db, one.worst_loss_db);
        before.flight_time_s = std::max(before.flight_time_s, one.flight_time_s);
        before.area_mm2 += one.area_mm2;
        before.heater_mw += one.heater_mw;
      }
      deepest = std::max(deepest, before.depth + in.depth + out.depth);
      loss = std::max(loss, before.worst_loss_db + in.worst_loss_db + out.worst_loss_db);
      flight = std::max(flight, before.flight_time_s + in.flight_time_s + out.flight_time_s);
      total.area_mm2 += before.area_mm2 + in.area_mm2 + out.area_mm2;
      total.heater_mw += before.heater_mw + in.heater_mw + out.heater_mw;
    }
    total.mzis += mzis(meshes);
    total.depth += deepest;
    total.loss_db += loss;
    total.worst_layer_loss_db = std::max(total.worst_layer_loss_db, loss);
    total.latency_s += flight;
    total.waveguides += static_cast<int>(meshes.waveguides.size());
    ++total.linear_stages;
    if (layer.activation.kind == ActivationKind::kNone) continue;
    ++total.activation_stages;
    total.latency_s += parameters.activation_ns * 1e-9;
    for (int unit = 0; unit < layer.units(); ++unit) total.activations += layer.is_linear(unit) ? 0 : 1;
  }
  total.energy_pj = total.heater_mw * 1e9 / parameters.symbol_rate_hz + total.activations * parameters.activation_pj;
  return total;
}

}  // namespace helio::photonics
