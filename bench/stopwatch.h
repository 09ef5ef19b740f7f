// SPDX-License-Identifier: Apache-2.0
// Processor time of a piece of work in this thread: what other programs do on the machine hardly shows in it.
#pragma once

#include <algorithm>
#include <ctime>
#include <limits>

namespace helio::bench {

inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The least time of a call of `work`, over at least three calls and, for short ones, `enough` seconds of calls. What it
// returns is destroyed off the clock.
template <class Work>
double least_seconds(Work work, double enough = 0.02) {
  double least = std::numeric_limits<double>::infinity(), sum = 0;
  for (int calls = 0; calls < 3 || sum < enough; ++calls) {
    const double start = processor_seconds();
    const auto made = work();
    const double taken = processor_seconds() - start;
    least = std::min(least, taken);
    sum += std::max(taken, 1e-6);
    static_cast<void>(made);
  }
  return least;
}

}  // namespace helio::bench
