// SPDX-License-Identifier: Apache-2.0
// One training iteration as five terms and their sum: the reference model of papers/fred.md 2.8, with every knob of it.
// tok = samples per replica × sequence length, a = tok · hidden · 2 B of activations.
//
//     compute   6 · parameters · tok / (MP · PP · FLOPS), stationary pipelines × (1 + (PP-1) / micro-batches);
//               ResNet-152: 3 · 23.1 GFLOP · samples / FLOPS
//     mp        (layers / PP) · 4 · all-reduce(a)
//     dp        all-reduce(2 B · parameters / (MP · PP)), stationary only
//     pp        2 · multicast(a) stationary, layers · multicast(a) streaming
//     stream    2 · (2 B · parameters) / (18 · 128 GB/s · share of 2.7); gradients leave meanwhile
//
//     total     c + mp + dp + pp + stream                                   c = compute / kappa
//     overlap   max(f, stream/2) + max(g, stream/2) + dp,  f = c/3 + (mp+pp)/2, g = 2c/3 + (mp+pp)/2
//
// kappa is by how much compute would have to be faster than FLOPS and sequence say: fitted, never physical.
#pragma once

#include <optional>

#include "studies/fred/phase_time.h"

namespace helio::studies::fred_study {

// Layers, hidden and sequence are ours, from the same group's other inputs; the paper's are not known (papers/fred.md 3).
struct Workload {
  const char* name;
  double parameters;
  std::uint32_t mp, dp, pp;
  bool streaming = false;
  double layers = 0, hidden = 0, sequence = 0, micro_batches = 1;
  double flop_per_sample = 0;               // forward; 0: from the parameters
  double published_c = 0, published_d = 0;  // speed-ups over the mesh (paper 8.2)
};
inline constexpr Workload kResnet{.name = "ResNet-152",
                                  .parameters = 60.2e6,
                                  .mp = 1,
                                  .dp = 20,
                                  .pp = 1,
                                  .flop_per_sample = 23.1e9,
                                  .published_c = 1.41,
                                  .published_d = 1.76};
inline constexpr Workload kTransformer17B{.name = "Transformer-17B",
                                          .parameters = 17e9,
                                          .mp = 3,
                                          .dp = 3,
                                          .pp = 2,
                                          .layers = 78,
                                          .hidden = 4256,
                                          .sequence = 1024,
                                          .micro_batches = 8,
                                          .published_c = 1.75,
                                          .published_d = 1.87};
inline constexpr Workload kGpt3{.name = "GPT-3",
                                .parameters = 175e9,
                                .mp = 2,
                                .dp = 5,
                                .pp = 2,
                                .streaming = true,
                                .layers = 96,
                                .hidden = 12288,
                                .sequence = 2048,
                                .micro_batches = 2,
                                .published_c = 1.34,
                                .published_d = 1.34};
inline constexpr Workload kTransformer1T{.name = "Transformer-1T",
                                         .parameters = 1e12,
                                         .mp = 1,
                                         .dp = 20,
                                         .pp = 1,
                                         .streaming = true,
                                         .layers = 128,
                                         .hidden = 25600,
                                         .sequence = 2048,
                                         .published_c = 1.4,
                                         .published_d = 1.4};
inline constexpr Workload kWorkloads[] = {kResnet, kTransformer17B, kGpt3, kTransformer1T};

struct Knobs {
  double flops = 1e15;                  // of an NPU: our reading of "H100-like"
  double utilisation = 1;               // of those
  double samples = 16;                  // of a replica (paper 8.1, 8.2)
  std::optional<double> sequence = {};  // instead of the workload's
  double kappa = 1;
  bool overlap = false;     // streaming under compute and communication
  bool zero_apart = false;  // ZeRO-2 as a reduce-scatter and an all-gather: twice D in the switch instead of once
  bool sharded_io = false;  // mesh: every shard to its replicas only
  MeshRule rule = MeshRule::kOneLink;
};

struct Terms {
  double compute = 0, mp = 0, dp = 0, pp = 0, stream = 0;  // seconds
};

Terms terms_of(const Workload& workload, Wafer wafer, const Knobs& knobs);
double total(const Terms& terms, const Knobs& knobs);
double speed_up(const Workload& workload, Wafer wafer, const Knobs& knobs);  // over the mesh

// kappa, or tokens of a sample, with which Fred-D's speed-up is `target`. Requires: there is one.
double fitted_kappa(const Workload& workload, double target, Knobs knobs);
double fitted_sequence(const Workload& workload, double target, Knobs knobs);

}  // namespace helio::studies::fred_study
