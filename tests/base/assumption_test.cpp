// SPDX-License-Identifier: Apache-2.0
#include "base/assumption.h"

#include <gtest/gtest.h>

namespace helio {
namespace {

Assumption graded(Grade grade) { return {"a", grade}; }

// The order of DESIGN: ours, recalled, fitted, calibrated, literal. Every pair, in both orders.
TEST(Assumption, TheWeakestDecides) {
  constexpr Grade kFromWeakest[] = {Grade::kOurs, Grade::kRecalled, Grade::kFitted, Grade::kCalibrated,
                                    Grade::kLiteral};
  const char* const names[] = {"ours", "recalled", "fitted", "calibrated", "literal"};
  for (std::size_t weak = 0; weak < 5; ++weak)
    for (std::size_t strong = weak; strong < 5; ++strong) {
      EXPECT_EQ(label_of(Assumptions{graded(kFromWeakest[weak]), graded(kFromWeakest[strong])}), names[weak]);
      EXPECT_EQ(label_of(Assumptions{graded(kFromWeakest[strong]), graded(kFromWeakest[weak])}), names[weak]);
    }
}

TEST(Assumption, NotesHaveNoSayAndNothingMakesNothingStrong) {
  EXPECT_EQ(label_of(Assumptions{graded(Grade::kNote), graded(Grade::kLiteral)}), "literal");
  EXPECT_EQ(label_of(Assumptions{graded(Grade::kNote)}), "ours");
  EXPECT_EQ(label_of(Assumptions{}), "ours");
  EXPECT_EQ(Assumption{"nobody graded it"}.grade, Grade::kOurs);
}

TEST(Assumption, WordsTellGradeSourceAndWhatWasUsed) {
  EXPECT_EQ((Assumption{"64 wavelengths", Grade::kRecalled, "papers/wrht.md 3"}.words()),
            "recalled: 64 wavelengths (papers/wrht.md 3)");
  EXPECT_EQ((Assumption{"40 GB/s", Grade::kFitted, "", {80.81, 64.36}}.words()), "fitted: 40 GB/s (uses 80.81, 64.36)");
  EXPECT_EQ(Assumption{"c"}.words(), "ours: c");
}

}  // namespace
}  // namespace helio
