// SPDX-License-Identifier: Apache-2.0
#include "report/pages/folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "report/a_page.h"

namespace helio::report {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A folder of its own, gone at the end.
class Folder : public testing::Test {
 protected:
  ~Folder() override { fs::remove_all(path_); }
  const fs::path path_ = fs::temp_directory_path() /
                         (std::string("helio_folder_") + testing::UnitTest::GetInstance()->current_test_info()->name() +
                          std::to_string(getpid()));
};

Report a_set() {
  Page other{.name = "other",
             .title = "Other",
             .sections = {{.name = "s", .title = "", .figures = {figure_of(Chart{.name = "one"})}}}};
  return {{a_page(), other}, {{"rows.json", "{}\n"}}};
}

TEST_F(Folder, HoldsPagesTheirDataAndFurtherFiles) {
  write_report(a_set(), (path_ / "deep").string(), "--report");
  for (const char* name :
       {"index.html", "page.json", "other.html", "other.json", "a-sweep.csv", "a-stack.csv", "one.csv", "rows.json"})
    EXPECT_TRUE(fs::exists(path_ / "deep" / name)) << name;
  EXPECT_EQ(text_of(path_ / "deep" / "rows.json"), "{}\n");
  EXPECT_NE(text_of(path_ / "deep" / "other.html").find("aria-current=\"page\">Other</a>"), std::string::npos);
}

TEST_F(Folder, PagesCanBeMadeAgainByteByByte) {
  write_report(a_set(), path_.string(), "--report");
  const std::string index = text_of(path_ / "index.html"), other = text_of(path_ / "other.html");
  ASSERT_FALSE(index.empty());
  fs::remove(path_ / "index.html");
  fs::remove(path_ / "other.html");
  EXPECT_EQ(rebuild_report(path_.string(), "DIR").size(), 2u);
  EXPECT_EQ(text_of(path_ / "index.html"), index);
  EXPECT_EQ(text_of(path_ / "other.html"), other);
}

// What is long lies beside the page, which still leads to it.
TEST_F(Folder, LongDataLieBesideThePage) {
  Report report = a_set();
  const std::string lines(kMostCsvInPage + 1, 'x');
  report.pages[1].sections[0].figures[0].csv = lines;
  write_report(report, path_.string(), "--report");
  EXPECT_EQ(text_of(path_ / "one.csv"), lines);
  const std::string html = text_of(path_ / "other.html");
  EXPECT_EQ(html.find("xxxx"), std::string::npos);
  EXPECT_NE(html.find("<a href=\"one.csv\">CSV</a>"), std::string::npos);
  EXPECT_EQ(text_of(path_ / "other.json").find("xxxx"), std::string::npos);
  rebuild_report(path_.string(), "DIR");
  EXPECT_EQ(text_of(path_ / "other.html"), html);
}

TEST_F(Folder, WithoutASavedReportThereIsNothingToMake) {
  const auto refusal = [&] {
    try {
      rebuild_report(path_.string(), "DIR");
      return std::string("none");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      return error.message();
    }
  };
  EXPECT_NE(refusal().find("no saved report: there is no page.json"), std::string::npos) << refusal();
  write_report(a_set(), path_.string(), "--report");
  fs::remove(path_ / "other.json");
  EXPECT_NE(refusal().find("there is no other.json"), std::string::npos) << refusal();
  std::ofstream(path_ / "page.json") << "{}";
  EXPECT_NE(refusal().find("no page"), std::string::npos) << refusal();
}

TEST_F(Folder, AFileBringsItsFolders) {
  write_file((path_ / "deep" / "t.json").string(), "{}", "--trace");
  EXPECT_TRUE(fs::exists(path_ / "deep" / "t.json"));
}

TEST(FolderErrors, WhatCannotBeWrittenIsSaidAtTheOption) {
  for (const auto& act :
       {+[] { write_report({}, "/dev/null/x", "--report"); }, +[] { write_file("/dev/null/x", "", "--report"); }}) {
    try {
      act();
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      EXPECT_EQ(error.place(), "--report");
    }
  }
}

}  // namespace
}  // namespace helio::report
