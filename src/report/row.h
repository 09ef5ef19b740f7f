// SPDX-License-Identifier: Apache-2.0
// One row of a study: a published number, or what a formula expects, and what we make of it.
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace helio::report {

struct Row {
  std::string study;
  std::string quantity;  // with its unit
  double published = 0;
  double ours = 0;
  std::string label;  // literal, fitted, calibrated, ours
  std::vector<std::string> assumptions;
  bool predicted = true;             // no parameter was chosen to meet this number
  std::string source;                // paper and place, or "closed form"
  // What `published` is, for the head of its column: "expected" for a closed form, "bound" for what no schedule can beat.
  std::string versus = "published";

  // Difference between ours and published: relative, and where 0 is published, of which nothing is a share, in the quantity's own unit.
  double within() const { return std::abs(ours - published) / (published == 0 ? 1 : std::abs(published)); }

  // Within 1 %; a published 0 is met by 0 alone, but for rounding, because no share of it is small.
  bool met() const { return within() <= (published == 0 ? 1e-9 : 0.01); }
};

// Neighbouring rows with the same `versus`, which share a table.
std::vector<std::span<const Row>> runs_of_one_sort(std::span<const Row> rows);

}  // namespace helio::report
