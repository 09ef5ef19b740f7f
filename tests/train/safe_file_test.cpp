// SPDX-License-Identifier: Apache-2.0
#include "train/safe_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/error.h"

namespace helio::train {
namespace {

TEST(SafeFile, ReplacesAsAWhole) {
  const std::string path = testing::TempDir() + "helio_safe_file";
  replace_file(path, "long content", "");
  replace_file(path, std::string("a\0b", 3), "");
  EXPECT_EQ(read_bytes(path, ""), std::string("a\0b", 3));
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
}

TEST(SafeFile, WhatCannotBeReadOrWrittenIsNamed) {
  for (const bool writes : {true, false}) {
    try {
      writes ? replace_file("/nowhere/file", "x", "--out") : (void)read_bytes(testing::TempDir(), "--out");
      ADD_FAILURE() << writes;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      EXPECT_EQ(error.place(), "--out");
    }
  }
}

// A link stays a link, and a device a device: neither is ours to replace.
TEST(SafeFile, LeavesLinksAndDevicesWhatTheyAre) {
  const std::string target = testing::TempDir() + "safe_file_target", link = testing::TempDir() + "safe_file_link";
  std::filesystem::remove(link);
  replace_file(target, "old", "--out");
  std::filesystem::create_symlink(target, link);
  replace_file(link, "new", "--out");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(read_bytes(target, "--out"), "new");
  EXPECT_THROW(replace_file("/dev/null", "x", "--out"), Error);
  EXPECT_FALSE(std::filesystem::is_regular_file("/dev/null"));
}

}  // namespace
}  // namespace helio::train
