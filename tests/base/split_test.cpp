// SPDX-License-Identifier: Apache-2.0
#include "base/split.h"

#include <gtest/gtest.h>

namespace helio {
namespace {

using Parts = std::vector<std::string>;

// One part more than there are separators.
TEST(Split, EmptyPartsCount) {
  EXPECT_EQ(split("a,b", ','), (Parts{"a", "b"}));
  EXPECT_EQ(split(",a,,b,", ','), (Parts{"", "a", "", "b", ""}));
  EXPECT_EQ(split("", ','), Parts{""});
  EXPECT_EQ(split("a,b", ';'), Parts{"a,b"});
}

TEST(Split, BlanksStayUnlessTakenOut) {
  EXPECT_EQ(split(" a, b ", ','), (Parts{" a", " b "}));
  EXPECT_EQ(split(without_blanks(" a, b  c "), ','), (Parts{"a", "bc"}));
}

}  // namespace
}  // namespace helio
