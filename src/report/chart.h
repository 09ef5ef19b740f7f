// SPDX-License-Identifier: Apache-2.0
// Charts of sweeps: series of points over one parameter, as inline SVG for a page and as CSV for everything else.
//
//     time (ms)                             ours       points of one shape and colour, joined by a line
//       100 ┤  ●───●───●                    published  hollow points in the ink of the page, no line
//           │    ◆───◆───◆
//        10 ┤  ○                            Every point says its values when pointed at (<title>).
//           └──┬───┬───┬──
//             128 256 512  nodes
//
// A picture needs no script and no network, and its text and axes have the colour of the page around it. What a log axis cannot
// show (zero, negative, not finite) is left out of the picture and stays in the CSV.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace helio::report {

struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points;  // x, y; in the order in which the line joins them
  bool published = false;
  bool joined = true;  // by a line; published points never are
};

struct Chart {
  std::string name;  // of its file, "NAME.csv": lower case letters, digits and '-'; unique on a page
  std::string title;
  std::string x_label, y_label;  // with their units
  bool log_x = false, log_y = false;
  std::vector<Series> series = {};
};

// Colours of the series, for the page's style sheet.
std::string chart_style();

// One <svg> element.
std::string to_svg(const Chart& chart);

// "series,published,X_LABEL,Y_LABEL" and a line for each point, numbers with as many digits as it takes to read the same double back.
std::string to_csv(const Chart& chart);

// The chart with its title and a link to its CSV file, for a page in the same folder.
std::string figure_of(const Chart& chart);
std::string csv_file_of(const Chart& chart);

}  // namespace helio::report
