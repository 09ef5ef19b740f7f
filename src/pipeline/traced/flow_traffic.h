// SPDX-License-Identifier: Apache-2.0
// A trace of flows on a fabric: each starts at its own time, and how long it takes is told (docs/flow-traces.md).
//
//     coflow 0    delay 0 ────────────▶ flow          each flow waits for its time, then for whatever the fabric has before it:
//                 delay 1.2 ms ───────▶ flow          links that others share, a circuit, a turn
//     coflow 1    delay 0.4 ms ───────▶ flow
//     the others  delay … ────────────▶ flow          flows without a coflow stand together
//
// A flow's time runs from its own start until its last byte has arrived; its slowdown is that over what its bytes take at the full rate of
// a node, which is the same on every fabric. A coflow's time runs from its first start to its last end.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/experiment.h"
#include "pipeline/result.h"
#include "pipeline/traffic_comparison.h"
#include "workload/flow_trace.h"

namespace helio::pipeline {

struct FlowTimes {
  std::uint64_t count = 0;
  double mean_s = 0, p50_s = 0, p99_s = 0, most_s = 0;
};

// Flows of at most so many bytes that no class before has.
struct FlowClass {
  double upto = 0;  // bytes; infinity: all that are left
  FlowTimes times;
  double slowdown = 0, slowdown_p99 = 0;
};

struct FlowResult {
  std::string fabric, version, label;
  std::uint64_t nodes = 0;
  Configuration configuration;
  BitRate rate;      // of a node, which slowdowns are told by
  double end_s = 0;  // of the last flow
  double bytes = 0;
  double utilisation = 0;  // bytes over what all nodes could inject from the first start to the last end
  FlowTimes flows, coflows;
  double slowdown = 0, slowdown_p99 = 0;
  std::vector<FlowClass> classes;  // by size, those that have a flow
  Facts facts;
  std::vector<std::string> assumptions;
};

// Throws Error(kInfeasible) for a fabric that has no way for a flow at a time of its own, or that refuses, and for too many flows.
FlowResult run_flows(const workload::FlowTrace& trace, const Choice& fabric,
                     const std::function<void(std::string_view)>& progress = {});

struct FlowComparison {
  struct Entry {
    std::string name;
    std::optional<FlowResult> result;
    Advice refusal;
  };
  std::string source;  // of the flows
  BitRate rate;
  std::vector<Entry> entries;
};

// At one rate per node, as compare_traffic; `fabrics` as at_one_rate returns them.
FlowComparison compare_flows(const workload::FlowTrace& trace, const std::vector<TrafficContender>& fabrics,
                             BitRate rate, const std::function<void(std::string_view)>& progress = {});

}  // namespace helio::pipeline
