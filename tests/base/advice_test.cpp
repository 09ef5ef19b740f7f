// SPDX-License-Identifier: Apache-2.0
#include "base/advice.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace helio {
namespace {

// Another front end's way to write a setting.
std::string bracketed(const AdvisedSetting& setting) { return "<" + setting.key + "|" + setting.value + ">"; }

TEST(Advice, SettingsReadNeutrallyAndAreWrittenByWhoKnowsHow) {
  const Advice advice = "Use " + advised("sync", "step") + ", or " + advised("remedy", "block") + ".";
  EXPECT_EQ(advice.text(), "Use sync=step, or remedy=block.");
  EXPECT_EQ(advice.written(bracketed), "Use <sync|step>, or <remedy|block>.");
}

TEST(Advice, WordsThatLookLikeASettingAreNone) {
  EXPECT_EQ(Advice("raise fabric.planes=2").written(bracketed), "raise fabric.planes=2");
  EXPECT_EQ((std::string("sync=step, ") + advised("sync", "step")).written(bracketed), "sync=step, <sync|step>");
}

TEST(Advice, AKeyMayStandWithoutAValue) {
  EXPECT_EQ(advised("rate").text(), "rate");
  EXPECT_EQ(("with " + advised("rate") + ".").written(bracketed), "with <rate|>.");
}

// What is put behind, and what is put before, leaves every mark where its setting is; also when it is put behind itself.
TEST(Advice, MarksMoveWithTheWords) {
  Advice advice = advised("a", "1");
  advice += " then " + advised("b", "22");
  advice += advice;
  EXPECT_EQ(advice.text(), "a=1 then b=22a=1 then b=22");
  EXPECT_EQ(advice.written(bracketed), "<a|1> then <b|22><a|1> then <b|22>");
  EXPECT_TRUE(Advice().empty());
  EXPECT_EQ(Advice().written(bracketed), "");
}

TEST(Advice, SettingsMayBeRenamed) {
  const Advice advice = "Use " + advised("sync", "step") + ", or " + advised("remedy", "block") + ".";
  EXPECT_EQ(advice.renamed("remedy", "job.remedy").text(), "Use sync=step, or job.remedy=block.");
  EXPECT_EQ(advice.renamed("remedy", "job.remedy").written(bracketed),
            "Use " + bracketed({"sync", "step"}) + ", or " + bracketed({"job.remedy", "block"}) + ".");
}

TEST(Advice, AnErrorKeepsItTypedAndReadsNeutrally) {
  const Error error = Error(ErrorKind::kInfeasible, "no", "", "try " + advised("remedy", "block")).at("a.toml:3:8");
  EXPECT_STREQ(error.what(), "a.toml:3:8: no; try remedy=block");
  EXPECT_EQ(error.advice().written(bracketed), "try <remedy|block>");
}

}  // namespace
}  // namespace helio
