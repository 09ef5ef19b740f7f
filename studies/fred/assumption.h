// SPDX-License-Identifier: Apache-2.0
// What a row of FRED rests on. Where the paper is silent and a plain reading is taken, the row stays `literal` and the reading is in its
// text (papers/fred.md 0).
#pragma once

#include <cstdint>

#include "studies/assumption.h"

namespace helio::studies::fred_study {

// Published numbers that an assumption may have been chosen to meet; a set of bits.
enum Number : std::uint32_t {
  kNone = 0,
  kResnetC = 1,
  kResnetD = 2,
  k17bC = 4,
  k17bD = 8,
  kGpt3Both = 16,  // C and D are one number
  k1tBoth = 32,
  kSweepCommunication = 64,
  kSweepTime = 128,
  kSweepOf1t = 256,
  kArea = 512,
};

inline const RowMaker published_row{.study = "fred"}, derived_row{.study = "fred", .versus = "expected"};

}  // namespace helio::studies::fred_study
