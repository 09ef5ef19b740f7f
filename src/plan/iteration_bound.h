// SPDX-License-Identifier: Apache-2.0
// No iteration of a strategy is shorter than this, in closed form: the compute model's pieces with the least that their exchanges take,
// strung together as the pipeline must.
//
//   F, B     of a stage and micro-batch: layers one after the other, each the longer of what its host issues and its chain of pieces and
//            exchanges (placement/cell.cpp)
//   S        to the next stage: launch, transfer, and putting together on arrival
//   stage p  waits for the first forward of those before it, runs M of both, and the last backward goes on through those before it:
//
//     T >=  Σ_{q<p} (F_q + B_q)/v  +  M (F_p + B_p)  +  sends that hold it up  +  D  +  optimiser          v: chunks of a stage
//
//   D        gradients that are reduced after the last backward: of the last piece, whatever else is hidden; and all of them, after the
//            last backward pass has begun. With ZeRO 1 and 2 parameters are gathered after the optimiser; with ZeRO 3 all gathers of a
//            stage follow each other.
//
// Every term is a chain of tasks that really depend on each other (placement/iteration.cpp, replicas.cpp), so the longest is a bound.
#pragma once

#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "placement/cell.h"
#include "placement/compute.h"
#include "placement/stages.h"
#include "placement/strategy.h"
#include "plan/exchange_bound.h"
#include "workload/workload.h"

namespace helio::plan {

// Remembers what candidates share: work of layers by how they are divided, and which layers a stage holds. One thread.
class IterationBound {
 public:
  // Both outlive it.
  IterationBound(const workload::Workload& workload, const placement::Machine& machine)
      : workload_(workload), machine_(machine) {}

  // Requires: a strategy that place() would divide the model by; stationary parameters, equal nodes.
  double seconds(const placement::Strategy& strategy, const ExchangeBounds& exchanges);

  // Bytes of the fullest NPU (placement/memory.h).
  double memory(const placement::Strategy& strategy);

  // Of every stage, its chunks.
  const std::vector<std::vector<placement::Part>>& parts(int pp, int chunks);

 private:
  struct LayerWork {
    placement::Work forward, backward;
  };
  const std::vector<LayerWork>& works(const placement::Strategy& strategy);
  double pass(const placement::Work& work, const placement::Strategy& strategy, const ExchangeBounds& exchanges) const;
  // Gradients of a stage on one rank: all, those of the piece that backward ends with, and in how many pieces.
  struct Gradients {
    double all = 0, last = 0, pieces = 0, parameters = 0;
  };
  const std::vector<Gradients>& gradients(const placement::Strategy& strategy);

  const workload::Workload& workload_;
  const placement::Machine& machine_;
  std::map<std::pair<int, int>, std::vector<std::vector<placement::Part>>> parts_;
  std::map<std::tuple<int, int, double, bool, placement::Recompute>, std::vector<LayerWork>> works_;
  std::map<std::tuple<int, int, int, int>, std::vector<Gradients>> gradients_;
  std::vector<double> forward_, backward_, first_forward_, first_backward_;  // by stage, of the one at hand
};

}  // namespace helio::plan
