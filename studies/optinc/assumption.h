// SPDX-License-Identifier: Apache-2.0
// What a row of OptINC rests on. The body of the paper is not known to us, which every row says first (papers/optinc.md 0): `literal` means a reported parameter at face value, never that the paper was seen to say so.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "studies/assumption.h"

namespace helio::studies::optinc_study {

// The first assumption of every row.
inline constexpr const char* kBodyUnknown =
    "the body of the OptINC paper is unknown to us: its abstract and points of secondary sources are known "
    "(papers/optinc.md 0)";

// Published numbers for which an assumption can be chosen.
inline constexpr std::uint32_t kHalfOfTheArea = 1, kSaved17 = 2, kSaved25 = 4;

inline const RowMaker reported_row{.study = "optinc",
                                   .always = {{kBodyUnknown, Strength::kLiteral}},
                                   .source = "a secondary source (papers/optinc.md 4)"},
    derived_row{.study = "optinc", .versus = "expected", .always = {{kBodyUnknown, Strength::kLiteral}}};

// A single assumption.
inline Assumptions literally(std::string text) { return {{std::move(text), Strength::kLiteral}}; }
inline Assumptions ours(std::string text) { return {{std::move(text), Strength::kOurs}}; }

}  // namespace helio::studies::optinc_study
