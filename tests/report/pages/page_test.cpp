// SPDX-License-Identifier: Apache-2.0
#include "report/pages/page.h"

#include <gtest/gtest.h>

#include <set>

#include "report/figures/stacked.h"
#include "report/pages/page_json.h"

namespace helio::report {
namespace {

TEST(Page, NamesAreLettersDigitsAndDashes) {
  EXPECT_EQ(name_from("Gradients, stage 0"), "gradients-stage-0");
  EXPECT_EQ(name_from(std::string(300, 'a')), std::string(60, 'a'));  // a file's name has an end
  EXPECT_EQ(name_from("<script>alert(1)</script>"), "script-alert-1-script");
  EXPECT_EQ(name_from("größe"), "gr-e");  // two bytes of ö and two of ß: one dash
  EXPECT_EQ(name_from("---"), "unnamed");
  EXPECT_EQ(name_from(""), "unnamed");
  for (const char* text : {"a", "a-1", "9"}) EXPECT_TRUE(is_name(text)) << text;
  for (const char* text : {"", "A", "a b", "a/b", "..", "a\"", "é"}) EXPECT_FALSE(is_name(text)) << text;
}

// Two sections with a figure and a table each, of all names that could meet: what is called after "a" is "a-spent", "a-facts", and
// "a-spent-values" where no script runs. Whatever they are called, a page of them can be read again.
TEST(Page, NamesStandThereOnce) {
  const std::vector<std::string> all = {"a",    "a-spent",       "a-spent-values", "a-spent-2", "a-facts",
                                        "main", "configuration", "a-spent-spent",  "theme-2",   "theme"};
  for (const std::string& one : all)
    for (const std::string& other : all) {
      Page page{.title = "names"};
      for (const std::string& name : {one, other, one}) {
        Section& section = page.sections.emplace_back(Section{.name = name, .title = ""});
        section.figures.push_back(figure_of(Stacked{.name = name + "-spent", .bars = {}, .parts = {}}));
        section.tables.push_back({.name = name + "-facts", .title = "", .columns = {}, .rows = {}});
      }
      make_names_unique(page);
      std::set<std::string> ids = {"configuration"};
      for (const Section& section : page.sections)
        for (const std::string& id :
             {section.name, section.figures[0].name, section.figures[0].name + "-values", section.tables[0].name})
          EXPECT_TRUE(ids.insert(id).second) << id << " of " << one << " and " << other;
      EXPECT_NO_THROW(read_page(to_json(page), "")) << one << " and " << other;
    }
}

TEST(Page, NamesThatAreUniqueStay) {
  Page page{.title = "names", .sections = {{.name = "a", .title = ""}, {.name = "b", .title = ""}}};
  make_names_unique(page);
  EXPECT_EQ(page.sections[0].name, "a");
  EXPECT_EQ(page.sections[1].name, "b");
}

}  // namespace
}  // namespace helio::report
