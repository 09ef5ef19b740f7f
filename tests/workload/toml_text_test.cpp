// SPDX-License-Identifier: Apache-2.0
#include "workload/toml_text.h"

#include <gtest/gtest.h>

#include "workload/refusing.h"

namespace helio::workload {
namespace {

std::string repeated(const std::string& part, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

toml::table parse(const std::string& text) { return parse_toml(text, "f.toml", "docs/x.md"); }

TEST(TomlText, KeysHaveSoManyPartsAndNoMore) {
  // 32 parts have 31 dots; the 32nd dot stands at letter 64.
  const std::string most = repeated("a.", kMostKeyParts - 1) + "a", more = "a." + most;
  EXPECT_EQ(parse(most + " = 1\n").size(), 1u);
  EXPECT_EQ(parse("[" + most + "]\nb = 1\n").size(), 1u);
  const std::string words = "a key of more than 32 parts";
  expect_refused({more, "f.toml:1:64", words}, [&] { parse(more + " = 1\n"); });
  expect_refused({more, "f.toml:2:65", words}, [&] { parse("\n[" + more + "]\n"); });
  expect_refused({more, "f.toml:1:67", words}, [&] { parse("[[ " + more + "]]\n"); });
  expect_refused({more, "f.toml:1:70", words}, [&] { parse("b = { " + more + " = 1 }\n"); });
  expect_refused({"spaces", "f.toml:1:127", words}, [&] { parse(repeated("a . ", 31'000) + "a = 1\n"); });
  expect_refused({"quoted", "f.toml:1:192", words}, [&] { parse(repeated("'a.b'.", 31'000) + "a = 1\n"); });
}

TEST(TomlText, ListsAndTablesNestSoDeepAndNoDeeper) {
  EXPECT_EQ(parse("a = " + repeated("[", kDeepestToml) + repeated("]", kDeepestToml) + "\n").size(), 1u);
  EXPECT_EQ(parse("a = " + repeated("{a=", kDeepestToml) + "1" + repeated("}", kDeepestToml) + "\n").size(), 1u);
  const std::string words = "nested more than 32 deep";
  for (const std::size_t times : {kDeepestToml + 1, std::size_t{100'000}}) {
    expect_refused({"lists", "f.toml:1:37", words}, [&] { parse("a = " + repeated("[", times)); });
    expect_refused({"tables", "f.toml:1:101", words}, [&] { parse("a = " + repeated("{a=", times)); });
    expect_refused({"lines", "f.toml:33:1", words}, [&] { parse("a = [\n" + repeated("[\n", times)); });
  }
}

// Dots and brackets within strings and comments are none of either. Strings end where the library ends them.
TEST(TomlText, StringsAndCommentsAreNotCounted) {
  const std::string dots(1000, '.'), brackets(1000, '[');
  for (const std::string& all : {dots, brackets}) {
    EXPECT_EQ(parse("a = \"" + all + "\\\"" + all + "\" # " + all + "\n").size(), 1u);
    EXPECT_EQ(parse("a = '" + all + "\\' # \"" + all + "\n").size(), 1u);
    EXPECT_EQ(parse("a = \"\"\"" + all + "\n\\\"\"\" " + all + "\"\"\"\"\"\nb = 1\n").size(), 2u);
    EXPECT_EQ(parse("a = '''" + all + "\n\" # '' " + all + "'''''\nb = \"\"\nc = ''\n").size(), 3u);
    EXPECT_EQ(parse("\"" + all + "\" = 1\n'" + all + all + "' = 1.5\n").size(), 2u);
    EXPECT_EQ(parse("# " + all + " '''\na = 1\n").size(), 1u);
  }
  // What follows them is.
  const std::string deep = " = " + std::string(100'000, '[');
  for (const std::string before : {"a = \"\\\"\"\n", "a = ''\n", "# '''\n", "a = \"\"\"\"\"\"\n"})
    expect_refused({before, "f.toml:2:37", "nested more than"}, [&] { parse(before + "b" + deep); });
  expect_refused({"lines", "f.toml:3:37", "nested more than"}, [&] { parse("a = '''\n'''''\nb" + deep); });
}

TEST(TomlText, MistakesHaveAPlace) {
  expect_refused({"no value", "f.toml:2:5", "not a TOML file"}, [] { parse("a = 1\nb = \n"); });
  expect_refused({"open", "f.toml:1:8", "docs/x.md shows a whole file"}, [] { parse("a = '''"); });
  EXPECT_NE(std::string(error_of([] { parse("a = 1\na = 2\n"); }).what()).find("f.toml:2:"), std::string::npos);
}

}  // namespace
}  // namespace helio::workload
