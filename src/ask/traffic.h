// SPDX-License-Identifier: Apache-2.0
// A mixture of experts' all-to-all, whose matrix changes each iteration, on one fabric (pipeline/traffic.h), or on several side by
// side at the same rate per node (pipeline/traffic_comparison.h); or flows of a trace, or drawn by their sizes, likewise
// (pipeline/traced/flow_traffic.h).
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ask/experiment.h"
#include "pipeline/traced/flow_traffic.h"
#include "pipeline/traffic_comparison.h"

namespace helio::ask {

struct TrafficQuestion {
  // "oddl", "oddl:policy=fifo,trx=2"; "oddl:policy=*" is one fabric for each choice. Several: they are compared
  std::vector<std::string> fabric;
  std::string bytes = {};                            // of the experts' exchange; empty: flows
  std::string flows = {};                            // a file of them; or
  std::string sizes = {};                            // a file of how large they are, and
  std::optional<std::string> count = {}, load = {};  // how many are drawn, and what part of all nodes' rate they take
  std::optional<std::string> nodes = {}, rate = {}, iterations = {}, skew = {}, seed = {}, compute = {};
  std::vector<Assignment> set = {};  // of every fabric: "fabric.rate"
  std::string place = "question";
  Naming called = as_it_is;
};

using TrafficAnswer = std::variant<pipeline::TrafficResult, pipeline::TrafficComparison, pipeline::FlowComparison>;

// Throws Error at what is wrong.
TrafficAnswer traffic(const TrafficQuestion& question, const Watch& watch = {});

}  // namespace helio::ask
