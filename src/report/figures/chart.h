// SPDX-License-Identifier: Apache-2.0
// Charts of points over an axis: sweeps, curves, predictions against measurements. As a figure for Chart.js, as inline SVG for a
// reader without scripts, and as CSV for everything else.
//
//     time (ms)                             ours       points of one shape and colour, joined by a line
//       100 ┤  ●───●───●                    published  hollow points in the ink of the page, no line
//           │    ◆───◆───◆
//        10 ┤  ○                            Every point says its values when pointed at.
//           └──┬───┬───┬──
//             128 256 512  nodes
//
// What a log axis cannot show (zero, negative, not finite) is left out of the picture and stays in the CSV.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "report/figures/figure.h"

namespace helio::report {

struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points = {};  // x, y; in the order in which the line joins them
  bool published = false;
  bool joined = true;                    // by a line; published points never are
  std::vector<std::string> labels = {};  // what each point is; empty, or as many as points
};

//   kSweep     few points, marks and lines
//   kCurves    many points, lines only: loss, accuracy
//   kScatter   y against x on equal axes with the diagonal: predictions against measurements
enum class ChartKind : std::uint8_t { kSweep, kCurves, kScatter };

struct Chart {
  std::string name;  // of its file, "NAME.csv": lower case letters, digits and '-'; unique on a page
  std::string title;
  std::string x_label, y_label;  // with their units
  bool log_x = false, log_y = false;
  std::vector<Series> series = {};
  ChartKind kind = ChartKind::kSweep;
  // Where x counts cases, what each is: x = 1 is the first. Drawn as groups of bars.
  std::vector<std::string> cases = {};
  std::string words = {};  // what it shows; empty: both axes and the series
};

// One <svg> element, for where no script runs.
std::string to_svg(const Chart& chart);

// "series,published,X_LABEL,Y_LABEL" and a line for each point, numbers with as many digits as it takes to read the same double
// back; cases by their names.
std::string to_csv(const Chart& chart);

// The chart as a figure of kind "sweep", "curves", "scatter" or, with cases, "bars" (web/charts.js), and back.
// chart_of throws Json::exception where the data has another shape.
Figure figure_of(const Chart& chart);
Chart chart_of(const Figure& figure);
bool is_chart(const Figure& figure);

}  // namespace helio::report
