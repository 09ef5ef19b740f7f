// SPDX-License-Identifier: Apache-2.0
// JSON lines (metrics.h) as a table for spreadsheets: the columns that a training says it has, always and in its order, then one for
// every other key, in the order in which keys first appear.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json_reader.h"

namespace helio::train {

// What a line says; an empty object for one that is none, such as the last one of a run that was killed.
Json object_in(std::string_view line);

// CSV with a head line; a cell is empty where a line lacks the key. Lines that are no objects are left out.
std::string table_of_lines(const std::string& json_lines, std::vector<std::string> columns = {});

}  // namespace helio::train
