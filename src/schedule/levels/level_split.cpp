// SPDX-License-Identifier: Apache-2.0
#include "schedule/levels/level_split.h"

#include <algorithm>
#include <vector>

namespace helio::schedule {
namespace {

// A falling stretch of what is left below: from `from` sums sent up to `to`, losing `slope` messages for each.
struct Stretch {
  double from, to, left, slope;
};

}  // namespace

LevelSplit best_split(Bytes bytes, const UnitsAndRanks& shape, const Capabilities& below, const Capabilities& above) {
  const double m = shape.ranks, n = shape.units, d = bytes.value * 8;
  const double message_below = d * below.least_wire_factor / (m * below.injection.value);
  const double message_above = d * above.least_wire_factor * shape.sharing / above.injection.value;
  const bool in_flight = above.reduces || above.multicasts;
  const auto seconds_above = [&](double sent) { return message_above * (in_flight ? sent : 2 * sent - 2 / n); };

  // What stays below; an averaging level gives sums of one kind at a time, so that what is sent up unsummed and what comes down as the
  // whole sum are not the same passage but for one
  std::vector<Stretch> stretches;
  if (above.averaging) {
    const double copied = shape.copies * (m - 1);
    stretches = {{1, m, m - 1 + copied, 1}, {m, 2 * m - 1, copied, shape.copies}};
  } else {
    stretches = {{1, m, (1 + shape.copies) * (m - 1), 1 + shape.copies}};
  }
  const double most = stretches.back().to;
  for (const Stretch& stretch : stretches) {
    const auto seconds_below = [&](double sent) {
      return message_below * (stretch.left - stretch.slope * (sent - stretch.from));
    };
    if (seconds_below(stretch.to) > seconds_above(stretch.to)) continue;  // they meet further on
    // Both are straight: where they meet
    const double gap = seconds_below(stretch.from) - seconds_above(stretch.from);
    const double closing = message_below * stretch.slope + message_above * (in_flight ? 1 : 2);
    const double sent = stretch.from + std::clamp(gap / closing, 0.0, stretch.to - stretch.from);
    return {seconds_below(sent), (sent - 1) / (most - 1)};
  }
  return {0, 1};
}

}  // namespace helio::schedule
