// SPDX-License-Identifier: Apache-2.0
#include "base/setting_words.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace helio {
namespace {

TEST(SettingWords, AHeadAndSettingsInTheirOrder) {
  const SettingWords read = setting_words("all-reduce fabric=ring  nodes=8 fabric.rate='400 Gb/s' x=a=b y= z=''");
  EXPECT_EQ(read.head, "all-reduce");
  EXPECT_EQ(read.settings,
            (std::vector<SettingWord>{
                {"fabric", "ring"}, {"nodes", "8"}, {"fabric.rate", "400 Gb/s"}, {"x", "a=b"}, {"y", ""}, {"z", ""}}));
  EXPECT_EQ(setting_words(" broadcast ").head, "broadcast");
}

TEST(SettingWords, WhatIsNoQuestionIsRefused) {
  for (const char* text : {"", " ", "''", "nodes=8", "all-reduce nodes", "all-reduce =8", "all-reduce rate='1 Gb/s"})
    EXPECT_THROW(setting_words(text), Error) << text;
}

}  // namespace
}  // namespace helio
