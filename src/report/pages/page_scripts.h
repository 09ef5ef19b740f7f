// SPDX-License-Identifier: Apache-2.0
// Which scripts a page needs, in the order in which they stand on it.
//
//     page.js ─▶ chart.min.js, charts.js      where there are ordinary charts
//             ─▶ picture.js, spans.js, …      where there are pictures of the domain: what they share, then theirs
#pragma once

#include <vector>

#include "report/pages/page.h"
#include "report/pages/web_files.h"

namespace helio::report {

// Throws Error(kInput) for a figure whose kind no script draws.
std::vector<const WebFile*> scripts_for(const Page& page);

}  // namespace helio::report
