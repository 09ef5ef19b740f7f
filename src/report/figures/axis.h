// SPDX-License-Identifier: Apache-2.0
// One axis of a chart: which values it spans, where a value lies on it, and where its ticks stand.
//
//     linear   0    20    40    60    80        steps of 1, 2 or 5 times a power of ten, the ends on a tick
//     log      1    10    100    1000           powers of ten; 1, 2, 5 of each where they are few
//
// Invariant: low < high, and on a log axis 0 < low.
#pragma once

#include <string>
#include <vector>

namespace helio::report {

class Axis {
 public:
  // Spans the values that it can show. Without any it spans 0 to 1, or 1 to 10 on a log axis.
  Axis(const std::vector<double>& values, bool log);

  // Finite, and on a log axis positive.
  static bool shows(double value, bool log);
  // 0 at the low end, 1 at the high end. Requires: the axis shows the value.
  double place(double value) const;
  // Increasing.
  std::vector<double> ticks() const;

  double low() const { return low_; }
  double high() const { return high_; }
  bool log() const { return log_; }

 private:
  double low_ = 0, high_ = 1, step_ = 0.2;  // the step of a linear axis
  bool log_ = false;
};

// A number beside a tick, four digits: "1024", "0.5", "1e6".
std::string tick_label(double value);

}  // namespace helio::report
