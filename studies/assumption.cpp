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

report::Row RowMaker::operator()(std::string quantity, double beside, double ours, const Assumptions& assumptions,
                                 std::string from, std::uint32_t number) const {
  report::Row row{.study = study,
                  .quantity = std::move(quantity),
                  .published = beside,
                  .ours = ours,
                  .label = "",
                  .assumptions = {},
                  .predicted = true,
                  .source = std::move(from),
                  .versus = versus};
  Strength weakest = Strength::kLiteral;
  for (const Assumption& assumption : always + assumptions) {
    row.assumptions.push_back(assumption.text);
    weakest = std::max(weakest, assumption.strength);
    if ((assumption.chosen_for & number) != 0) row.predicted = false;
  }
  row.label = name_of(weakest);
  return row;
}

report::Row predicted_if(bool predicted, report::Row row) {
  row.predicted = predicted;
  return row;
}

}  // namespace helio::studies
