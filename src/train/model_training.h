// SPDX-License-Identifier: Apache-2.0
// A whole training of a model with its files: resume, epochs, held-out counts, checkpoints, metrics as JSON lines and CSV.
//
//     metrics   {"epoch", "step", "loss", "rate", "held_out_loss", "accuracy", "examples_per_s", "seconds", …}   a line an epoch
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "train/server_trainer.h"

namespace helio::train {

struct ModelFiles {
  std::string checkpoint;           // empty: none
  double checkpoint_every = 1;      // epochs
  bool resume = false;              // go on from the checkpoint; Error(kInput) where it is not there
  bool resume_if_there = false;     // the same, and a start from the beginning where it is not: for runs in slices
  std::string metrics, csv;         // empty: none
  std::int64_t evaluate_every = 1;  // epochs between two looks at the held-out examples; always at the end
  double minutes = 0;               // stop after this time with a checkpoint, to be resumed; 0: no limit

  // What asked to go on from the checkpoint, for messages.
  const char* resuming_option() const { return resume ? "--resume" : "--go-on"; }
  // Throws Error(kUsage) for files that do not go together and for options that nothing here reads, Error(kInput) for values.
  void check(const ModelRecipe& recipe) const;
};

struct ModelNews {
  std::int64_t step = 0, steps = 0;
  double epoch = 0, loss = 0, rate = 0, accuracy = 0;  // accuracy: of the last evaluation, −1 before the first
  double examples_per_s = 0, seconds = 0, seconds_left = 0;
};

struct ModelOutcome {
  std::int64_t parameters = 0, steps = 0, steps_done = 0;
  std::int64_t steps_before = 0;              // of steps_done: those of the checkpoint that was resumed
  bool finished = false;                      // false: `minutes` ran out
  double loss = 0;                            // of the last epoch
  HeldOut held_out;                           // at the end
  double seconds = 0;                         // of training, those before a resume counted in
  double examples_per_s = 0;                  // of this call; of the last one that trained where nothing was left to do
  std::string exchange;                       // in words
  std::vector<nlohmann::ordered_json> lines;  // the metrics of this call
};

// Resuming a training that is finished does nothing and gives its numbers again. Throws what ModelFiles::check, ServerTrainer and the
// checkpoint's reading throw, Error(kInput) where another training has the checkpoint; a Divergence names the last good checkpoint.
ModelOutcome train_model(const ModelRecipe& recipe, const at::Device& device, const ModelFiles& files,
                         const std::function<void(const ModelNews&)>& watch = {});

}  // namespace helio::train
