// SPDX-License-Identifier: Apache-2.0
#include "../../apps/option_bounds.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

namespace helio::apps {
namespace {

// What is taken, written anew; or what is wrong.
std::string read(std::string text, const Range& range, std::int64_t lowest = INT64_MIN) {
  const std::string wrong = read_integer(text, range, lowest);
  return wrong.empty() ? text : wrong;
}

TEST(OptionBounds, WholeNumbersAreDecimalDigits) {
  const Range any{.most = UINT64_MAX};
  for (const char* same : {"0", "7", "-7", "18446744073709551615", "-9223372036854775808"})
    EXPECT_EQ(read(same, any), same);
  EXPECT_EQ(read("007", any), "7");  // which the parser behind it would take for octal
  EXPECT_EQ(read("-0", any), "0");
  for (const char* wrong : {"", " 7", "7 ", "+7", "1e3", "0x10", "1.5", "1,5", "seven", "--7", "-",
                            "18446744073709551616", "-9223372036854775809", "99999999999999999999999"})
    EXPECT_EQ(read(wrong, any), "'" + std::string(wrong) + "' is no whole number up to 18446744073709551615");
}

TEST(OptionBounds, TheRangeIsKeptAndSaid) {
  const Range range{.least = 2, .most = 9};
  EXPECT_EQ(read("2", range), "2");
  EXPECT_EQ(read("9", range), "9");
  for (const char* wrong : {"1", "10", "-2"})
    EXPECT_EQ(read(wrong, range), "'" + std::string(wrong) + "' is no whole number from 2 to 9");
  EXPECT_EQ(read("-3", {.most = 9}, -2), "'-3' is no whole number up to 9");  // what its type holds
}

// Through the parser: no type cuts a number, and a list is a number at a time.
TEST(OptionBounds, OptionsHoldWhatTheyWereGiven) {
  std::int32_t narrow = 0;
  std::uint64_t wide = 0;
  std::optional<std::uint32_t> maybe;
  std::vector<int> list;
  CLI::App app;
  add_integer(app, "--narrow", narrow, "");
  add_integer(app, "--wide", wide, "", {.least = 1});
  add_integer(app, "--maybe", maybe, "", {.most = UINT64_MAX});
  add_integer(app, "--list", list, "", {.least = 0});
  app.parse("--narrow=-2147483648 --wide 18446744073709551615 --maybe 010 --list 4,08,0");
  EXPECT_EQ(narrow, INT32_MIN);
  EXPECT_EQ(wide, UINT64_MAX);
  EXPECT_EQ(maybe, 10u);
  EXPECT_EQ(list, (std::vector<int>{4, 8, 0}));
  for (const char* wrong : {"--narrow 2147483648", "--narrow=-2147483649", "--wide 0", "--wide=-1",
                            "--maybe 4294967296", "--list 4,-1", "--list 4,x"})
    EXPECT_THROW(app.parse(wrong), CLI::ParseError) << wrong;
}

TEST(OptionBounds, NumbersAboveZeroEnd) {
  for (const char* good : {"1", "0.5", "1e-9"}) EXPECT_EQ(above_zero(good), "");
  for (const char* wrong : {"0", "-1", "nan", "inf", "1e999", "", "1x"}) EXPECT_NE(above_zero(wrong), "") << wrong;
}

}  // namespace
}  // namespace helio::apps
