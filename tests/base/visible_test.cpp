// SPDX-License-Identifier: Apache-2.0
#include "base/visible.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace helio {
namespace {

TEST(Visible, PlainTextStays) {
  for (const char* text :
       {"", "all-reduce of 1 MB", "déjà vu, µs, 10⁻⁹, ▉, 漢字, \U0001f600", "\\x1b \\u202e", "a…b"}) {
    EXPECT_EQ(visible(text), text);
    EXPECT_EQ(valid_utf8(text), text);
  }
}

TEST(Visible, ControlCharactersAreWritten) {
  EXPECT_EQ(visible(std::string_view("\x1b[31mred\0", 9)), "\\x1b[31mred\\x00");
  EXPECT_EQ(visible("a\nb\tc\rd"), "a\\x0ab\\x09c\\x0dd");
  EXPECT_EQ(visible_lines("a\nb\tc\rd"), "a\nb\tc\\x0dd");
  EXPECT_EQ(visible("\x7f\xc2\x9b"), "\\u007f\\u009b");  // DEL, and CSI in one character
}

// What turns the order of others, is seen as nothing, or is no character: as JSON writes it, U+E0041 in two halves
// (0xe0041 - 0x10000 = 0xd0041: 0xd800 + 0x340 and 0xdc00 + 0x41).
TEST(Visible, UnseenCharactersAreWritten) {
  EXPECT_EQ(visible("a\u202eb\u2066c\u200bd\ufeff\u00ad"), "a\\u202eb\\u2066c\\u200bd\\ufeff\\u00ad");
  EXPECT_EQ(visible("\u2028\u2029\u061c\ufdd0\uffff"), "\\u2028\\u2029\\u061c\\ufdd0\\uffff");
  EXPECT_EQ(visible("\U000e0041\U0001ffff"), "\\udb40\\udc41\\ud83f\\udfff");
}

// Alone, cut short, too long a form, a surrogate, past U+10FFFF: byte by byte.
TEST(Visible, BytesThatAreNoUtf8) {
  EXPECT_EQ(visible("n\xff\xfe.json"), "n\\xff\\xfe.json");
  EXPECT_EQ(visible("\x80 \xc3 \xe2\x82"), "\\x80 \\xc3 \\xe2\\x82");
  EXPECT_EQ(visible("\xc0\xaf \xe0\x80\xaf"), "\\xc0\\xaf \\xe0\\x80\\xaf");
  EXPECT_EQ(visible("\xed\xa0\x80 \xf4\x90\x80\x80"), "\\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80");
  EXPECT_EQ(valid_utf8("n\xff\xfe\xc3\xa9"), "n\ufffd\ufffd\xc3\xa9");
}

TEST(Visible, CharactersAreCounted) {
  EXPECT_EQ(characters_in(""), 0u);
  EXPECT_EQ(characters_in("aä漢\U0001f600"), 4u);
  EXPECT_EQ(characters_in("\xff\x80\xe2\x82"), 4u);
}

TEST(Visible, LongTextIsCutInTheMiddle) {
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdefg", 6), "abc…(1 more)…efg");
  EXPECT_EQ(shortened("abcdefg", 5), "abc…(2 more)…fg");
  EXPECT_EQ(shortened("abc", 0), "…(3 more)…");
  EXPECT_EQ(shortened("äöüß", 4), "äöüß");  // characters, not bytes
  EXPECT_EQ(shortened("äöüßä", 4), "äö…(1 more)…ßä");
  const std::string name = shown(std::string(1 << 20, 'x'));
  EXPECT_EQ(name, std::string(80, 'x') + "…(1048416 more)…" + std::string(80, 'x'));  // 2^20 - 160
}

// Whatever the bytes are: what is shown has no control character, shows itself again, and both forms are UTF-8.
RC_GTEST_PROP(Visible, AnyBytes, (const std::string& text)) {
  const std::string once = visible(text);
  RC_ASSERT(visible(once) == once);
  RC_ASSERT(std::ranges::none_of(once, [](char c) { return static_cast<unsigned char>(c) < 0x20; }));
  RC_ASSERT(valid_utf8(once) == once);
  RC_ASSERT(valid_utf8(valid_utf8(text)) == valid_utf8(text));
}

}  // namespace
}  // namespace helio
