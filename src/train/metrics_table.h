// SPDX-License-Identifier: Apache-2.0
// JSON lines (metrics.h) as a table for spreadsheets: the columns that a training says it has, always and in its order, then one for
// every other key, in the order in which keys first appear.
#pragma once

#include <string>
#include <vector>

namespace helio::train {

// CSV with a head line; a cell is empty where a line lacks the key. Lines that are no objects are left out.
std::string table_of_lines(const std::string& json_lines, std::vector<std::string> columns = {});

}  // namespace helio::train
