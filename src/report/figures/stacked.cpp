// SPDX-License-Identifier: Apache-2.0
#include "report/figures/stacked.h"

#include <algorithm>

#include "base/csv_field.h"

namespace helio::report {

Figure figure_of(const Stacked& stacked) {
  using Json = nlohmann::ordered_json;
  Json parts = Json::array();
  std::string csv = csv_line({"bar", "part", csv_field(stacked.value_label)});
  for (const Part& part : stacked.parts) {
    if (std::ranges::none_of(part.values, [](double value) { return value > 0; })) continue;
    parts.push_back({{"name", part.name}, {"values", part.values}});
    for (std::size_t i = 0; i < stacked.bars.size(); ++i)
      csv += csv_line({csv_field(stacked.bars[i]), csv_field(part.name), csv_field(part.values[i])});
  }
  return {.name = stacked.name,
          .kind = "stacked",
          .title = stacked.title,
          .words = stacked.words,
          .data = {{"value_label", stacked.value_label}, {"bars", stacked.bars}, {"parts", std::move(parts)}},
          .csv = std::move(csv)};
}

}  // namespace helio::report
