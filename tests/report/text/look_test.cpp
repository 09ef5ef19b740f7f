// SPDX-License-Identifier: Apache-2.0
#include "report/text/look.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace helio::report {
namespace {

const Look kAscii{.terminal = true};
const Look kWide{.terminal = true, .wide = true};

TEST(Look, ColourIsThereOnlyWhereItWasAskedFor) {
  EXPECT_EQ(paint({}, Ink::kGood, "yes"), "yes");
  EXPECT_EQ(inked(paint({.colour = true}, Ink::kGood, "yes"), {.colour = true}),
            "\033[32myes\033[0m");  // ECMA-48: 32 is green, 0 ends it
  EXPECT_EQ(inked(paint({.colour = true}, Ink::kOther, "no"), {.colour = true}), "\033[35mno\033[0m");
  EXPECT_EQ(paint({.colour = true}, Ink::kGood, ""), "");
}

// Escape sequences of others are written out, ours are not; where there are no colours nobody has any.
TEST(Look, EscapeSequencesAreOurs) {
  const Look colour{.colour = true};
  EXPECT_EQ(paint(colour, Ink::kTitle, "title").find('\033'), std::string::npos);
  EXPECT_EQ(inked(paint(colour, Ink::kTitle, "\033[2J") + "\u202e\n", colour), "\033[1m\\x1b[2J\033[0m\\u202e\n");
  for (const Look& look : {Look{}, colour}) EXPECT_EQ(inked("plain, \xc3\xa9, \xff", look), "plain, \xc3\xa9, \\xff");
  EXPECT_EQ(inked("\xff"
                  "a",
                  {}),
            "\\xffa");  // looks like a mark
}

// 0.55 of ten cells: 5.5 round to 6 whole ones, or are five and four eighths.
TEST(Look, ABarIsAShareOfItsCells) {
  EXPECT_EQ(bar(kAscii, 0.55, 10), "######");
  EXPECT_EQ(bar(kWide, 0.55, 10), "█████▌");
  EXPECT_EQ(bar(kWide, 1, 3), "███");
  EXPECT_EQ(bar(kWide, 0, 3), "");
  EXPECT_EQ(bar(kAscii, 7, 3), "###");  // cut
  EXPECT_EQ(bar(kAscii, -1, 3), "");
  EXPECT_EQ(bar(kAscii, INFINITY, 3), "###");
  EXPECT_EQ(bar(kAscii, NAN, 3), "");
}

// Eight levels: 0, 0.5 and 1 of the way are the first, the fifth and the last.
TEST(Look, ASparklineGoesFromTheSmallestToTheLargest) {
  const std::vector<double> values = {1, 2, 3};
  EXPECT_EQ(sparkline(kAscii, values), "_=#");
  EXPECT_EQ(sparkline(kWide, values), "▁▅█");
  EXPECT_EQ(sparkline(kAscii, std::vector<double>{4, 4}), "__");
  EXPECT_EQ(sparkline(kAscii, std::vector<double>{1, NAN, 2}), "_ #");
  EXPECT_EQ(sparkline(kAscii, std::vector<double>{}), "");
}

TEST(Look, WidthCountsCharacters) {
  EXPECT_EQ(width_of("abc"), 3u);
  EXPECT_EQ(width_of("█▌"), 2u);
}

// 30 columns and an indent of 4 leave 26: "aaaaaaaaaa bbbbbbbbbb" has 21, one word more would have 32.
TEST(Look, LinesEndAtWords) {
  const Look narrow{.terminal = true, .columns = 30};
  EXPECT_EQ(wrapped(narrow, "aaaaaaaaaa bbbbbbbbbb cccccccccc", 4), "aaaaaaaaaa bbbbbbbbbb\n    cccccccccc");
  EXPECT_EQ(wrapped({}, "aaaaaaaaaa bbbbbbbbbb cccccccccc", 4), "aaaaaaaaaa bbbbbbbbbb cccccccccc");
  EXPECT_EQ(wrapped(narrow, "aaaaaaaaaa bbbbbbbbbb cccccccccc", 7),
            "aaaaaaaaaa bbbbbbbbbb cccccccccc");                      // 23 columns left
  EXPECT_EQ(wrapped(narrow, "3 ms   2.333 x", 4), "3 ms   2.333 x");  // blanks stay
  EXPECT_EQ(wrapped(narrow, "", 4), "");
  const std::string word(40, 'x');
  EXPECT_EQ(wrapped(narrow, word, 4), word);  // nowhere to break
}

}  // namespace
}  // namespace helio::report
