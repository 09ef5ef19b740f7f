// SPDX-License-Identifier: Apache-2.0
// The exponent of a power law through measured points.
#pragma once

#include <vector>

namespace helio::bench {

// The a of y = c x^a that fits best: least squares of log y on log x.
// Requires: as many xs as ys, at least two different xs, everything positive.
double fitted_exponent(const std::vector<double>& xs, const std::vector<double>& ys);

}  // namespace helio::bench
