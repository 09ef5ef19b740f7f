// SPDX-License-Identifier: Apache-2.0
// A number over two axes of names, as a picture (web/heatmap.js).
#pragma once

#include <string>
#include <vector>

#include "report/figures/figure.h"

namespace helio::report {

struct HeatMap {
  std::string name;  // of its file, as a chart's
  std::string title;
  std::string x_label, y_label, value_label;
  std::vector<std::string> columns, rows;
  std::vector<std::vector<double>> cells;  // by row; NaN: none
};

// `text`: a number as people read it. Requires: cells for all rows and columns, one of them a number.
Figure figure_of(const HeatMap& map, std::string (*text)(double));

}  // namespace helio::report
