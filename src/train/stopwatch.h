// SPDX-License-Identifier: Apache-2.0
// Seconds of training, those before a resume counted in.
#pragma once

#include <chrono>

namespace helio::train {

class Stopwatch {
 public:
  explicit Stopwatch(double before = 0) : before_(before) {}
  double seconds() const { return before_ + std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  double before_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace helio::train
