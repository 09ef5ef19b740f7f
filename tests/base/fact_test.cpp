// SPDX-License-Identifier: Apache-2.0
#include "base/fact.h"

#include <gtest/gtest.h>

namespace helio {
namespace {

constexpr FactKind kChannels = {"channels"}, kIsolation = {"isolation"}, kWarned = {"warned"}, kA = {"a"}, kB = {"b"};
constexpr FactKind kMargin = {"margin_db", "dB", "of power", FactKind::Limit::kSmallest};
constexpr FactKind kCloses = {"closes", "", "passively", FactKind::Limit::kSmallest};

Facts together(const std::vector<Facts>& parts) {
  Facts all;
  for (const Facts& part : parts) combine(all, part);
  return all;
}

// Of 32, 64 and 32 channels 64 are needed; of margins 3, 1.2 and 2 dB the worst counts.
TEST(Fact, TheOneThatLimitsStandsForAll) {
  EXPECT_EQ(together({{{kChannels, 32.0}}, {{kChannels, 64.0}}, {{kChannels, 32.0}}}), (Facts{{kChannels, 64.0}}));
  EXPECT_EQ(together({{{kMargin, 3.0}}, {{kMargin, 1.2}}, {{kMargin, 2.0}}}), (Facts{{kMargin, 1.2}}));
}

// What closes passively must do so everywhere; what is warned of need happen only once.
TEST(Fact, TruthsHaveAnOrder) {
  for (const bool first : {true, false})
    EXPECT_EQ(together({{{kCloses, first}, {kWarned, first}}, {{kCloses, !first}, {kWarned, !first}}}),
              (Facts{{kCloses, false}, {kWarned, true}}));
}

TEST(Fact, TextsThatDifferAreListedOnce) {
  const auto of = [](const char* text) { return Facts{{kIsolation, std::string(text)}}; };
  EXPECT_EQ(together({of("physical"), of("physical")}), of("physical"));
  EXPECT_EQ(together({of("physical"), of("masked"), of("physical"), of("masked")}), of("physical; masked"));
  EXPECT_EQ(together({of("unmasked"), of("masked"), of("mask")}),
            of("unmasked; masked; mask"));  // parts of words are others
}

// In the order in which they were first told, also those that only some tell.
TEST(Fact, KeepsTheOrder) {
  EXPECT_EQ(together({{{kB, 1.0}}, {{kA, 2.0}, {kB, 3.0}}, {}}), (Facts{{kB, 3.0}, {kA, 2.0}}));
}

}  // namespace
}  // namespace helio
