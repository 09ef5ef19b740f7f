// SPDX-License-Identifier: Apache-2.0
// No iteration of a strategy is shorter than this, in closed form: the compute model's pieces with the least that their exchanges take,
// strung together as the pipeline must.
//
//   F, B     of a stage and micro-batch: layers one after the other, each the longer of what its host issues and its chain of pieces and
//            exchanges; or, where the host runs ahead, each after the ones before and after their issue (placement/cell.cpp)
//   S        to the next stage: launch, transfer, and putting together on arrival
//   stage p  waits for the first forward of those before it, runs M of both, and the last backward goes on through those before it:
//
//     T >=  Σ_{q<p} (F_q + B_q)/v  +  M (F_p + B_p)  +  sends that hold it up  +  D  +  optimiser          v: chunks of a stage
//
//   D        gradients that are reduced after the last backward: of the last piece, whatever else is hidden; and all of them, after the
//            last backward pass has begun; with ZeRO 2 and 3 those of all micro-batches, after the first has. With ZeRO 1 and 2 parameters
//            are gathered after the optimiser, unless ahead of the next iteration; with ZeRO 3 all gathers of a stage follow each other.
//
// Every term is a chain of tasks that really depend on each other (placement/iteration.cpp, replicas.cpp), so the longest is a bound.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "placement/cell.h"
#include "placement/compute.h"
#include "placement/memory.h"
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

  // Requires: a strategy that place() would divide the model by; parameters that stay on the NPUs.
  double seconds(const placement::Strategy& strategy, const ExchangeBounds& exchanges);

  // Of the fullest NPU, exactly as placement::memory_of has it.
  double memory(const placement::Strategy& strategy);

 private:
  // Stages in a row that hold the same; the first and the last of all stand alone.
  struct Stages {
    int first = 0, count = 1;
    std::vector<placement::Part> chunks;
  };
  const std::vector<Stages>& stages(const placement::Strategy& strategy);
  struct LayerWork {
    placement::Work forward, backward;
  };
  const std::vector<LayerWork>& works(const placement::Strategy& strategy, int expert_groups);
  // Of a layer, one of its repeats: what the device takes with its exchanges, and what the host issues meanwhile.
  struct Pass {
    double chain = 0, host = 0;
  };
  Pass pass(const placement::Work& work, const placement::Strategy& strategy, const ExchangeBounds& exchanges) const;
  // Of layers one after the other.
  double pass(const placement::Part& part, const std::vector<Pass>& layers, bool backward) const;
  // Gradients of a stage on one rank: all, those of the piece that backward ends with, and in how many pieces.
  struct Gradients {
    double dense = 0, expert = 0;
    double last_dense = 0, last_expert = 0;
    double dense_pieces = 0, expert_pieces = 0;
  };
  const std::vector<Gradients>& gradients(const placement::Strategy& strategy);

  const workload::Workload& workload_;
  const placement::Machine& machine_;
  std::map<std::tuple<int, int, placement::Ends>, std::vector<Stages>> stages_;
  std::map<std::tuple<int, int, int, int, double, bool, placement::Recompute>, std::vector<LayerWork>> works_;
  std::map<std::tuple<int, int, int, int, bool>, std::vector<Gradients>> gradients_;
  std::map<std::tuple<int, int, int, int, int, double, bool, placement::Recompute>, std::vector<placement::StageLoad>>
      loads_;
  std::vector<Pass> forward_, backward_;  // by layer, of the one at hand
};

}  // namespace helio::plan
