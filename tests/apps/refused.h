// SPDX-License-Identifier: Apache-2.0
// What every refusal of the command has in common.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "apps/running.h"

namespace helio::apps {

// Exit code, nothing on stdout, one line on stderr that begins with "helio: " and holds every word.
inline void expect_refused(const std::string& arguments, int code, const std::vector<std::string>& words) {
  const Said said = run(arguments);
  EXPECT_EQ(said.code, code) << arguments << "\n" << said.err;
  EXPECT_EQ(said.out, "") << arguments;
  EXPECT_TRUE(said.err.starts_with("helio: ")) << arguments << "\n" << said.err;
  EXPECT_EQ(std::count(said.err.begin(), said.err.end(), '\n'), 1) << said.err;
  for (const std::string& word : words)
    EXPECT_NE(said.err.find(word), std::string::npos) << arguments << ": no '" << word << "' in " << said.err;
}

}  // namespace helio::apps
