// SPDX-License-Identifier: Apache-2.0
#include "base/json_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "base/error.h"

namespace helio {
namespace {

std::string repeated(const std::string& part, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

void expect_refused(const std::string& text, const std::string& place, const std::string& words) {
  try {
    parse_json(text, "f", "Mend it.");
    ADD_FAILURE() << "read: " << text.substr(0, 80);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_EQ(error.place(), place) << error.what();
    EXPECT_NE(error.message().find(words), std::string::npos) << error.what();
    EXPECT_EQ(error.advice(), "Mend it.");
  }
}

// Any value within lists and objects, `depth` deep at most.
rc::Gen<Json> values(int depth) {
  using rc::gen::map;
  const auto text = map(rc::gen::container<std::string>(rc::gen::inRange('\x01', '\x7f')),
                        [](const std::string& s) { return Json(s); });
  const auto plain = rc::gen::oneOf(
      text, map(rc::gen::arbitrary<std::int64_t>(), [](std::int64_t i) { return Json(i); }),
      map(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t i) { return Json(i); }),
      map(rc::gen::arbitrary<double>(), [](double d) { return Json(d); }), rc::gen::element(Json(nullptr), Json(true)));
  if (depth == 0) return plain;
  const auto list = map(rc::gen::resize(5, rc::gen::container<std::vector<Json>>(values(depth - 1))),
                        [](const std::vector<Json>& items) { return Json(items); });
  const auto object = map(list, [](const Json& items) {
    Json found = Json::object();
    for (const Json& item : items) found[fmt::format("key \"{}\"", 7 * found.size() % 5)] = item;
    return found;
  });
  return rc::gen::oneOf(plain, list, object);
}

// What the library writes comes back as it was, keys in their order.
RC_GTEST_PROP(JsonReader, ReadsWhatWasWritten, ()) {
  const Json value = *values(4);
  RC_ASSERT(parse_json(value.dump(), "f") == value);
  RC_ASSERT(parse_json(value.dump(2), "f").dump() == value.dump());
}

TEST(JsonReader, AHundredDeepAndNoDeeper) {
  EXPECT_EQ(parse_json(repeated("[", 100) + repeated("]", 100), "f").size(), 1u);
  expect_refused(repeated("[", 101) + repeated("]", 101), "f:1:101", "nested more than 100 deep");
  // {"a": is five letters: the 101st brace is letter 501.
  for (const std::size_t times : {101, 100'000}) expect_refused(repeated("{\"a\":", times), "f:1:501", "nested");
  expect_refused(repeated("\n[", 10'000'000), "f:102:1", "nested");
}

// Equal however they are written: \u0061 is a. In another object a key is another one.
TEST(JsonReader, AKeyStandsOnce) {
  EXPECT_EQ(parse_json(R"({"a": {"a": [{"a": 1}, {"a": 2}]}})", "f").size(), 1u);
  expect_refused(R"({"a": 1, "b": 2, "a": 3})", "f:1:18", "'a' is given twice");
  expect_refused("[{\"x\": {\"a\": 1,\n  \"\\u0061\": 3}}]", "f:2:3", "'a' is given twice");
  expect_refused(R"({"\\\"": 1, "\\\"": 3})", "f:1:13", "is given twice");
  std::string many;
  for (int i = 0; i < 100; ++i) many += fmt::format("\"{:02}\": 0, ", i);  // 9 letters each
  EXPECT_EQ(parse_json("{" + many + "\"x\": 0}", "f").size(), 101u);
  expect_refused("{" + many + "\"07\": 0}", "f:1:902", "'07' is given twice");
}

TEST(JsonReader, WhatIsNoJsonIsRefusedWhereItIsNone) {
  expect_refused("", "f:1:1", "ends too early");
  expect_refused("[1,\n2", "f:2:2", "ends too early");
  expect_refused("[1,\n2}", "f:2:2", "not a JSON file");
  expect_refused("[1] 2", "f:1:5", "not a JSON file");
  expect_refused("[1e999]", "f:1:6", "overflow");
  expect_refused("[nan]", "f:1:3", "invalid literal");
  expect_refused("[\"\xff\"]", "f:1:3", "UTF-8");
  expect_refused("// a\n1", "f:1:1", "not a JSON file");
}

}  // namespace
}  // namespace helio
