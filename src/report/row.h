// SPDX-License-Identifier: Apache-2.0
// One row of a study: a published number, or what we derive ourselves, and what came out here. Its label and whether it is predicted
// are read off its assumptions; neither can be typed.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/assumption.h"

namespace helio::report {

struct Row {
  std::string study;
  std::string quantity;             // with its unit
  std::optional<double> published;  // by a paper; or else
  std::optional<double> expected;   // by a closed form or a spec of ours. One of the two
  double ours = 0;
  Assumptions assumptions;
  std::string source;                     // of the published number the publication and place; or of the derivation
  std::vector<double> follows_from = {};  // published numbers that its number is made of, besides itself
  bool bounded = false;                   // `expected` is a lower bound, which ours need not meet and may not be below

  double beside() const { return published ? *published : expected.value_or(0); }
  const char* versus() const { return published ? "published" : bounded ? "bound" : "expected"; }

  std::string label() const { return label_of(assumptions); }
  // Nothing it rests on used its number: no parameter chosen for it or solved from it, no rule put in by hand to give it, no restating.
  bool predicted() const;
  // Predicted, and nothing it rests on used any published number.
  bool unfitted() const;

  // Difference between ours and its counterpart: relative, and beside 0, of which nothing is a share, in the quantity's own unit.
  double within() const { return std::abs(ours - beside()) / (beside() == 0 ? 1 : std::abs(beside())); }

  // Within 1 %; 0 is met by 0 alone, but for rounding, because no share of it is small.
  bool met() const { return within() <= (beside() == 0 ? 1e-9 : 0.01); }
};

// Neighbouring rows that are held against the same sort of number, which share a table.
std::vector<std::span<const Row>> runs_of_one_sort(std::span<const Row> rows);

}  // namespace helio::report
