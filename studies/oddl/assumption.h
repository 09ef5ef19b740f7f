// SPDX-License-Identifier: Apache-2.0
// What a row of ODDL rests on. None is ever literal, because the body of the paper is not known to us, which every row says first
// (papers/oddl.md 0). A set of assumptions that was tried on the published ratios is one hypothesis, and as good as its weakest free
// parameter: calibrated where that was solved from a ratio, fitted where it was borrowed from another set.
#pragma once

#include "studies/assumption.h"

namespace helio::studies::oddl_study {

// The first of every row.
inline constexpr const char* kBodyUnknown =
    "the body of the ODDL paper is unknown to us, only its abstract is known (papers/oddl.md 0)";

inline constexpr double kOverTree = 1.6, kOverSip = 1.7;  // the abstract's

inline const RowMaker published_row{
    .study = "oddl", .always = {noted(kBodyUnknown)}, .source = "JOCN 16(3) 342-357, abstract (papers/oddl.md 5)"},
    derived_row{.study = "oddl", .published = false, .always = {noted(kBodyUnknown)}};

}  // namespace helio::studies::oddl_study
