// SPDX-License-Identifier: Apache-2.0
// How long an iteration of a job takes on a fabric: one run of the engine for each model, number of nodes and speed of the network, which all
// jobs alike share.
//
// The job has its nodes to itself, the first of the fabric, a replica on each; gradients go round a ring of them in the order of their
// numbers. What others leave it of the network is told as a factor on the fabric's rate. Between factors that were run, the time of an
// iteration is taken to be linear in what a byte takes, which it is but where what is waited for changes:
//
//     iteration │          ·             · runs, at 1, 5/4, (5/4)², … times what a byte takes alone
//               │       ·╱
//               │ ·──·╱                  │ compute, as long as it hides the network
//               └────────── what a byte takes
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "pipeline/experiment.h"
#include "pipeline/run.h"
#include "workload/job_models.h"

namespace helio::pipeline {

struct JobPace {
  double iteration_s = 0;
  double duty = 0;  // share of that in which the job's busiest link carries bytes
};

class JobPaces {
 public:
  // `own`: every job has a fabric of its own size, as a patch panel makes it; else it stands on the fabric as it is.
  JobPaces(Choice fabric, bool own, const RunOptions& options);

  // Alone. Throws Error where the fabric cannot carry the job.
  const JobPace& operator()(std::size_t model, std::uint32_t nodes) { return run(model, nodes, 0); }
  // With a network that is `slower` times as slow; below 1: that much faster. Requires: slower > 0.
  double iteration_s(std::size_t model, std::uint32_t nodes, double slower);

  std::size_t runs() const { return known_.size(); }

 private:
  const JobPace& run(std::size_t model, std::uint32_t nodes, int stride);

  Choice fabric_;
  bool own_;
  RunOptions options_;
  BitRate rate_;
  std::map<std::tuple<std::size_t, std::uint32_t, int>, JobPace> known_;
};

}  // namespace helio::pipeline
