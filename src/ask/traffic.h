// SPDX-License-Identifier: Apache-2.0
// A mixture of experts' all-to-all, whose matrix changes each iteration, on one fabric (pipeline/traffic.h), or on several side by
// side at the same rate per node (pipeline/traffic_comparison.h).
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ask/experiment.h"
#include "pipeline/traffic_comparison.h"

namespace helio::ask {

struct TrafficQuestion {
  // "oddl", "oddl:policy=fifo,trx=2"; "oddl:policy=*" is one fabric for each choice. Several: they are compared
  std::vector<std::string> fabric;
  std::string bytes;
  std::optional<std::string> nodes = {}, rate = {}, iterations = {}, skew = {}, seed = {}, compute = {};
  std::vector<Assignment> set = {};  // of every fabric: "fabric.rate"
  std::string place = "question";
  Naming called = as_it_is;
};

using TrafficAnswer = std::variant<pipeline::TrafficResult, pipeline::TrafficComparison>;

// Throws Error at what is wrong.
TrafficAnswer traffic(const TrafficQuestion& question, const Watch& watch = {});

}  // namespace helio::ask
