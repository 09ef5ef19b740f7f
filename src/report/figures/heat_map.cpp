// SPDX-License-Identifier: Apache-2.0
#include "report/figures/heat_map.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "base/csv_field.h"

namespace helio::report {

Figure figure_of(const HeatMap& map, std::string (*text)(double)) {
  using Json = nlohmann::ordered_json;
  Figure figure{.name = map.name, .kind = "heatmap", .title = map.title};
  figure.csv = fmt::format("{},{},{}\n", csv_field(map.y_label), csv_field(map.x_label), csv_field(map.value_label));
  Json cells = Json::array(), texts = Json::array();
  std::size_t least_row = 0, least_column = 0;
  double least = std::nan("");
  for (std::size_t r = 0; r < map.rows.size(); ++r) {
    cells.push_back(Json::array());
    texts.push_back(Json::array());
    for (std::size_t c = 0; c < map.columns.size(); ++c) {
      const double value = map.cells.at(r).at(c);
      const bool none = !std::isfinite(value);
      cells.back().push_back(none ? Json(nullptr) : Json(value));
      texts.back().push_back(none ? "" : text(value));
      if (none) continue;
      figure.csv += csv_line({csv_field(map.rows[r]), csv_field(map.columns[c]), csv_field(value)});
      if (!(value >= least)) least = value, least_row = r, least_column = c;
    }
  }
  if (std::isnan(least)) throw std::logic_error("a heat map without a number");
  figure.words = fmt::format("{} for {} {} and {} {}, the brighter the less; the least is {}, at {} and {}.",
                             map.value_label, map.rows.size(), map.y_label, map.columns.size(), map.x_label,
                             text(least), map.rows[least_row], map.columns[least_column]);
  figure.data = {{"x", {{"label", map.x_label}, {"names", map.columns}}},
                 {"y", {{"label", map.y_label}, {"names", map.rows}}},
                 {"value", map.value_label},
                 {"cells", std::move(cells)},
                 {"texts", std::move(texts)}};
  return figure;
}

}  // namespace helio::report
