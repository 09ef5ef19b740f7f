// SPDX-License-Identifier: Apache-2.0
// A result in words, made from its data: what binds, how far from the bound, and what would change it.
//
//     "Retuning is 62 % of the time; with the `changed` rule it would be 3 %."
//
// Every number was computed: by the run itself, or by another run of the same question with one thing changed (WhatIf), which the
// caller made. Nothing is extrapolated.
#pragma once

#include <string>
#include <vector>

#include "pipeline/iteration.h"
#include "pipeline/result.h"

namespace helio::report {

// The same question with one thing changed, and its answer.
struct WhatIf {
  std::string change;  // how a sentence begins: "With retune_rule = changed", "With fabric.rate doubled to 80 Gb/s"
  double time_s = 0;   // of the collective, or of one iteration
  simulate::Split critical = {};  // of a collective: what its time is spent on; all zero: not told
  std::string algorithm = {};     // where another one carried it
};

// Paragraphs. Answers that change less than half a percent are said to change nothing.
std::vector<std::string> explain(const pipeline::Result& result, const std::vector<WhatIf>& asked = {});
std::vector<std::string> explain(const pipeline::IterationResult& job, const std::vector<WhatIf>& asked = {});

// What a critical path is spent on, largest first: name and share of the whole.
std::vector<std::pair<std::string, double>> shares_of(const simulate::Split& path);

}  // namespace helio::report
