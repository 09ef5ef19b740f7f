// SPDX-License-Identifier: Apache-2.0
// Bytes that a stage needs on each of its NPUs.
//
//   parameters   P·b                      P: parameters of the rank; b: bytes of the precision          /dp with ZeRO 3
//   gradients    P·g                      g: bytes of the gradient precision                            /dp with ZeRO 2
//   optimiser    P·o                      o: 12 for Adam with an fp32 copy                              /dp with ZeRO 1
//   activations  what backward needs again (Korthikanti et al. 2022), times the micro-batches in flight; with full
//                recomputation the inputs of the layers only, and one layer whole
// ZeRO 3 holds two gathered pieces beside its share; weight streaming holds parameters and gradients of two pieces and no
// optimiser, and the activations of all micro-batches. Without `overlap` gradients are whole until backward has ended.
#pragma once

#include "placement/program.h"
#include "placement/stages.h"
#include "placement/strategy.h"
#include "workload/workload.h"

namespace helio::placement {

// Parameters of a part on one rank: divided by tensor parallelism and, those of experts, by expert parallelism.
struct RankParameters {
  double dense = 0, expert = 0;
  double all() const { return dense + expert; }
};
RankParameters parameters_of(const Part& part, const workload::Workload& workload, const Strategy& strategy);

// Whether a rank keeps only its share of the gradients: ZeRO 2 and 3, if they are reduced while backward goes on.
inline bool divides_gradients(const Strategy& strategy) { return strategy.zero >= 2 && strategy.overlap; }

// `parts`: of every stage, its chunks. The fullest stage. With fused attention no scores are kept.
Memory memory_of(const std::vector<std::vector<Part>>& parts, const workload::Workload& workload,
                 const Strategy& strategy, bool fused_attention = false);

// What a stage has on a rank, however replicas divide it (`zero`, `dp`), and what of it each of the passes in flight keeps: for those who
// ask about many strategies that have it in common.
struct StageLoad {
  RankParameters parameters;
  double fetched = 0;  // parameters of two pieces in a row
  double each = 0,
         once = 0;  // bytes that backward needs again: of each micro-batch in flight, of the block that is recomputed
};
// `chunks`: of the stage; `alone`: there is no other.
StageLoad load_of(const std::vector<Part>& chunks, bool alone, const workload::Workload& workload,
                  const Strategy& strategy, bool fused_attention);
// The most forward passes of one chunk that wait for their backward at the same time, over all chunks together.
std::uint64_t most_in_flight(const Strategy& strategy, int stage);
Memory memory_of(const StageLoad& load, std::uint64_t in_flight, int stage, const Strategy& strategy);

}  // namespace helio::placement
