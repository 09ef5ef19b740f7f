// SPDX-License-Identifier: Apache-2.0
// Reports on disk.
//
//     DIR/index.html     the page, for people
//     DIR/rows.json      study rows, where there are any        (helio reproduce --json)
//     DIR/results.json   of collectives and jobs, likewise     (helio simulate --json)
//     DIR/NAME.csv       the points of each chart
#pragma once

#include <string>

#include "report/html.h"

namespace helio::report {

// Make the folders that are not there. Throw Error(kInput) at `place` (an option) when something cannot be written.
void write_report(const Page& page, const std::string& folder, const std::string& place);
void write_file(const std::string& path, const std::string& text, const std::string& place);

}  // namespace helio::report
