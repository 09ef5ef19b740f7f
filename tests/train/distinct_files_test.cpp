// SPDX-License-Identifier: Apache-2.0
#include "train/distinct_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/error.h"
#include "base/file.h"

namespace helio::train {
namespace {

std::string file(const std::string& name) { return testing::TempDir() + "distinct_" + name; }

// The option that is blamed, or none.
std::string blamed(const std::vector<NamedFile>& files) {
  try {
    refuse_shared_files(files);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.place();
  }
  return "none";
}

TEST(DistinctFiles, WhatIsWrittenIsAFileOfItsOwn) {
  using enum FileUse;
  EXPECT_EQ(blamed({{"--checkpoint", file("a"), kWritten}, {"--metrics", file("b"), kWritten}}), "none");
  EXPECT_EQ(blamed({{"--checkpoint", file("a"), kWritten}, {"--metrics", file("a"), kWritten}}), "--metrics");
  EXPECT_EQ(blamed({{"--train", file("a"), kRead}, {"--metrics", file("a"), kWritten}}), "--metrics");
  EXPECT_EQ(blamed({{"--checkpoint", "", kWritten}, {"--metrics", "", kWritten}}), "none") << "neither was asked for";
}

TEST(DistinctFiles, HeldOutIsNotLearntFrom) {
  using enum FileUse;
  EXPECT_EQ(blamed({{"--train", file("a"), kRead}, {"--test", file("a"), kHeldOut}}), "--test");
  EXPECT_EQ(blamed({{"--train", file("a"), kRead}, {"--train", file("a"), kRead}}), "none");
}

TEST(DistinctFiles, OtherNamesOfAFileCountToo) {
  using enum FileUse;
  namespace fs = std::filesystem;
  write_file(file("real"), "x", "");
  fs::remove(file("link"));
  fs::create_symlink(file("real"), file("link"));
  fs::remove(file("hard"));
  fs::create_hard_link(file("real"), file("hard"));
  for (const char* name : {"link", "hard"})
    EXPECT_EQ(blamed({{"--train", file("real"), kRead}, {"--csv", file(name), kWritten}}), "--csv") << name;
  const std::string around = testing::TempDir() + "./distinct_real";
  EXPECT_EQ(blamed({{"--metrics", file("real"), kWritten}, {"--csv", around, kWritten}}), "--csv");
}

}  // namespace
}  // namespace helio::train
