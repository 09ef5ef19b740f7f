// SPDX-License-Identifier: Apache-2.0
#include "fit.h"

#include <cassert>
#include <cmath>

namespace helio::bench {

double fitted_exponent(const std::vector<double>& xs, const std::vector<double>& ys) {
  assert(xs.size() == ys.size() && xs.size() >= 2 && "a slope needs two points");
  const auto count = static_cast<double>(xs.size());
  double mean_x = 0, mean_y = 0;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    mean_x += std::log(xs[i]) / count;
    mean_y += std::log(ys[i]) / count;
  }
  double together = 0, spread = 0;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    together += (std::log(xs[i]) - mean_x) * (std::log(ys[i]) - mean_y);
    spread += (std::log(xs[i]) - mean_x) * (std::log(xs[i]) - mean_x);
  }
  return together / spread;
}

}  // namespace helio::bench
