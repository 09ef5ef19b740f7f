// SPDX-License-Identifier: Apache-2.0
#include "studies/oddl/assumption.h"

#include <algorithm>

namespace helio::studies::oddl_study {
namespace {

const char* name_of(Strength strength) {
  switch (strength) {
    case Strength::kFitted: return "fitted";
    case Strength::kCalibrated: return "calibrated";
    case Strength::kOurs: break;
  }
  return "ours";
}

}  // namespace

report::Row published_row(std::string quantity, double published, double ours, const Assumptions& assumptions,
                          bool predicted) {
  report::Row row{.study = "oddl",
                  .quantity = std::move(quantity),
                  .published = published,
                  .ours = ours,
                  .label = "",
                  .assumptions = {kBodyUnknown},
                  .predicted = predicted,
                  .source = "abstract (papers/oddl.md 5)"};
  Strength weakest = Strength::kFitted;
  for (const Assumption& assumption : assumptions) {
    row.assumptions.push_back(assumption.text);
    weakest = std::max(weakest, assumption.strength);
  }
  row.label = name_of(weakest);
  return row;
}

report::Row derived_row(std::string quantity, double expected, double ours, const Assumptions& assumptions,
                        std::string source, bool predicted) {
  report::Row row = published_row(std::move(quantity), expected, ours, assumptions, predicted);
  row.source = std::move(source);
  row.versus = "expected";
  return row;
}

}  // namespace helio::studies::oddl_study
