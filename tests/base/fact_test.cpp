// SPDX-License-Identifier: Apache-2.0
#include "base/fact.h"

#include <gtest/gtest.h>

namespace helio {
namespace {

constexpr auto kSmallest = Fact::Limit::kSmallest;

Facts together(const std::vector<Facts>& parts) {
  Facts all;
  for (const Facts& part : parts) combine(all, part);
  return all;
}

// Of 32, 64 and 32 channels 64 are needed; of margins 3, 1.2 and 2 dB the worst counts.
TEST(Fact, TheOneThatLimitsStandsForAll) {
  EXPECT_EQ(together({{{"channels", 32.0}}, {{"channels", 64.0}}, {{"channels", 32.0}}}), (Facts{{"channels", 64.0}}));
  EXPECT_EQ(
      together({{{"margin_db", 3.0, kSmallest}}, {{"margin_db", 1.2, kSmallest}}, {{"margin_db", 2.0, kSmallest}}}),
      (Facts{{"margin_db", 1.2, kSmallest}}));
}

// What closes passively must do so everywhere; what is warned of need happen only once.
TEST(Fact, TruthsHaveAnOrder) {
  for (const bool first : {true, false})
    EXPECT_EQ(together({{{"closes", first, kSmallest}, {"warned", first}},
                        {{"closes", !first, kSmallest}, {"warned", !first}}}),
              (Facts{{"closes", false, kSmallest}, {"warned", true}}));
}

TEST(Fact, TextsThatDifferAreListedOnce) {
  const auto of = [](const char* text) { return Facts{{"isolation", std::string(text)}}; };
  EXPECT_EQ(together({of("physical"), of("physical")}), of("physical"));
  EXPECT_EQ(together({of("physical"), of("masked"), of("physical"), of("masked")}), of("physical; masked"));
  EXPECT_EQ(together({of("unmasked"), of("masked"), of("mask")}),
            of("unmasked; masked; mask"));  // parts of words are others
}

// In the order in which they were first told, also those that only some tell.
TEST(Fact, KeepsTheOrder) {
  EXPECT_EQ(together({{{"b", 1.0}}, {{"a", 2.0}, {"b", 3.0}}, {}}), (Facts{{"b", 3.0}, {"a", 2.0}}));
}

}  // namespace
}  // namespace helio
