// SPDX-License-Identifier: Apache-2.0
// Ratios: two ways to the same answer, or a unit of work in two situations, timed one after the other in one run, so that the
// machine cancels. Adding one is a line in ratios.cpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace helio::bench {

// One side of a ratio: what it is called, and how to measure it in seconds.
struct Side {
  std::string name;
  std::function<double()> seconds;
};

struct Ratio {
  std::string name;
  Side slow, fast;
  double at_least = 0;  // slow over fast that is asked for; 0: only shown
};

struct RatioOutcome {
  Ratio ratio;
  double slow_seconds = 0, fast_seconds = 0;
  double times() const { return slow_seconds / fast_seconds; }
  bool within() const { return times() >= ratio.at_least; }
};

const std::vector<Ratio>& ratios();

// `each` hears of every outcome as it comes.
std::vector<RatioOutcome> measure_ratios(const std::function<void(const RatioOutcome&)>& each);

}  // namespace helio::bench
