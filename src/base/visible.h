// SPDX-License-Identifier: Apache-2.0
// Text from outside as it may be shown. Names in files and on command lines are anybody's: they may hold bytes that are no UTF-8,
// characters that steer a terminal, turn the order of what is read (U+202E) or are seen as nothing, and be as long as a file.
//
//     byte or character                                     written as
//     below U+0020 (ESC, the end of a line)                 \x1b, \x0a
//     a byte that is no UTF-8                               \xff
//     U+007F to U+009F, bidi controls, separators,          \u202e, as JSON would; beyond U+FFFF in two halves
//       what is seen as nothing, noncharacters
//
// Everything else stays as it is, so that what was made visible once is not changed again. Edges call this, and nobody else has to: print
// and complaints (apps), JSON (json_dump.h), pages and drawings (report/pages/html_parts.h), CSV (csv_field.h).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace helio {

// On one line.
std::string visible(std::string_view text);
// Ends of lines and tabs stay. What JSON has written stays the same JSON.
std::string visible_lines(std::string_view text);

// Each byte that is no UTF-8 is U+FFFD; all else stays.
std::string valid_utf8(std::string_view text);

// How many characters there are; a byte that is no UTF-8 counts as one.
std::size_t characters_in(std::string_view text);

// Of more than `most` characters only so many, its beginning and its end, and how many there are between them: "aaaa…(92 more)…aaaa".
std::string shortened(std::string_view text, std::size_t most);

// A name or a value among words, in a table or a message: visible, and never long.
inline constexpr std::size_t kMostOfAName = 160;
std::string shown(std::string_view name);

}  // namespace helio
