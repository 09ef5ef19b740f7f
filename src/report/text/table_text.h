// SPDX-License-Identifier: Apache-2.0
// Tables for people: columns as wide as they need; on a terminal the last one is broken at words where it would pass
// the edge, and stands below the others where it has no room beside them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/catalogue.h"
#include "report/text/look.h"

namespace helio::report {

// Rows of equal length, the head first; the last column is not padded. Columns in `numbers` stand to the right.
std::string table_of(const std::vector<std::vector<std::string>>& rows, const std::vector<std::size_t>& numbers = {},
                     const Look& look = {});

// Parameters with their types, defaults, bounds and meanings; `prefix` stands before their names ("fabric.").
std::string table_of(const std::vector<Parameter>& parameters, std::string_view prefix, const Look& look = {});

// ">= 1, <= 64", the choices, "-" where there are none.
std::string bounds_of(const Parameter& parameter);
// The default, "unset" or "required".
std::string default_of(const Parameter& parameter);

}  // namespace helio::report
