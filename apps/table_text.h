// SPDX-License-Identifier: Apache-2.0
// Tables for a terminal: columns as wide as they need.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/catalogue.h"

namespace helio::apps {

// Rows of equal length, the head first; the last column is not padded. Columns in `numbers` stand to the right.
std::string table_of(const std::vector<std::vector<std::string>>& rows, const std::vector<std::size_t>& numbers = {});

// Parameters with their types, defaults, bounds and meanings; `prefix` stands before their names ("fabric.").
std::string table_of(const std::vector<Parameter>& parameters, std::string_view prefix);

}  // namespace helio::apps
