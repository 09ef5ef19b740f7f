// SPDX-License-Identifier: Apache-2.0
// What a row rests on. A row's label is that of its weakest assumption, and it is predicted unless one of its assumptions was chosen
// to meet the very number it stands beside. Where the paper is silent and a plain reading is taken, the row stays `literal` and the
// reading is in its text (papers/fred.md 0).
#pragma once

#include <cstdint>
#include <string>

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

// The row again, marked as what it is: a parameter that was solved from the numbers it stands for.
report::Row not_predicted(report::Row row);

// A number that somebody published.
report::Row published_row(std::string quantity, double published, double ours, const Assumptions& assumptions,
                          std::string source, std::uint32_t number = kNone);

// A number that follows from the described design: `source` says by which formula or table.
report::Row derived_row(std::string quantity, double expected, double ours, const Assumptions& assumptions,
                        std::string source, std::uint32_t number = kNone);

}  // namespace helio::studies::fred_study
