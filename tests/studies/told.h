// SPDX-License-Identifier: Apache-2.0
// The rows of one chapter of a study, or of several, by quantity.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "report/row.h"
#include "studies/asking.h"

namespace helio::studies {

class Told {
 public:
  using Rows = std::vector<report::Row>;
  explicit Told(std::initializer_list<Rows (*)(Runs&)> chapters) {
    for (const auto chapter : chapters) std::ranges::copy(chapter(runs_), std::back_inserter(rows_));
  }
  explicit Told(Rows (*chapter)(Runs&)) : Told({chapter}) {}
  explicit Told(Rows (*chapter)()) : rows_(chapter()) {}
  const report::Row& row(const std::string& quantity) const {
    const auto found = std::ranges::find(rows_, quantity, &report::Row::quantity);
    if (found == rows_.end()) throw std::runtime_error("no row " + quantity);
    return *found;
  }
  double operator()(const std::string& quantity) const { return row(quantity).ours; }
  const Rows& rows() const { return rows_; }

 private:
  Runs runs_{pipeline::RunOptions{}};
  Rows rows_;
};

}  // namespace helio::studies
