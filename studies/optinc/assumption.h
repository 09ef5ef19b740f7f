// SPDX-License-Identifier: Apache-2.0
// What a row rests on. Its label is that of its weakest assumption. The body of the paper is not known to us, which every row says
// first (papers/optinc.md 0): `literal` means a reported parameter at face value, never that the paper was seen to say so.
#pragma once

#include <cstdint>
#include <string>

#include "studies/assumption.h"

namespace helio::studies::optinc_study {

// The first assumption of every row.
inline constexpr const char* kBodyUnknown =
    "the body of the OptINC paper is unknown to us: its abstract and points of secondary sources are known "
    "(papers/optinc.md 0)";

// Published numbers for which an assumption can be chosen.
inline constexpr std::uint32_t kHalfOfTheArea = 1, kSaved17 = 2, kSaved25 = 4;

// Of a number that a secondary source reports.
report::Row reported_row(std::string quantity, double reported, double ours, const Assumptions& assumptions,
                         std::uint32_t number = 0);

// Of a number that the spec derives, or that its prototype measured: `source` says which.
report::Row derived_row(std::string quantity, double expected, double ours, const Assumptions& assumptions,
                        std::string source);

// A single assumption.
Assumptions literally(std::string text);
Assumptions ours(std::string text);

}  // namespace helio::studies::optinc_study
