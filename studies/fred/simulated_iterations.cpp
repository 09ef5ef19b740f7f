// SPDX-License-Identifier: Apache-2.0
// Published speed-ups beside iterations that the product simulates on the links of mesh and trees.
#include <fmt/format.h>

#include "studies/fred/chapters.h"
#include "studies/fred/end_to_end.h"
#include "studies/fred/training_job.h"

namespace helio::studies::fred_study {
namespace {

// Micro-batches as published (papers/fred.md 3), 16 samples per replica; 1T in one.
struct SimulatedCase {
  const Workload& workload;
  TrainingJob job;
};
const SimulatedCase kSimulatedCases[] = {
    {kResnet, {.model = "resnet-152", .mp = 1, .dp = 20, .pp = 1, .micro_batch = 16, .micro_batches = 1}},
    {kTransformer17B, {.model = "transformer-17b", .mp = 3, .dp = 3, .pp = 2, .micro_batch = 2, .micro_batches = 8}},
    {kGpt3, {.model = "gpt3-175b", .mp = 2, .dp = 5, .pp = 2, .micro_batch = 8, .micro_batches = 2, .streaming = true}},
    {kTransformer1T,
     {.model = "transformer-1t", .mp = 1, .dp = 20, .pp = 1, .micro_batch = 16, .micro_batches = 1, .streaming = true}},
};

Assumptions simulated(const Workload& workload, const Knobs& knobs) {
  Assumptions all{
      of_our_own("an iteration simulated on links: FLOPs of the product's layer tables, latency 0, memory not asked"),
      of_our_own("1 PFLOPS per NPU at 100 % (our reading of H100-like)")};
  if (workload.layers > 0)
    all.push_back(of_our_own(fmt::format("{:g} layers of {:g}, sequences of {:g}: ours, the paper's are not known",
                                         workload.layers, workload.hidden, workload.sequence)));
  if (workload.mp > 1)
    all.push_back(
        of_our_own("mesh groups by X-Y routed rings; weight gradients are computed beside the exchange of MP; 1F1B"));
  const bool in_shards = workload.mp * workload.pp > 1;
  if (workload.streaming)
    all.push_back(of_our_own("layers stream in ahead of their use; gradients are added on the way out"));
  else
    all.push_back(of_our_own("gradients are reduced after backward"));
  if (workload.streaming && in_shards)
    all.push_back(of_our_own("every shard goes to its replicas only; the paper broadcasts it to all"));
  all.push_back(noted(what_moves_it(workload, knobs)));
  return all;
}

// Times as fast as the mesh.
double over_mesh(const TrainingJob& job, Wafer wafer, const pipeline::RunOptions& options) {
  return iteration_seconds(job, Wafer::kMesh, options) / iteration_seconds(job, wafer, options);
}

// ResNet's iteration is a sum of two terms: the closed form is exact but for the FLOPs of the layer table.
void add_resnet_by_algebra(Rows& rows, const TrainingJob& job, const pipeline::RunOptions& options) {
  for (const Wafer wafer : kTrees)
    rows.push_back(derived_row(
        fmt::format("ResNet-152: {} over mesh, simulated iteration, against the closed form", name_of(wafer)),
        speed_up(kResnet, wafer, {}), over_mesh(job, wafer, options), simulated(kResnet, {}), "papers/fred.md 2.8"));
}

}  // namespace

Rows simulated_iterations(const pipeline::RunOptions& options) {
  Rows rows;
  for (const SimulatedCase& c : kSimulatedCases) {
    const Workload& workload = c.workload;
    const auto add = [&](const TrainingJob& job, Wafer wafer, const std::string& how, const Assumptions& assumptions) {
      rows.push_back(
          published_row(fmt::format("{}: {} over mesh, simulated iteration{}", workload.name, name_of(wafer), how),
                        wafer == Wafer::kC ? workload.published_c : workload.published_d,
                        over_mesh(job, wafer, options), assumptions, kHeadlines));
    };

    // From first principles
    Knobs knobs{.overlap = workload.streaming, .sharded_io = workload.streaming};
    if (workload.mp > 1) knobs.rule = MeshRule::kXyRings;
    for (const Wafer wafer : {Wafer::kC, Wafer::kD}) add(c.job, wafer, "", simulated(workload, knobs));

    // With the compute that the closed form needs for Fred-D
    knobs.kappa = fitted_kappa(workload, workload.published_d, {.overlap = workload.streaming});
    TrainingJob faster = c.job;
    faster.kappa = knobs.kappa;
    const Assumptions solved = simulated(workload, knobs) + Assumptions{own_kappa(workload, knobs.kappa)};
    add(faster, Wafer::kC, ", compute of the closed form's fit", solved);
    add(faster, Wafer::kD, ", compute of the closed form's fit", solved);
  }
  add_resnet_by_algebra(rows, kSimulatedCases[0].job, options);

  // Gradients as ZeRO-2 has them, not as the paper charges them
  TrainingJob zero = kSimulatedCases[1].job;
  zero.zero = 2;
  Assumptions assumptions = simulated(kTransformer17B, {.rule = MeshRule::kXyRings});
  assumptions.push_back(of_our_own("ZeRO-2 as a reduce-scatter and an all-gather in turn"));
  for (const Wafer wafer : {Wafer::kC, Wafer::kD})
    rows.push_back(
        published_row(fmt::format("Transformer-17B: {} over mesh, simulated iteration, ZeRO-2", name_of(wafer)),
                      wafer == Wafer::kC ? kTransformer17B.published_c : kTransformer17B.published_d,
                      over_mesh(zero, wafer, options), assumptions, kHeadlines));
  return rows;
}

}  // namespace helio::studies::fred_study
