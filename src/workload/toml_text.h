// SPDX-License-Identifier: Apache-2.0
// TOML files: the only place where such text becomes tables (tests/house_test.cpp). The library takes dotted keys of any length, which it
// later takes apart by recursion, so the text is looked at before: one pass that knows strings and comments, and counts.
#pragma once

#include <toml++/toml.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace helio::workload {

inline constexpr std::size_t kMostKeyParts = 32;  // of a.b.c
inline constexpr std::size_t kDeepestToml = 32;   // lists and inline tables within each other

// Throws Error(kInput) at "source:line:column" for what is no TOML, for longer keys and for deeper nesting; `page` is the document that
// shows a whole file.
toml::table parse_toml(std::string_view text, const std::string& source, std::string_view page);

// A single value as an option would have it; none: a table, a list, or a date.
std::optional<std::string> value_text(const toml::node& node);

// "source:line:column".
std::string toml_place(const std::string& source, const toml::source_region& region);

}  // namespace helio::workload
