// SPDX-License-Identifier: Apache-2.0
#include "workload/text_file.h"

#include <gtest/gtest.h>

#include "workload/refusing.h"

namespace helio::workload {
namespace {

TEST(TextFile, IsReadWhole) {
  const std::string text = read_text(HELIO_SOURCE_DIR "/examples/models/llama-7b/config.json", "here");
  EXPECT_TRUE(text.starts_with("{"));
  EXPECT_TRUE(text.ends_with("}\n"));
}

TEST(TextFile, WhatCannotBeReadIsReportedWhereItWasNamed) {
  expect_refused({"no file", "--model", "No such file"}, [] { read_text("/nowhere/at/all", "--model"); });
  expect_refused({"a folder", "--model", "directory"}, [] { read_text(HELIO_SOURCE_DIR, "--model"); });
}

// An endless file is given up at its bound.
TEST(TextFile, HasABound) {
  expect_refused({"endless", "--model", "16 MiB"}, [] { read_text("/dev/zero", "--model"); });
}

}  // namespace
}  // namespace helio::workload
