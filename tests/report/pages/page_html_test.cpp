// SPDX-License-Identifier: Apache-2.0
#include "report/pages/page_html.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "base/error.h"
#include "report/a_page.h"
#include "report/pages/page_scripts.h"

namespace helio::report {
namespace {

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// The page without the scripts and the style that are ours.
std::string own_text(const Page& page) {
  std::string html = to_html(page);
  for (const WebFile* script : scripts_for(page)) {
    const std::size_t at = html.find(script->text);
    EXPECT_NE(at, std::string::npos) << script->name;
    html.erase(at, script->text.size());
  }
  return html.erase(html.find(web_file("page.css").text), web_file("page.css").text.size());
}

// The first tag with that attribute; text cannot look like one, because no '<' of it is left.
std::string tag_with(const std::string& html, const std::string& attribute) {
  std::smatch found;
  return std::regex_search(html, found, std::regex("<[a-z]+( [a-z-]+(=\"[^\"]*\")?)* " + attribute + "=")) ? found.str()
                                                                                                           : "";
}

// The text stands there a dozen times, and never opens an element or ends one.
TEST(PageHtml, WhatComesFromOutsideIsText) {
  const std::string html = own_text(a_page());
  EXPECT_EQ(html.find("<img"), std::string::npos);
  EXPECT_EQ(tag_with(html, "onerror"), "");
  EXPECT_GE(count(html, "&lt;/script&gt;&lt;script&gt;alert(&quot;x&quot;)"), 12u);
  // one script for the data and one for each of ours, no more
  EXPECT_EQ(count(html, "<script"), 1 + scripts_for(a_page()).size());
  EXPECT_EQ(count(html, "</script"), 1 + scripts_for(a_page()).size());
}

TEST(PageHtml, TheDataCanBeReadAgain) {
  const std::string html = to_html(a_page()), open = "id=\"page-data\">";
  const std::size_t from = html.find(open) + open.size();
  const auto data = nlohmann::json::parse(html.substr(from, html.find("</script>", from) - from));
  ASSERT_EQ(data.at("figures").size(), 2u);
  EXPECT_EQ(data["figures"][0]["title"], kHostile);
  EXPECT_EQ(data["figures"][0]["data"]["series"][0]["points"][1][1], 1.0 / 3);
  EXPECT_EQ(data["figures"][0]["csv"].get<std::string>().substr(0, 17), "series,published,");
}

// Our own scripts and nothing else may run; nothing is fetched.
TEST(PageHtml, ThePageStandsAlone) {
  const std::string html = to_html(a_page());
  EXPECT_TRUE(html.starts_with("<!doctype html>"));
  EXPECT_NE(html.find("default-src 'none'; script-src 'sha256-"), std::string::npos);
  EXPECT_EQ(count(html, "'sha256-"), scripts_for(a_page()).size());
  for (const char* attribute : {"src", "onclick", "onload", "style"})
    EXPECT_EQ(tag_with(own_text(a_page()), attribute), "");
  for (const char* outside : {"<link", "<base", "@import", "url(", "javascript:"})
    EXPECT_EQ(own_text(a_page()).find(outside), std::string::npos) << outside;
}

// 32 bytes are 43 letters of base64 and a '='; two files with one hash would be one file.
TEST(PageHtml, EveryScriptHasAHash) {
  std::set<std::string_view> hashes;
  for (const WebFile& file : web_files()) {
    EXPECT_EQ(file.sha256.size(), 44u) << file.name;
    EXPECT_TRUE(file.sha256.ends_with('=')) << file.name;
    EXPECT_TRUE(hashes.insert(file.sha256).second) << file.name;
    EXPECT_EQ(file.text.find("</script"), std::string_view::npos) << file.name;
    EXPECT_EQ(file.text.find("<!--"), std::string_view::npos) << file.name;
  }
}

TEST(PageHtml, OnlyNeededScriptsAreThere) {
  const auto names = [](const Page& page) {
    std::vector<std::string_view> found;
    for (const WebFile* file : scripts_for(page)) found.push_back(file->name);
    return found;
  };
  EXPECT_EQ(names({.title = "t"}), (std::vector<std::string_view>{"page.js"}));
  EXPECT_EQ(names(a_page()), (std::vector<std::string_view>{"page.js", "chart.min.js", "charts.js"}));
  Page page{.title = "t", .sections = {{.name = "s", .title = "", .figures = {{"f", "timeline", "t", "w", {}, ""}}}}};
  const std::vector<std::string_view> drawn = names(page);
  EXPECT_EQ(drawn.at(1), "picture.js");  // shared, before those that use it
  EXPECT_EQ(std::ranges::count(drawn, "timeline.js"), 1);
  EXPECT_EQ(std::ranges::count(drawn, "charts.js"), 0);
  EXPECT_EQ(std::ranges::count(drawn, "levels.js"), 0);
}

TEST(PageHtml, AFigureThatNobodyDrawsIsRefused) {
  for (const char* kind : {"poem", "page", "picture", "chart"}) {
    const Page page{.title = "t", .sections = {{.name = "s", .title = "", .figures = {{"f", kind, "t", "w", {}, ""}}}}};
    EXPECT_THROW(to_html(page), Error) << kind;
  }
  const Page page{.title = "t",
                  .sections = {{.name = "s", .title = "", .figures = {{"f", "sweep", "t", "w", {{"series", 1}}, ""}}}}};
  EXPECT_THROW(to_html(page), Error);
}

// Without scripts: the sweep as a picture, the stack as a table, both for readers that hear.
TEST(PageHtml, ChartsCanBeReadWithoutScripts) {
  const std::string html = own_text(a_page());
  EXPECT_EQ(count(html, "<noscript>"), 2u);
  EXPECT_EQ(count(html, "<svg class=\"chart\""), 1u);
  EXPECT_NE(html.find("<td>compute</td><td class=\"number\">2</td>"), std::string::npos) << html;
  EXPECT_EQ(html.find("<td>nothing</td>"), std::string::npos);  // a part that no bar has
  EXPECT_NE(html.find("href=\"a-sweep.csv\""), std::string::npos);
}

TEST(PageHtml, TablesKnowWhatTheySortBy) {
  const std::string html = own_text(a_page());
  EXPECT_NE(html.find("<td class=\"number good\" data-value=\"0.3333333333333333\">2 ms</td>"), std::string::npos);
  EXPECT_NE(html.find("<td><a href=\"other.html\">there</a></td>"), std::string::npos);
  EXPECT_NE(html.find("<th scope=\"col\" class=\"number\">time</th>"), std::string::npos);
  EXPECT_NE(html.find("<details class=\"folded\"><summary>f</summary>"), std::string::npos);
}

TEST(PageHtml, PagesOfASetLeadToEachOther) {
  const std::vector<Neighbour> set = {{"index", "front"}, {"other", "a < b"}};
  const std::string html = to_html({.title = "t"}, set);
  EXPECT_NE(html.find("<a href=\"index.html\" aria-current=\"page\">front</a>"), std::string::npos);
  EXPECT_NE(html.find("<a href=\"other.html\">a &lt; b</a>"), std::string::npos);
  EXPECT_EQ(to_html({.title = "t"}, {{"index", "front"}}).find("<nav"), std::string::npos);
}

TEST(PageHtml, WhatIsEmptyIsLeftOut) {
  const std::string html = own_text({.title = "t"});
  for (const char* part : {"<table", "<figure", "<ul", "id=\"command\""})
    EXPECT_EQ(html.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace helio::report
