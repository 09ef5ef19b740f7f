// SPDX-License-Identifier: Apache-2.0
// What a row of a study rests on. Its label is that of its weakest assumption, and it is predicted unless one of its assumptions was
// chosen to meet the very number it stands beside.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
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

// Makes the rows of a study: a study has one for numbers that somebody published, and one for numbers that follow from the described
// design.
struct RowMaker {
  std::string study;
  std::string versus = "published";  // or "expected"
  Assumptions always = {};           // the first of every row
  std::string source = {};           // of rows that name none

  // `number`: the bit of what stands beside ours, 0 where no assumption could have been chosen for it. `from`: by which text, formula
  // or table.
  report::Row operator()(std::string quantity, double beside, double ours, const Assumptions& assumptions,
                         std::string from, std::uint32_t number = 0) const;
  report::Row operator()(std::string quantity, double beside, double ours, const Assumptions& assumptions,
                         std::uint32_t number = 0) const {
    return (*this)(std::move(quantity), beside, ours, assumptions, source, number);
  }
};

// The row again: no prediction where its number was solved for, or its model fitted to just that.
report::Row predicted_if(bool predicted, report::Row row);

}  // namespace helio::studies
