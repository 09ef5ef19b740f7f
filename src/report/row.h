// SPDX-License-Identifier: Apache-2.0
// One row of a study: a published number and what we make of it.
#pragma once

#include <cmath>
#include <string>
#include <vector>

namespace helio::report {

struct Row {
  std::string study;
  std::string quantity;  // with its unit
  double published = 0;
  double ours = 0;
  std::string label;  // literal, fitted, calibrated, ours
  std::vector<std::string> assumptions;
  bool predicted = true;  // no parameter was chosen to meet this number
  std::string source;     // paper and place, or "closed form"

  // Relative difference between ours and published.
  double within() const {
    if (ours == published) return 0;
    return published == 0 ? INFINITY : std::abs(ours - published) / std::abs(published);
  }
};

}  // namespace helio::report
