// SPDX-License-Identifier: Apache-2.0
// Flows as they were seen, or as they are drawn from sizes that were (docs/flow-traces.md).
//
//     time,source,destination,bytes,coflow           bytes,share                 share
//     0,3,17,1 MB,shuffle-1                          1000,0                     1 │        ╭──
//     0.0012,3,4,20 kB,                              10000,0.5                    │   ╭────╯
//                                                    1000000,1                  0 └───╯─────── bytes
//
// Times are seconds, or have a unit, and so are bytes. A flow without a coflow is on its own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/quantity.h"
#include "base/time.h"

namespace helio::workload {

inline constexpr std::uint32_t kNoCoflow = 0xffffffffu;

struct TracedFlow {
  Time at;
  std::uint32_t source = 0, destination = 0;
  double bytes = 0;
  std::uint32_t coflow = kNoCoflow;  // of FlowTrace::coflows
};

struct FlowTrace {
  std::string source;                // the file, or what was drawn
  std::vector<TracedFlow> flows;     // by time
  std::vector<std::string> coflows;  // their names
};

// Throws Error(kInput) with file:line:column: columns that are missing, no number, a flow of nothing, of a node to itself, or of a node
// beyond `nodes`.
FlowTrace parse_flow_trace(std::string_view text, const std::string& source, std::uint32_t nodes);
FlowTrace read_flow_trace(const std::string& path, std::uint32_t nodes);

// How large flows are: `share` of them have at most `bytes`. Between two rows sizes are spread evenly; what the first row has more than 0 of
// is of its size.
struct FlowSizes {
  std::string source;
  std::vector<std::pair<double, double>> rows;  // bytes, share: both rise, the last share is 1

  double at(double share) const;  // the size that so many are not above. Requires: 0 <= share < 1.
  double mean() const;
};

FlowSizes parse_flow_sizes(std::string_view text, const std::string& source);
FlowSizes read_flow_sizes(const std::string& path);

// Flows that come as a Poisson process, between two nodes drawn evenly, at `load` of what all nodes inject together.
// Requires: flows > 0, nodes > 1, load > 0.
FlowTrace draw_flows(const FlowSizes& sizes, std::uint64_t flows, std::uint32_t nodes, BitRate rate, double load,
                     std::uint64_t seed);

}  // namespace helio::workload
