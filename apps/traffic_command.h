// SPDX-License-Identifier: Apache-2.0
// `helio traffic`: a mixture of experts' all-to-all, whose matrix changes each iteration, on one fabric (pipeline/traffic.h), or on
// several side by side at the same rate per node (pipeline/traffic_comparison.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace helio::apps {

struct TrafficOptions {
  // "oddl", "oddl:policy=fifo,trx=2"; "oddl:policy=*" is one fabric for each choice. Several: they are compared
  std::vector<std::string> fabric;
  std::string bytes;
  std::optional<std::string> nodes, rate, iterations, skew, seed, compute;
  std::vector<std::string> set;  // "fabric.rate=400 Gb/s", of every fabric
};

// What is printed. Throws Error at the option that is wrong.
std::string traffic(const TrafficOptions& options, bool json);

}  // namespace helio::apps
