// SPDX-License-Identifier: Apache-2.0
// Reports on disk.
//
//     DIR/index.html, page.json       the first page, for people, and what it was made from
//     DIR/NAME.html, NAME.json        further pages of a set
//     DIR/rows.json, results.json     study rows; results of collectives and jobs (as --json prints them)
//     DIR/NAME.csv                    what lies behind each figure
//     DIR/manifest.json               the names of all these, and whether they are of one run
//
// What the manifest does not name is somebody else's: it stays, and where it is in the way the report is refused. A report replaces
// another as a whole, those of its files that are no more among them:
//
//     lock ▶ everything staged in DIR/.helio-report ▶ manifest: unfinished ▶ old pages go ▶ data, then pages, index.html last ▶
//     old data go ▶ manifest: finished
//
// so that a page is never seen beside data of another run, whenever the program is killed. `helio report DIR` reads page.json, and the
// pages that it names, and writes the HTML again: the same bytes from the same program.
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

// Makes the folders that are not there. Throws Error(kInput) at `place` (an option) when something cannot be written, is in the way, or
// another run is writing there; then the old report stays.
void write_report(const Report& report, const std::string& folder, const std::string& place);

// The same refusals before there is a report, as far as its names are known: the first page, and `data`, the file of the answer. Files of
// the report that is there are declared (base/file_ledger.h): none of them is a file to read.
void declare_report(const std::string& folder, const std::string& data, const std::string& place);

// Writes the HTML of a saved report again; the files written. Throws Error(kInput) where there is no report, or a damaged one.
std::vector<std::string> rebuild_report(const std::string& folder, const std::string& place);

}  // namespace helio::report
