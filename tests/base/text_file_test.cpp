// SPDX-License-Identifier: Apache-2.0
#include "base/text_file.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace helio {
namespace {

std::string read(const std::string& path) { return read_text(path, "--model", "model file", "docs/model-file.md"); }

void expect_refused(const std::string& path, const std::string& word) {
  try {
    read(path);
    FAIL() << "read";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_EQ(error.place(), "--model");
    EXPECT_NE(error.message().find(word), std::string::npos) << error.message();
  }
}

TEST(TextFile, IsReadWhole) {
  const std::string text = read(HELIO_SOURCE_DIR "/examples/models/llama-7b/config.json");
  EXPECT_TRUE(text.starts_with("{"));
  EXPECT_TRUE(text.ends_with("}\n"));
}

TEST(TextFile, WhatCannotBeReadIsReportedWhereItWasNamed) {
  expect_refused("/nowhere/at/all", "No such file");
  expect_refused(HELIO_SOURCE_DIR, "directory");
}

// An endless file is given up at its bound.
TEST(TextFile, HasABound) { expect_refused("/dev/zero", "16 MiB"); }

}  // namespace
}  // namespace helio
