// SPDX-License-Identifier: Apache-2.0
// A picture on a page: data and words here, drawing in web/<kind>.js.
//
//     bars, sweep, stacked, curves, scatter                        ordinary charts, drawn by Chart.js (web/charts.js)
//     timeline, wavelengths, ring, fred, levels, mesh, slices      the domain's own pictures, a module each
//
// `data` is what the module documents in its first lines. Nothing in it is markup: modules put text into the page as text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace helio::report {

struct Figure {
  std::string name;  // of its files and its place on the page: lower case letters, digits and '-'; unique on a page
  std::string kind;  // the module that draws it
  std::string title;
  std::string words;  // what it shows, for those who cannot see it and as its caption
  nlohmann::ordered_json data;
  std::string csv;          // what lies behind it, for download; empty: none
  bool csv_beside = false;  // it was too long for the page and lies in NAME.csv (folder.h)
};

}  // namespace helio::report
