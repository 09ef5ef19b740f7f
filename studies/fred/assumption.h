// SPDX-License-Identifier: Apache-2.0
// What a row of FRED rests on (papers/fred.md 0). Its text is known, its tables and figures are not: where it is silent the reading is
// ours, and says so.
#pragma once

#include <string>

#include "studies/assumption.h"

namespace helio::studies::fred_study {

// The paper's text, at a place in it.
inline std::string paper(const std::string& place) { return "arXiv 2406.19580 v2, " + place; }

// Published means over strategies on Fred-D: exposed communication and time, of Transformer-17B and -1T.
inline constexpr double kCommunication = 4.22, kTime = 1.63, kCommunication1t = 3.92, kTime1t = 1.44;

inline const RowMaker published_row{.study = "fred"}, derived_row{.study = "fred", .published = false};

}  // namespace helio::studies::fred_study
