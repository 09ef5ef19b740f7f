// SPDX-License-Identifier: Apache-2.0
#include "pipeline/companion.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.h"

namespace helio::pipeline {
namespace {

TEST(Companion, TheVariableThenBesideThenThePath) {
  unsetenv("HELIO_COMPANION_TEST");
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  EXPECT_EQ(find_companion(self.filename(), "HELIO_COMPANION_TEST"), self);  // beside this very test
  EXPECT_FALSE(find_companion("sh", "HELIO_COMPANION_TEST").empty());        // on every path
  EXPECT_EQ(find_companion("no-such-program", "HELIO_COMPANION_TEST"), "");
  setenv("HELIO_COMPANION_TEST", "/bin/sh", 1);
  EXPECT_EQ(find_companion("no-such-program", "HELIO_COMPANION_TEST"), "/bin/sh");
  setenv("HELIO_COMPANION_TEST", "/nowhere/at/all", 1);
  EXPECT_THROW(find_companion("sh", "HELIO_COMPANION_TEST"), Error);
  unsetenv("HELIO_COMPANION_TEST");
}

}  // namespace
}  // namespace helio::pipeline
