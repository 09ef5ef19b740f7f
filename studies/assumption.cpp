// SPDX-License-Identifier: Apache-2.0
#include "studies/assumption.h"

namespace helio::studies {

report::Row RowMaker::operator()(std::string quantity, double beside, double ours, const Assumptions& assumptions,
                                 std::string from) const {
  report::Row row{.study = study,
                  .quantity = std::move(quantity),
                  .published = {},
                  .expected = {},
                  .ours = ours,
                  .assumptions = always + assumptions,
                  .source = from.empty() ? source : std::move(from)};
  (published ? row.published : row.expected) = beside;
  return row;
}

report::Row following(std::vector<double> numbers, report::Row row) {
  row.follows_from = std::move(numbers);
  return row;
}

}  // namespace helio::studies
