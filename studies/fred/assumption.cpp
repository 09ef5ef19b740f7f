// SPDX-License-Identifier: Apache-2.0
#include "studies/fred/assumption.h"

#include <utility>

namespace helio::studies::fred_study {

report::Row not_predicted(report::Row row) {
  row.predicted = false;
  return row;
}

report::Row published_row(std::string quantity, double published, double ours, const Assumptions& assumptions,
                          std::string source, std::uint32_t number) {
  return row_beside("fred", std::move(quantity), published, ours, assumptions, std::move(source), number);
}

report::Row derived_row(std::string quantity, double expected, double ours, const Assumptions& assumptions,
                        std::string source, std::uint32_t number) {
  return row_expected("fred", std::move(quantity), expected, ours, assumptions, std::move(source), number);
}

}  // namespace helio::studies::fred_study
