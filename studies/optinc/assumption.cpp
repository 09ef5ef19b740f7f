// SPDX-License-Identifier: Apache-2.0
#include "studies/optinc/assumption.h"

#include <utility>

namespace helio::studies::optinc_study {
namespace {

const Assumptions kAlways = {{kBodyUnknown, Strength::kLiteral}};

}  // namespace

report::Row reported_row(std::string quantity, double reported, double ours, const Assumptions& assumptions,
                         std::uint32_t number) {
  return row_beside("optinc", std::move(quantity), reported, ours, kAlways + assumptions,
                    "a secondary source (papers/optinc.md 4)", number);
}

report::Row derived_row(std::string quantity, double expected, double ours, const Assumptions& assumptions,
                        std::string source) {
  return row_expected("optinc", std::move(quantity), expected, ours, kAlways + assumptions, std::move(source));
}

Assumptions literally(std::string text) { return {{std::move(text), Strength::kLiteral}}; }
Assumptions ours(std::string text) { return {{std::move(text), Strength::kOurs}}; }

}  // namespace helio::studies::optinc_study
