// SPDX-License-Identifier: Apache-2.0
// What a row of OptINC rests on. The body of the paper is not known to us, which every row says first (papers/optinc.md 0): `literal`
// means a reported parameter at face value, never that the paper was seen to say so.
#pragma once

#include <string>
#include <utility>

#include "studies/assumption.h"

namespace helio::studies::optinc_study {

// The first of every row.
inline constexpr const char* kBodyUnknown =
    "the body of the OptINC paper is unknown to us: its abstract and points of secondary sources are known "
    "(papers/optinc.md 0)";

// What is reported of the paper.
inline constexpr const char* kReported = "arXiv 2603.28290, by a secondary source (papers/optinc.md 4)";

// Reported numbers for which an assumption can be chosen, in percent.
inline constexpr double kHalfOfTheArea = 50, kSaved17 = 17, kSaved25 = 25;

inline const RowMaker reported_row{.study = "optinc", .always = {noted(kBodyUnknown)}, .source = kReported},
    derived_row{.study = "optinc", .published = false, .always = {noted(kBodyUnknown)}};

// A single assumption.
inline Assumptions literally(std::string text) { return {taken_literally(std::move(text), kReported)}; }
inline Assumptions ours(std::string text) { return {of_our_own(std::move(text))}; }
inline Assumptions told(std::string text) { return {noted(std::move(text))}; }

}  // namespace helio::studies::optinc_study
