// SPDX-License-Identifier: Apache-2.0
// Parts of wholes as stacked bars: what time or memory is spent on, one bar for each job or collective.
//
//     gpt3     ████████████████████▒▒▒▒░░     41.2 ms compute, 8.8 ms dp, …
//     vision   ████████▒▒
//
// Figure kind "stacked" (web/charts.js). A part that no bar has is left out.
#pragma once

#include <string>
#include <vector>

#include "report/figures/figure.h"

namespace helio::report {

struct Part {
  std::string name;
  std::vector<double> values;  // one for each bar, in the unit of the label
};

struct Stacked {
  std::string name;
  std::string title;
  std::string words;
  std::string value_label;  // with its unit
  std::vector<std::string> bars;
  std::vector<Part> parts;
};

Figure figure_of(const Stacked& stacked);

}  // namespace helio::report
