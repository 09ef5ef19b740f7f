// SPDX-License-Identifier: Apache-2.0
// Does training notice that its gradients were averaged by light? (papers/optinc.md 4: "comparable", without a number.)
//
//     exact      ●────●────●────●────●     the same seeds: same start, same batches
//     quantised  ●────●────●────●────●     − exact: what 8 bits cost
//     optinc     ●────●────●────●────●     − quantised: what the optics cost, − exact: both
//
// Rows exist for what was run: a case without its partner gives none.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "report/figures/chart.h"
#include "studies/optinc/chapters.h"
#include "studies/optinc/paired.h"
#include "studies/optinc/training_runs.h"

namespace helio::studies::optinc_study {

// Final accuracy of one case less that of another, in percentage points, by seed.
struct SeedDifference {
  int seed = 0;
  double points = 0;
};
// Of the seeds that both have. Throws Error(kInput) where a pair was not trained for the same number of epochs.
std::vector<SeedDifference> accuracy_differences(std::span<const TrainingRun> runs, std::string_view name,
                                                 std::string_view less);

Rows training_rows(std::span<const TrainingRun> runs);
std::vector<report::Chart> training_charts(std::span<const TrainingRun> runs);

// Pairs that are compared, the first less the second.
struct ComparedCases {
  std::string_view name, less;
};
inline constexpr ComparedCases kCompared[] = {{"optinc", "exact"},
                                              {"optinc_chip", "exact"},
                                              {"optinc_chip_ud", "exact"},
                                              {"quantised", "exact"},
                                              {"optinc", "quantised"},
                                              {"quantised_leaning", "exact"},
                                              {"optinc_dither", "exact"},
                                              {"optinc_1024", "exact"},
                                              {"optinc_small", "exact"},
                                              {"optinc_small_leaning", "exact"},
                                              {"optinc_small_150", "exact"},
                                              {"optinc_10x", "exact"},
                                              {"optinc_10x_leaning", "exact"},
                                              {"cascade", "exact_16"},
                                              {"cascade_plain", "exact_16"}};
// The same for language models, whose losses are compared.
inline constexpr ComparedCases kComparedLanguage[] = {
    {"lm_optinc", "lm_exact"},       {"lm_quantised", "lm_exact"},   {"lm_quantised_leaning", "lm_exact"},
    {"lm_optinc_small", "lm_exact"}, {"lm_optinc_1024", "lm_exact"}, {"lm_optinc_dither", "lm_exact"}};

}  // namespace helio::studies::optinc_study
