// SPDX-License-Identifier: Apache-2.0
// `helio traffic`: a mixture of experts' all-to-all, whose matrix changes each iteration, on one fabric (pipeline/traffic.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace helio::apps {

struct TrafficOptions {
  std::string fabric, bytes;
  std::optional<std::string> nodes, iterations, skew, seed, compute;
  std::vector<std::string> set;  // "fabric.rate=400 Gb/s"
};

// What is printed. Throws Error at the option that is wrong.
std::string traffic(const TrafficOptions& options, bool json);

}  // namespace helio::apps
