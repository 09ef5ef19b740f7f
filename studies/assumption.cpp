// SPDX-License-Identifier: Apache-2.0
#include "studies/assumption.h"

#include <algorithm>

namespace helio::studies {
namespace {

const char* name_of(Strength strength) {
  switch (strength) {
    case Strength::kLiteral: return "literal";
    case Strength::kFitted: return "fitted";
    case Strength::kCalibrated: return "calibrated";
    case Strength::kOurs: break;
  }
  return "ours";
}

}  // namespace

Assumptions operator+(Assumptions one, const Assumptions& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

report::Row row_beside(std::string study, std::string quantity, double published, double ours,
                       const Assumptions& assumptions, std::string source, std::uint32_t number) {
  report::Row row{.study = std::move(study),
                  .quantity = std::move(quantity),
                  .published = published,
                  .ours = ours,
                  .label = "",
                  .assumptions = {},
                  .predicted = true,
                  .source = std::move(source)};
  Strength weakest = Strength::kLiteral;
  for (const Assumption& assumption : assumptions) {
    row.assumptions.push_back(assumption.text);
    weakest = std::max(weakest, assumption.strength);
    if ((assumption.chosen_for & number) != 0) row.predicted = false;
  }
  row.label = name_of(weakest);
  return row;
}

report::Row row_expected(std::string study, std::string quantity, double expected, double ours,
                         const Assumptions& assumptions, std::string source, std::uint32_t number) {
  report::Row row =
      row_beside(std::move(study), std::move(quantity), expected, ours, assumptions, std::move(source), number);
  row.versus = "expected";
  return row;
}

}  // namespace helio::studies
