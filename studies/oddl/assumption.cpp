// SPDX-License-Identifier: Apache-2.0
#include "studies/oddl/assumption.h"

#include <utility>

namespace helio::studies::oddl_study {
namespace {

const Assumptions kAlways = {{kBodyUnknown, Strength::kFitted}};

}  // namespace

report::Row published_row(std::string quantity, double published, double ours, const Assumptions& assumptions,
                          bool predicted) {
  report::Row row =
      row_beside("oddl", std::move(quantity), published, ours, kAlways + assumptions, "abstract (papers/oddl.md 5)");
  row.predicted = predicted;
  return row;
}

report::Row derived_row(std::string quantity, double expected, double ours, const Assumptions& assumptions,
                        std::string source, bool predicted) {
  report::Row row = row_expected("oddl", std::move(quantity), expected, ours, kAlways + assumptions, std::move(source));
  row.predicted = predicted;
  return row;
}

}  // namespace helio::studies::oddl_study
