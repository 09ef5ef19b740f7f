// SPDX-License-Identifier: Apache-2.0
// A page as one HTML file that needs nothing but a browser: no network, light or dark, fit to print.
//
//     <head>   Content-Security-Policy that lets run nothing but our scripts, by their hashes; the style
//     <body>   title, sections, tables: readable without scripts
//     data of the figures as JSON, then web/page.js and the modules that they need
//
// Without scripts a chart is an SVG picture or a table of its values; tables do not sort.
#pragma once

#include <string>
#include <vector>

#include "report/pages/page.h"

namespace helio::report {

// A page of the same report: where to go from here.
struct Neighbour {
  std::string name, title;
};

// `neighbours` in order, the page itself among them; fewer than two: no menu. Throws Error(kInput) for a figure that no module draws
// or whose data are not those of its kind.
std::string to_html(const Page& page, const std::vector<Neighbour>& neighbours = {});

// "index" is kept in page.json, others in NAME.json.
std::string html_file_of(const std::string& page);
std::string json_file_of(const std::string& page);

}  // namespace helio::report
