// SPDX-License-Identifier: Apache-2.0
// A workload of the paper as a job for the product: pipeline::run_jobs places it on the wafer, carries its collectives over links and
// gives back the time of one iteration. Unlike the closed forms it has the layers of the model, the order of micro-batches, and
// weight gradients that are computed beside the exchange of activations.
#pragma once

#include "pipeline/run.h"
#include "studies/fred/iteration_model.h"

namespace helio::studies::fred_study {

struct TrainingJob {
  const char* model;  // of the product's zoo
  std::uint32_t mp, dp, pp;
  double micro_batch;  // samples
  int micro_batches;
  int zero = 0;      // 0: gradients are all-reduced, which is how the paper charges ZeRO-2
  double kappa = 1;  // times 1 PFLOPS
  bool streaming = false;
};

// Seconds of one iteration. Nothing but operations and bytes takes time. Stationary: gradients are reduced after backward.
// Streaming: parameters come in twice through the wafer's I/O, each shard to its replicas and ahead of its use, and gradients are
// added on the way out. Memory is not asked.
double iteration_seconds(const TrainingJob& job, Wafer wafer, const pipeline::RunOptions& options);

}  // namespace helio::studies::fred_study
