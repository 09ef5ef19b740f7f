// SPDX-License-Identifier: Apache-2.0
#include "report/folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/error.h"
#include "report/a_job.h"
#include "report/a_result.h"

namespace helio::report {
namespace {

namespace fs = std::filesystem;

TEST(Folder, HoldsThePageAndWhatThereIs) {
  const fs::path folder = fs::temp_directory_path() / ("helio_folder_test_" + std::to_string(getpid())) / "deep";
  write_report({"t", {}, {a_result()}}, folder.string(), "--report");
  EXPECT_TRUE(fs::exists(folder / "index.html"));
  EXPECT_TRUE(fs::exists(folder / "results.json"));
  EXPECT_FALSE(fs::exists(folder / "rows.json"));
  write_report({"t", {{"s", "q", 1, 1, "ours", {}, true, "x"}}, {}}, folder.string(), "--report");
  EXPECT_TRUE(fs::exists(folder / "rows.json"));
  fs::remove_all(folder.parent_path());
}

TEST(Folder, JobsAreResultsToo) {
  const fs::path folder = fs::temp_directory_path() / ("helio_folder_test_jobs_" + std::to_string(getpid()));
  write_report({"t", {}, {}, {a_job()}}, folder.string(), "--report");
  EXPECT_TRUE(fs::exists(folder / "results.json"));
  fs::remove_all(folder);
}

TEST(Folder, ChartsBringTheirPoints) {
  const fs::path folder = fs::temp_directory_path() / ("helio_folder_test_charts_" + std::to_string(getpid()));
  write_report({.title = "t", .charts = {{.name = "one"}, {.name = "two"}}}, folder.string(), "--report");
  EXPECT_TRUE(fs::exists(folder / "one.csv"));
  EXPECT_TRUE(fs::exists(folder / "two.csv"));
  EXPECT_FALSE(fs::exists(folder / "rows.json"));
  fs::remove_all(folder);
}

TEST(Folder, AFileBringsItsFolders) {
  const fs::path top = fs::temp_directory_path() / ("helio_folder_test_file_" + std::to_string(getpid()));
  write_file((top / "deep" / "t.json").string(), "{}", "--trace");
  EXPECT_TRUE(fs::exists(top / "deep" / "t.json"));
  fs::remove_all(top);
}

TEST(Folder, WhatCannotBeWrittenIsSaidAtTheOption) {
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
