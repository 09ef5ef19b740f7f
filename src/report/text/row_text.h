// SPDX-License-Identifier: Apache-2.0
// Rows of a study and its sweeps for people. On a terminal (look.h) a bar tells how far ours is from what is published (full: 100 % or
// more), and each series of a sweep is a line of small bars over its parameter:
//
//     time (ms) over nodes
//       WRHT      _.:-=+*#   12.5 to 149.6
#pragma once

#include <string>
#include <vector>

#include "report/figures/chart.h"
#include "report/row.h"
#include "report/text/look.h"

namespace helio::report {

std::string to_text(const std::vector<Row>& rows, const Look& look = {});

// Sweeps, that is charts with lines. Nothing in a pipe or a file: there the CSV of a report is the better form.
std::string to_text(const std::vector<Chart>& charts, const Look& look);

}  // namespace helio::report
