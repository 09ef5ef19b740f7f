// SPDX-License-Identifier: Apache-2.0
// Trainings whose gradients went through an emulated network: what their metrics say.
//
//     training/optinc_s3.jsonl    {"epoch":1,"loss":…,…}          one line an epoch; held-out numbers where the run looked at them
//     training/optinc_s3.json     {"finished":true,"command":…}   the result of the run; plain_pytorch has none
//              └──────┘ └┘
//                case   seed      cases are those of scripts/gpu_train_cases, and plain_pytorch
//
// Invariant: a run is whole. Its last line has held-out numbers, and no result says that it did not finish.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "studies/optinc/training_files.h"

namespace helio::studies::optinc_study {

struct TrainingEpoch {
  double epoch = 0;
  double loss = 0;                      // mean over the epoch's steps
  std::optional<double> held_out_loss;  // after it
  std::optional<double> accuracy;       // share of the held-out examples
  std::optional<double> wrong_share;    // of the last step's averages: not what rounding the exact one gives
};

struct TrainingRun {
  std::string name;  // of the case
  int seed = 0;
  std::vector<TrainingEpoch> epochs;  // not empty
  std::string command, device;        // empty where no result was kept

  const TrainingEpoch& last() const { return epochs.back(); }
};

// Cases whose curves share a picture. Language models are judged by their held-out loss; what stands aside is in rows, not in curves.
enum class TrainingGroup { kImages, kSixteenServers, kLanguage, kAside };

// A case, in the words of a reader.
struct TrainingCase {
  std::string_view name, words;
  TrainingGroup group = TrainingGroup::kImages;
};
std::span<const TrainingCase> training_cases();
const TrainingCase& training_case(std::string_view name);  // Requires: there is one.

// By case in the order of training_cases(), then by seed. Throws Error(kInput), at file and line, for names that are no case with a seed,
// lines that cannot be read, results without lines, and runs that are not whole.
std::vector<TrainingRun> training_runs(std::span<const TrainingFile> files);

// The run of a case with a seed, or null.
const TrainingRun* run_of(std::span<const TrainingRun> runs, std::string_view name, int seed);

// Seeds with which every one of these cases was run.
std::vector<int> common_seeds(std::span<const TrainingRun> runs, std::span<const std::string_view> names);

}  // namespace helio::studies::optinc_study
