// SPDX-License-Identifier: Apache-2.0
#include "report/pages/page.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace helio::report
