// SPDX-License-Identifier: Apache-2.0
// What a row of a study rests on. Its label is that of its weakest assumption, and it is predicted unless one of its assumptions was
// chosen to meet the very number it stands beside.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/row.h"

namespace helio::studies {

enum class Strength { kLiteral, kFitted, kCalibrated, kOurs };  // the weaker, the later

struct Assumption {
  std::string text;
  Strength strength = Strength::kLiteral;
  std::uint32_t chosen_for = 0;  // published numbers, as bits that a study gives them
};

using Assumptions = std::vector<Assumption>;

// Both lists.
Assumptions operator+(Assumptions one, const Assumptions& other);

// Beside a number that somebody published: `number` is its bit, 0 where no assumption could have been chosen for it.
report::Row row_beside(std::string study, std::string quantity, double published, double ours,
                       const Assumptions& assumptions, std::string source, std::uint32_t number = 0);

// Beside a number that follows from the described design: `source` says by which formula or table.
report::Row row_expected(std::string study, std::string quantity, double expected, double ours,
                         const Assumptions& assumptions, std::string source, std::uint32_t number = 0);

}  // namespace helio::studies
