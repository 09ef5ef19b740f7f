// SPDX-License-Identifier: Apache-2.0
// One traffic on several fabrics, at the same rate per node: what each makes of it.
//
//     matrices of (nodes, skew, seed) ──┬─▶ oddl, policy srpt   utilisation, p50, p99
//     each node injects `rate`          ├─▶ oddl, policy fifo        …
//                                       ├─▶ sip-ring                 …
//                                       └─▶ switch                   …
//
// What a fabric calls its `rate` differs: one port, one transceiver, one wavelength. A node's rate is what it can inject in all
// while nothing is dark, and every fabric's `rate` is scaled so that this is the same for all. Latencies, dark times and all else stay
// as each fabric has them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline/traffic.h"

namespace helio::pipeline {

struct TrafficContender {
  std::string name;  // in tables: "oddl policy=fifo"
  Choice fabric;     // without `rate`
};

struct TrafficComparison {
  struct Entry {
    std::string name;
    std::optional<TrafficResult> result;  // none: the fabric refused it
    Advice refusal;                       // then: why, and what to do
  };
  BitRate rate;  // of each node
  std::vector<Entry> entries;
};

// The fabric with the `rate` at which each of its nodes injects `per_node` in all. Throws Error(kInput) for a fabric that was given a
// rate or has none.
Choice at_node_rate(Choice fabric, BitRate per_node);

// All of them so, each with as many nodes as the others; what cannot be at this rate is kept as it is and says so when it is asked. Throws
// Error(kInput) as at_node_rate, and for other numbers of nodes.
std::vector<TrafficContender> at_one_rate(const std::vector<TrafficContender>& contenders, BitRate rate);
// What a node of the fabric injects while nothing is dark.
BitRate node_rate(const Choice& fabric);

// Asks all of them what `question` asks of one; its own fabric does not matter. Without a rate: what nodes of the first fabric inject by
// its defaults. A fabric that refuses is an entry without a result; throws Error(kInfeasible) when all do, Error(kInput) as run_traffic.
TrafficComparison compare_traffic(const TrafficQuestion& question, const std::vector<TrafficContender>& contenders,
                                  std::optional<BitRate> rate,
                                  const std::function<void(std::string_view)>& progress = {});

}  // namespace helio::pipeline
