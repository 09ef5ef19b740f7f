// SPDX-License-Identifier: Apache-2.0
// What a row of ODDL rests on. None is ever literal, because the body of the paper is not known to us, which every row says first
// (papers/oddl.md 0).
#pragma once

#include "studies/assumption.h"

namespace helio::studies::oddl_study {

// The first assumption of every row, which makes it `fitted` at the best.
inline constexpr const char* kBodyUnknown =
    "the body of the ODDL paper is unknown to us, only its abstract is known: the model is ours (papers/oddl.md 0)";

inline const RowMaker published_row{
    .study = "oddl", .always = {{kBodyUnknown, Strength::kFitted}}, .source = "abstract (papers/oddl.md 5)"},
    derived_row{.study = "oddl", .versus = "expected", .always = {{kBodyUnknown, Strength::kFitted}}};

}  // namespace helio::studies::oddl_study
