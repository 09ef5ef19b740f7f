// SPDX-License-Identifier: Apache-2.0
// A strategy says how a model is spread over NPUs and in which order its parts run: one documented struct, filled from the
// parameters of a [[job]].
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "base/catalogue.h"
#include "placement/compute.h"
#include "placement/stages.h"

namespace helio::placement {

enum class PipelineOrder : std::uint8_t { kGpipe, k1f1b, kInterleaved };

struct Strategy {
  int dp = 1, tp = 1, pp = 1;
  int cp = 1;                  // so many ranks share each sequence; they hold the same parameters
  int ep = 1;                  // so many ranks hold different experts
  int etp = 0;                 // so many share each of them; 0: as many as tp
  int expert_groups = 0;       // as in Division; known when the fabric is
  bool ring_attention = true;  // keys and values go round while attention runs; otherwise gathered before
  bool gather_ahead = false;   // zero 1 and 2: parameters are gathered while the first micro-batch goes forward
  Ends ends = Ends::kBeside;   // how embedding and head count where blocks are dealt out to stages
  int zero_group = 0;  // zero 3: parameters divided among so many replicas, and copied between such groups; 0: all
  double recompute_share = 1;  // of a layer's operations, with recompute full
  PipelineOrder order = PipelineOrder::k1f1b;
  int chunks = 1;                   // model parts per stage; more than 1 only when interleaved
  double micro_batch = 1;           // samples
  std::uint64_t micro_batches = 1;  // per replica and iteration
  bool sequence_parallel = false;
  bool blocking_sends = true;    // a stage goes on when what it sent has arrived (Megatron's default)
  bool scattered_sends = true;   // each tensor rank sends its share, put together on arrival
  bool multicast_sends = false;  // one tensor rank sends all of it to every rank of the next stage
  bool uneven = false;           // tp need not divide the attention heads: work is counted as if it did
  int zero = 0;                  // 1: optimiser divided among replicas; 2: gradients; 3: parameters, too
  Recompute recompute = Recompute::kNone;
  Bytes bucket{0};         // gradients reduced together; 0: all of a stage's
  bool overlap = true;     // gradients are reduced while backward still runs
  bool clip = true;        // the optimiser waits for the norm over all gradients
  bool lock_step = false;  // all replicas of a stage run as one cell
  bool streaming = false;  // parameters live outside: in twice, gradients out once
  BitRate io_rate{0};      // of all I/O channels together, one direction
  bool fabric_io = false;  // instead: through the fabric's own I/O, which copies and adds on the way
  bool own_memories =
      false;              // fabric_io of a composite: units stream from memories of their own, so replicas add before
  Bytes sample_bytes{0};  // read through I/O for each sample
  Precision precision = Precision::kBf16;
  Precision gradient_precision = Precision::kBf16;
  double optimiser_bytes = 12;       // per parameter: fp32 copy and two moments of Adam
  std::vector<int> rank_order;       // dimensions, fastest first: 0 tp, 1 dp, 2 pp
  std::vector<std::uint32_t> ranks;  // explicit: the node of each rank in rank_order; empty: in order from `first`
  std::uint32_t first = 0;
  std::map<std::uint32_t, double> speed;  // of single nodes, relative to the others

  // Ranks that hold the same dense parameters: replica d, part c of its sequences is number d·cp + c.
  int replicas() const { return dp * cp; }
  std::uint64_t npus() const { return static_cast<std::uint64_t>(replicas()) * tp * pp; }
  int of_expert() const { return etp > 0 ? etp : tp; }
  int expert_ranks() const { return ep * of_expert(); }  // all that together hold every expert once
  // Replicas that run in lock-step because they exchange within a layer: those that share sequences or experts; or all.
  int block() const { return lock_step ? replicas() : std::lcm(cp, std::max(1, expert_ranks() / tp)); }
  // How many hold the same experts.
  int expert_holders() const { return std::max(1, replicas() * tp / expert_ranks()); }
  Recomputed recomputed() const { return {recompute, recompute_share}; }
  // Of the work of one micro-batch.
  Division division() const {
    return {.samples = micro_batch / cp,
            .tp = tp,
            .ep = ep,
            .sequence_parallel = sequence_parallel,
            .etp = etp,
            .cp = cp,
            .expert_groups = expert_groups,
            .ring_attention = ring_attention};
  }
};

const std::vector<Parameter>& strategy_parameters();

// `io`: whether the fabric has I/O channels of its own; they are used where io_rate is not set.
// Throws Error(kInput) at the parameter's place when values contradict each other or do not multiply to `nodes` (0: unknown).
Strategy strategy_from(const Parameters& parameters, std::uint64_t nodes, bool io = false);

}  // namespace helio::placement
