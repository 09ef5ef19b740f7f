// SPDX-License-Identifier: Apache-2.0
// Comma-separated values (RFC 4180) for spreadsheets. A line of the file is a row of the table: names are visible (visible.h).
//
// Spreadsheets compute what begins with = + - or @. What is no number and begins so gets an apostrophe before it, which they take for
// "this is text":
//
//     =1+1  ─▶  '=1+1        -5, -2.5e-3  ─▶  the same        a, "b"  ─▶  "a, ""b"""
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace helio {

// A field as it stands in a file.
std::string csv_field(std::string_view text);
// With as many digits as it takes to read the same double back.
std::string csv_field(double value);
// Fields with commas between them, ending in a newline.
std::string csv_line(const std::vector<std::string>& fields);

}  // namespace helio
