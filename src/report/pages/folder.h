// SPDX-License-Identifier: Apache-2.0
// Reports on disk.
//
//     DIR/index.html, page.json       the first page, for people, and what it was made from
//     DIR/NAME.html, NAME.json        further pages of a set
//     DIR/rows.json, results.json     study rows; results of collectives and jobs (as --json prints them)
//     DIR/NAME.csv                    what lies behind each figure
//
// `helio report DIR` reads page.json, and the pages that it names, and writes the HTML again: the same bytes from the same program.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "report/pages/page.h"

namespace helio::report {

// What lies behind a figure and is longer than this is in its file only, not in the page.
inline constexpr std::size_t kMostCsvInPage = 1u << 16;

struct Report {
  std::vector<Page> pages;                                      // the first is "index"
  std::vector<std::pair<std::string, std::string>> files = {};  // further ones: name and content
};

// Make the folders that are not there. Throw Error(kInput) at `place` (an option) when something cannot be written.
void write_report(const Report& report, const std::string& folder, const std::string& place);
void write_file(const std::string& path, const std::string& text, const std::string& place);

// Writes the HTML of a saved report again; the files written. Throws Error(kInput) where there is no report, or a damaged one.
std::vector<std::string> rebuild_report(const std::string& folder, const std::string& place);

}  // namespace helio::report
