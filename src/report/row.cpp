// SPDX-License-Identifier: Apache-2.0
#include "report/row.h"

#include <algorithm>

namespace helio::report {

std::vector<std::span<const Row>> runs_of_one_sort(std::span<const Row> rows) {
  std::vector<std::span<const Row>> runs;
  while (!rows.empty()) {
    const auto other = std::ranges::find_if(rows, [&](const Row& row) { return row.versus != rows.front().versus; });
    runs.push_back(rows.first(static_cast<std::size_t>(other - rows.begin())));
    rows = rows.subspan(runs.back().size());
  }
  return runs;
}

}  // namespace helio::report
