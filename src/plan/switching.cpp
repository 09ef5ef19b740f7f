// SPDX-License-Identifier: Apache-2.0
#include "plan/switching.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace helio::plan {
namespace {

double to_whole(double value, double whole) {
  return whole > 0 ? std::max(1.0, std::round(value / whole)) * whole : value;
}

}  // namespace

double change_between(double low, double high, const StillAhead& ahead_at_low, double whole) {
  while (high > kSwitchingNear * low) {
    const double middle = to_whole(std::sqrt(low * high), whole);
    if (middle <= low || middle >= high) break;
    const std::optional<bool> still = ahead_at_low(middle);
    if (!still) break;
    (*still ? low : high) = middle;
  }
  return whole > 0 ? high : std::sqrt(low * high);
}

void seek_switches(const Sought& sought, const StillAhead& ahead, std::vector<pipeline::Switching>& switching,
                   std::vector<std::string>& steady) {
  double reached[2] = {sought.at, sought.at};  // below, above
  bool found = false;
  for (const bool up : {false, true}) {
    double& inside = reached[up ? 1 : 0];
    for (double factor = kSwitchingStep; factor <= kSwitchingFar; factor *= kSwitchingStep) {
      const double outside = to_whole(up ? sought.at * factor : sought.at / factor, sought.whole);
      if (outside == inside) break;
      const std::optional<bool> still = ahead(outside);
      if (!still) break;
      if (*still) {
        inside = outside;
        continue;
      }
      // Low to high, whoever is ahead there
      const double value = up ? change_between(inside, outside, ahead, sought.whole)
                              : change_between(
                                    outside, inside,
                                    [&](double middle) -> std::optional<bool> {
                                      const std::optional<bool> winner = ahead(middle);
                                      return winner ? std::optional(!*winner) : winner;
                                    },
                                    sought.whole);
      switching.push_back({.parameter = sought.parameter,
                           .value = value,
                           .at = sought.at,
                           .below = up ? sought.winner : sought.rival,
                           .above = up ? sought.rival : sought.winner});
      found = true;
      break;
    }
  }
  if (!found)
    steady.push_back(fmt::format("{}: {} stays ahead of {} from {} to {}", sought.parameter, sought.winner,
                                 sought.rival, sought.in_words(reached[0]), sought.in_words(reached[1])));
}

}  // namespace helio::plan
