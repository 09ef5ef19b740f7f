// SPDX-License-Identifier: Apache-2.0
// How text looks where it is shown: plain in a pipe or a file; on a terminal with bars, and with colour and wide characters where it has
// them. The default is plain, and text that is made with it has no byte that depends on who reads it.
//
//     plain       transmission     4 ms   79.6 %
//     terminal    transmission     4 ms   79.6 %  ################     (wide: ███████████████▉)
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace helio::report {

struct Look {
  bool terminal = false;    // somebody reads it as it comes: bars, and lines that end at words
  bool colour = false;      // ECMA-48 escape sequences
  bool wide = false;        // characters beyond ASCII
  std::size_t columns = 0;  // of the terminal; 0: unknown, and lines are never broken
};

// What a colour says.
enum class Ink { kTitle, kName, kGood, kDoubtful, kBar, kOther };

// The text marked to be in that colour; the text itself without colours, and when it is empty. Marks are no escape sequences yet, so
// that what comes from names can still be told from them: they begin with a byte that is in no UTF-8 text.
std::string paint(const Look& look, Ink ink, std::string_view text);

// As it is written, the last thing that happens to it: names are made visible (base/visible.h), and marks become escape sequences where
// there are colours.
std::string inked(std::string_view text, const Look& look);

// A share of `cells` characters, from 0 to 1: eighths of a cell with wide characters, whole ones without. What lies outside is cut.
std::string bar(const Look& look, double share, std::size_t cells);

// A character for each value, the lowest for the smallest and the highest for the largest; all at the lowest when they are equal. What is
// not finite is a blank.
std::string sparkline(const Look& look, std::span<const double> values);

// Columns that the text takes: bytes that begin a character.
std::size_t width_of(std::string_view text);

// The text, broken at blanks so that no line ends past the terminal, further lines under the first, which begins at column `indent`. As it
// is where the terminal's width is not known, or leaves fewer than 24 columns.
std::string wrapped(const Look& look, std::string_view text, std::size_t indent);

}  // namespace helio::report
