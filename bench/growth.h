// SPDX-License-Identifier: Apache-2.0
// Growth: how the time of each piece grows with the number of nodes. Adding a case is a line in growth.cpp. Its schedule
// must claim a symmetry: every size is proven by one method, one slot per orbit, as a change of method would bend the line.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "pieces.h"

namespace helio::bench {

struct Growth {
  std::string fabric, algorithm;
  std::uint32_t first = 2, last = 2;   // nodes; doubling from one to the other
  std::string law;                     // the work in words: "n log n"
  double (*work)(double n) = nullptr;  // the same as a function
};

struct GrowthOutcome {
  Growth growth;
  Piece piece = Piece::kBuild;
  std::vector<double> nodes, seconds;
  double exponent = 0;  // fitted to the times
  double expected = 0;  // fitted to the law at the same sizes: a logarithm is part of a power there
};

const std::vector<Growth>& growths();

// `each` hears of every outcome as it comes.
std::vector<GrowthOutcome> measure_growth(const std::function<void(const GrowthOutcome&)>& each);

}  // namespace helio::bench
