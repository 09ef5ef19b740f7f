// SPDX-License-Identifier: Apache-2.0
#include "base/json_node.h"

#include <gtest/gtest.h>

#include <functional>

namespace helio {
namespace {

const JsonOrigin kOrigin{"f", "Mend it."};

std::string refusal(const std::string& text, const std::function<void(const JsonNode&)>& read) {
  const Json value = parse_json(text, "f");
  try {
    read(JsonNode(value, kOrigin));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error.what();
  }
  return "";
}

TEST(JsonNode, SaysWhereItStands) {
  const Json value = parse_json(R"({"a": [1, {"b": true, "c": "x"}], "d": [0.5, 2]})", "f");
  const JsonNode root(value, kOrigin);
  EXPECT_EQ(root.place(), "f");
  EXPECT_EQ(root.at("a").at(1).at("b").place(), "f: a[1].b");
  EXPECT_TRUE(root.at("a").at(1).at("b").truth());
  EXPECT_EQ(root.at("a").at(1).at("c").text(), "x");
  EXPECT_EQ(root.at("d").numbers(), (std::vector<double>{0.5, 2}));
  EXPECT_TRUE(root.has("d"));
  EXPECT_FALSE(root.at("a").has("d"));
}

TEST(JsonNode, AnotherKindOfValueIsRefused) {
  const auto first = [](const JsonNode& node) { return node.at(0); };
  EXPECT_EQ(refusal("[1]", [](const JsonNode& n) { n.at("a"); }), "f: an object with 'a' is expected here; Mend it.");
  EXPECT_EQ(refusal("{}", [](const JsonNode& n) { n.at("a"); }), "f: 'a' is missing; Mend it.");
  EXPECT_NE(refusal("{}", [&](const JsonNode& n) { first(n); }), "");
  EXPECT_NE(refusal("[]", [&](const JsonNode& n) { first(n); }), "");
  EXPECT_EQ(refusal("[null]", [&](const JsonNode& n) { first(n).number(); }),
            "f: [0]: a number is expected here; Mend it.");
  EXPECT_NE(refusal("[1, \"2\"]", [](const JsonNode& n) { n.numbers(); }).find("f: [1]: a number"), std::string::npos);
  EXPECT_NE(refusal("[1]", [](const JsonNode& n) { n.texts(); }), "");
  EXPECT_NE(refusal("[1]", [&](const JsonNode& n) { first(n).truth(); }), "");
  EXPECT_NE(refusal("[-1]", [&](const JsonNode& n) { first(n).unsigned_integer(); }), "");
  EXPECT_NE(refusal(R"({"colour": 1})", [](const JsonNode& n) { n.keys({"color"}); }).find("f: colour: unknown key"),
            std::string::npos);
}

// 2^63 is no signed number of 64 bits: it must not come back as a negative one.
TEST(JsonNode, WholeNumbersLieWithinTheirBounds) {
  const auto whole = [](const JsonNode& node) { node.integer(-3, 7); };
  for (const char* good : {"-3", "0", "7"}) EXPECT_EQ(refusal(good, whole), "");
  for (const char* bad : {"-4", "8", "9223372036854775808", "18446744073709551615"})
    EXPECT_EQ(refusal(bad, whole), std::string("f: ") + bad + " is not in -3..7; Mend it.");
  for (const char* none : {"1.5", "1e3", "null", "\"1\"", "[1]", "99999999999999999999"})
    EXPECT_NE(refusal(none, whole).find("no whole number"), std::string::npos) << none;
}

}  // namespace
}  // namespace helio
