// SPDX-License-Identifier: Apache-2.0
// Pieces that the sections of collectives and of jobs share: bars of what time is spent on, tables of facts.
#pragma once

#include <string>
#include <vector>

#include "base/fact.h"
#include "pipeline/iteration.h"
#include "pipeline/result.h"
#include "report/pages/page.h"

namespace helio::report {

std::string percent_text(double share);  // "30.3 %"
// Without an exponent, which cards have no room for: "43.94", "22040".
std::string rate_text(double value);

// Critical paths, a bar for each, in the unit in which the longest is a number from 1 to 1000.
Figure time_spent(const std::string& name, const std::vector<const pipeline::Result*>& results);
Figure exposed_time(const std::string& name, const std::vector<const pipeline::IterationResult*>& jobs);

// Facts, two columns; what has no value is left out.
class FactsTable {
 public:
  explicit FactsTable(std::string name, std::string title)
      : table_{.name = std::move(name),
               .title = std::move(title),
               .columns = {{"what"}, {"value"}},
               .rows = {},
               .folded = true} {}
  void add(const std::string& what, const std::string& value) {
    if (!value.empty()) table_.rows.push_back({{what}, {value}});
  }
  void add(const Facts& facts, const std::string& before = {});
  Table done() && { return std::move(table_); }

 private:
  Table table_;
};

}  // namespace helio::report
