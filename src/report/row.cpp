// SPDX-License-Identifier: Apache-2.0
#include "report/row.h"

#include <algorithm>
#include <string_view>

namespace helio::report {

bool Row::predicted() const {
  return std::ranges::none_of(assumptions, [&](const Assumption& assumption) {
    return assumption.is_using(beside()) ||
           std::ranges::any_of(follows_from, [&](double number) { return assumption.is_using(number); });
  });
}

bool Row::unfitted() const {
  return predicted() && std::ranges::all_of(assumptions, [](const Assumption& assumption) {
           return assumption.uses.empty() && assumption.grade != Grade::kFitted &&
                  assumption.grade != Grade::kCalibrated;
         });
}

std::vector<std::span<const Row>> runs_of_one_sort(std::span<const Row> rows) {
  std::vector<std::span<const Row>> runs;
  while (!rows.empty()) {
    const std::string_view versus = rows.front().versus();
    const auto other = std::ranges::find_if(rows, [&](const Row& row) { return row.versus() != versus; });
    runs.push_back(rows.first(static_cast<std::size_t>(other - rows.begin())));
    rows = rows.subspan(runs.back().size());
  }
  return runs;
}

}  // namespace helio::report
