// SPDX-License-Identifier: Apache-2.0
#include "pipeline/compared/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/error.h"

namespace helio::pipeline {

void rank(Comparison& comparison) {
  std::vector<std::size_t> able;
  for (std::size_t i = 0; i < comparison.candidates.size(); ++i)
    if (const Candidate& one = comparison.candidates[i];
        one.feasible && one.value_error.value_or(0) <= comparison.most_error.value_or(1e300))
      able.push_back(i);
  if (able.empty()) {
    const Candidate& first = comparison.candidates.front();
    throw Error(ErrorKind::kInfeasible,
                comparison.candidates.size() == 1 ? fmt::format("'{}' cannot answer this", first.title)
                                                  : fmt::format("none of {} fabrics can answer this; '{}'",
                                                                comparison.candidates.size(), first.title),
                first.fabric.place,
                first.feasible ? Advice(fmt::format("Its values have an error of {:.2g}, and {:.2g} is allowed.",
                                                    first.value_error.value_or(0), *comparison.most_error))
                               : first.reason);
  }
  std::ranges::sort(able, {}, [&](std::size_t i) {
    const Candidate& one = comparison.candidates[i];
    return std::tuple(one.time_s, one.watts.middle(), i);
  });
  comparison.winner = able.front();
  if (able.size() > 1) comparison.runner_up = able[1];
}

}  // namespace helio::pipeline
