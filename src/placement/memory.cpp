// SPDX-License-Identifier: Apache-2.0
#include "placement/memory.h"

#include <algorithm>

#include "placement/pipeline_order.h"

namespace helio::placement {
namespace {

// Bytes that backward needs again of a part: of each micro-batch in flight, and of the one block that is being recomputed.
struct Kept {
  double each = 0, once = 0;
};

Kept kept(const Part& part, const workload::Workload& workload, const Strategy& strategy, bool fused_attention) {
  const double whole_share = strategy.sequence_parallel ? strategy.tp : 1;
  const double bytes = strategy.micro_batch / strategy.cp * stored_bytes_of(strategy.precision);
  Kept result;
  for (const Slice& slice : part) {
    const workload::Layer& layer = workload.layers[slice.layer];
    double all = layer.kept_elements / strategy.tp + layer.kept_whole_elements / whole_share;
    if (fused_attention) all -= layer.kept_core_elements / strategy.tp;  // scores are never written
    const auto recompute = is_recomputed(workload, slice.layer) ? strategy.recompute : Recompute::kNone;
    double each = all;
    if (recompute == Recompute::kSelective && !fused_attention) each -= layer.kept_core_elements / strategy.tp;
    if (recompute == Recompute::kFull) each = std::min(layer.output_elements / whole_share, all);
    result.each += static_cast<double>(slice.count) * each * bytes;
    result.once = std::max(result.once, (all - each) * bytes);
  }
  return result;
}

// The most parameters of a rank that two pieces in a row have: those that are computed with and those that are fetched.
double two_pieces(const Part& part, const workload::Workload& workload, const Strategy& strategy) {
  const double bucket = strategy.bucket.value / bytes_of(strategy.gradient_precision) * strategy.tp;
  double before = 0, most = 0;
  for (const Part& piece : pieces_of(part, workload, bucket)) {
    const double now = parameters_of(piece, workload, strategy).all();
    most = std::max(most, before + now);
    before = now;
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
    result.expert += count * expert / strategy.expert_ranks();
    result.dense += count * (whole + (static_cast<double>(layer.parameters) - whole - expert) / strategy.tp);
  }
  return result;
}

std::uint64_t most_in_flight(const Strategy& strategy, int stage) {
  if (strategy.streaming)  // all of them pass a piece before the next one comes
    return strategy.micro_batches * static_cast<std::uint64_t>(strategy.chunks);
  // So many go ahead, then one forward before each backward
  return std::min(passes_ahead(strategy, stage) + 1,
                  strategy.micro_batches * static_cast<std::uint64_t>(strategy.chunks));
}

StageLoad load_of(const std::vector<Part>& chunks, bool alone, const workload::Workload& workload,
                  const Strategy& strategy, bool fused_attention) {
  StageLoad load;
  for (const Part& part : chunks) {
    const RankParameters more = parameters_of(part, workload, strategy);
    load.parameters.dense += more.dense;
    load.parameters.expert += more.expert;
    const Kept here = kept(part, workload, strategy, fused_attention);
    load.each += here.each / static_cast<double>(chunks.size());
    load.once = std::max(load.once, here.once);
    load.fetched = std::max(load.fetched, two_pieces(part, workload, strategy));
  }
  if (alone) load.parameters.dense -= static_cast<double>(workload.tied_parameters) / strategy.tp;
  return load;
}

Memory memory_of(const StageLoad& load, std::uint64_t in_flight, int stage, const Strategy& strategy) {
  // Whole, or divided among those that hold the same: experts have dp/ep holders
  const RankParameters& parameters = load.parameters;
  const int among = strategy.zero_group > 0 ? strategy.zero_group : strategy.replicas();
  const double divided = parameters.dense / among + parameters.expert / std::min(among, strategy.expert_holders());
  double held = strategy.zero >= 3 ? divided + load.fetched : parameters.all();
  double summed = divides_gradients(strategy) ? divided : parameters.all();
  if (strategy.streaming) held = summed = load.fetched;
  Memory memory;
  memory.stage = static_cast<std::uint32_t>(stage);
  memory.parameters = {held * stored_bytes_of(strategy.precision)};
  memory.gradients = {summed * bytes_of(strategy.gradient_precision)};
  if (!strategy.streaming)
    memory.optimiser = {(strategy.zero >= 1 ? divided : parameters.all()) * strategy.optimiser_bytes};
  memory.activations = {load.each * static_cast<double>(in_flight) + load.once};
  memory.total = memory.parameters + memory.gradients + memory.optimiser + memory.activations;
  return memory;
}

Memory memory_of(const std::vector<std::vector<Part>>& parts, const workload::Workload& workload,
                 const Strategy& strategy, bool fused_attention) {
  Memory fullest;
  for (int stage = 0; stage < static_cast<int>(parts.size()); ++stage) {
    const StageLoad load =
        load_of(parts[static_cast<std::size_t>(stage)], parts.size() == 1, workload, strategy, fused_attention);
    const Memory memory = memory_of(load, most_in_flight(strategy, stage), stage, strategy);
    if (memory.total > fullest.total) fullest = memory;
  }
  return fullest;
}

}  // namespace helio::placement
