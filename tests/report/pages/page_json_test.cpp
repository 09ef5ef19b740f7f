// SPDX-License-Identifier: Apache-2.0
#include "report/pages/page_json.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "report/a_page.h"
#include "report/pages/page_html.h"

namespace helio::report {
namespace {

std::string refusal(const std::string& text) {
  try {
    read_page(text, "DIR/page.json");
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_TRUE(error.place().starts_with("DIR/page.json")) << error.place();
    return error.what();
  }
}

std::string with(std::string json, const std::string& part, const std::string& other) {
  const std::size_t at = json.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return json.replace(at, part.size(), other);
}

// 1/3 has no short decimal form: it must come back as the same double, in cells and in points.
TEST(PageJson, SaysTheSameWhenItIsReadAgain) {
  Page page = a_page();
  page.further = {"other"};
  const std::string json = to_json(page);
  const Page again = read_page(json, "x");
  EXPECT_EQ(to_json(again), json);
  EXPECT_EQ(to_html(again), to_html(page));
  EXPECT_EQ(again.title, kHostile);
  EXPECT_EQ(again.further, std::vector<std::string>{"other"});
  ASSERT_EQ(again.sections.size(), 2u);
  const Table& table = again.sections[0].tables.at(0);
  EXPECT_EQ(table.rows[0][1].value, 1.0 / 3);
  EXPECT_EQ(table.rows[0][1].mark, "good");
  EXPECT_EQ(table.rows[1][0].page, "other");
  EXPECT_FALSE(table.rows[1][1].value);
  EXPECT_TRUE(again.sections[0].tables.at(1).folded);
  EXPECT_EQ(chart_of(again.sections[0].figures.at(0)).series[0].points[1].second, 1.0 / 3);
  EXPECT_EQ(again.configuration.at(0).values.at(1).second, kHostile);
}

TEST(PageJson, BytesThatAreNoTextAreReplaced) {
  const Page again = read_page(to_json({.title = "a\xff"
                                                 "b"}),
                               "x");
  EXPECT_EQ(again.title,
            "a\xef\xbf\xbd"
            "b");  // U+FFFD
}

TEST(PageJson, WhatIsNoPageIsRefusedAtItsPlace) {
  const std::string json = to_json(a_page());
  EXPECT_NE(refusal("").find("DIR/page.json:1:1: not a JSON file"), std::string::npos);
  EXPECT_NE(refusal("[]").find("no page"), std::string::npos);
  EXPECT_NE(refusal("{}").find("no page"), std::string::npos);
  EXPECT_NE(refusal(with(json, "helio-page-1", "helio-page-9")).find("helio-page-1"), std::string::npos);
  EXPECT_NE(refusal(json.substr(0, json.size() / 2)), "");
  EXPECT_NE(refusal(with(json, "\"sections\":", "\"parts\":")).find("'sections' is missing"), std::string::npos);
  EXPECT_NE(refusal(with(json, "\"kind\":\"sweep\"", "\"kind\":null"))
                .find("DIR/page.json: sections[0].figures[0].kind: a text is expected"),
            std::string::npos);
  EXPECT_NE(refusal(with(json, "\"title\":", "\"name\":\"index\",\"title\":")).find("'name' is given twice"),
            std::string::npos);
  EXPECT_EQ(refusal(json), "");
}

// Names become ids and files: one that is none could reach out of its attribute or its folder.
TEST(PageJson, NamesAreChecked) {
  const std::string json = to_json(a_page());
  EXPECT_NE(refusal(with(json, "\"name\":\"a-sweep\"", "\"name\":\"../a\"")).find("no name"), std::string::npos);
  EXPECT_NE(refusal(with(json, "\"name\":\"a-sweep\"", "\"name\":\"a-stack\"")).find("twice"), std::string::npos);
  EXPECT_NE(refusal(with(json, "\"name\":\"a-sweep\"", "\"name\":\"page-data\"")).find("the page's own"),
            std::string::npos);
  EXPECT_NE(refusal(with(json, "\"kind\":\"sweep\"", "\"kind\":\"a/b\"")).find("no kind"), std::string::npos);
  EXPECT_NE(refusal(with(json, "\"page\":\"other\"", "\"page\":\"http://x\"")).find("no name of a page"),
            std::string::npos);
  EXPECT_NE(refusal(with(json, "\"mark\":\"good\"", "\"mark\":\"x\\\"y\"")).find("marked"), std::string::npos);
  EXPECT_NE(refusal(with(json, "\"further\":[]", "\"further\":[\"../x\"]")).find("no name of a page"),
            std::string::npos);
  EXPECT_NE(refusal(with(json, "[[\"</script>", "[[\"\",\"</script>")).find("not as long"), std::string::npos);
}

}  // namespace
}  // namespace helio::report
