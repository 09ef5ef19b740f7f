// SPDX-License-Identifier: Apache-2.0
#include "placement/memory.h"

#include <algorithm>

#include "placement/pipeline_order.h"

namespace helio::placement {
namespace {

// Bytes that backward needs again of one micro-batch of a part.
double kept(const Part& part, const workload::Workload& workload, const Strategy& strategy) {
  const double whole_share = strategy.sequence_parallel ? strategy.tp : 1;
  double elements = 0, largest = 0;
  for (const Slice& slice : part) {
    const workload::Layer& layer = workload.layers[slice.layer];
    const double all = layer.kept_elements / strategy.tp + layer.kept_whole_elements / whole_share;
    const bool recomputed = strategy.recompute == Recompute::kFull && is_recomputed(workload, slice.layer);
    elements +=
        static_cast<double>(slice.count) * (recomputed ? std::min(layer.output_elements / whole_share, all) : all);
    if (recomputed) largest = std::max(largest, all);
  }
  return (elements + largest) * strategy.micro_batch * bytes_of(strategy.precision);
}

// The most forward passes of one chunk that wait for their backward at the same time, over all chunks together.
std::uint64_t most_in_flight(const Strategy& strategy, int stage) {
  std::uint64_t now = 0, most = 0;
  for (const Pass& pass : passes_of(strategy, stage)) {
    if (pass.backward)
      --now;
    else
      most = std::max(most, ++now);
  }
  return most;
}

}  // namespace

RankParameters parameters_of(const Part& part, const workload::Workload& workload, const Strategy& strategy) {
  RankParameters result;
  for (const Slice& slice : part) {
    const workload::Layer& layer = workload.layers[slice.layer];
    const auto count = static_cast<double>(slice.count);
    const auto expert = static_cast<double>(layer.expert_parameters),
               whole = static_cast<double>(layer.whole_parameters);
    result.expert += count * expert / strategy.tp / strategy.ep;
    result.dense += count * (whole + (static_cast<double>(layer.parameters) - whole - expert) / strategy.tp);
  }
  return result;
}

Memory memory_of(const std::vector<std::vector<Part>>& parts, const workload::Workload& workload,
                 const Strategy& strategy) {
  Memory fullest;
  for (std::uint32_t stage = 0; stage < parts.size(); ++stage) {
    double parameters = 0, activations = 0, streamed = 0;
    for (const Part& part : parts[stage]) {
      parameters += parameters_of(part, workload, strategy).all();
      activations += kept(part, workload, strategy);
      for (const Slice& slice : part) {
        const Slice one{slice.layer, 1};
        streamed = std::max(streamed, parameters_of({one}, workload, strategy).all());
      }
    }
    if (parts.size() == 1 && workload.tied_parameters > 0)
      parameters -= static_cast<double>(workload.tied_parameters) / strategy.tp;
    const double replicas = strategy.dp, held = strategy.streaming ? 2 * streamed : parameters;
    Memory memory;
    memory.stage = stage;
    memory.parameters = {held * bytes_of(strategy.precision) / (strategy.zero >= 3 ? replicas : 1)};
    memory.gradients = {held * bytes_of(strategy.gradient_precision) / (strategy.zero >= 2 ? replicas : 1)};
    memory.optimiser = {
        strategy.streaming ? 0 : parameters * strategy.optimiser_bytes / (strategy.zero >= 1 ? replicas : 1)};
    memory.activations = {activations / static_cast<double>(parts[stage].size()) *
                          static_cast<double>(most_in_flight(strategy, static_cast<int>(stage)))};
    memory.total = memory.parameters + memory.gradients + memory.optimiser + memory.activations;
    if (memory.total > fullest.total) fullest = memory;
  }
  return fullest;
}

}  // namespace helio::placement
