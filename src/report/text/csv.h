// SPDX-License-Identifier: Apache-2.0
// Comma-separated values (RFC 4180): what lies behind a figure, for spreadsheets.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace helio::report {

// A field as it stands in a file: quoted where it has to be.
std::string csv_field(std::string_view text);
// With as many digits as it takes to read the same double back.
std::string csv_field(double value);
// Fields with commas between them, ending in a newline.
std::string csv_line(const std::vector<std::string>& fields);

}  // namespace helio::report
