// SPDX-License-Identifier: Apache-2.0
// A whole training with its files: resume, epochs, counts, checkpoints, metrics, and at the end the network with an exhaustive count
// in double precision of what the file really holds.
#pragma once

#include <functional>
#include <string>

#include "photonics/onn_evaluate.h"
#include "train/networks/onn_trainer.h"

namespace helio::train {

struct TrainingFiles {
  std::string checkpoint;      // empty: none
  long checkpoint_every = 20;  // epochs
  bool resume = false;         // go on from the checkpoint; Error(kInput) where it is not there
  std::string metrics;         // JSON lines; empty: none
};

// For whoever watches.
struct TrainingNews {
  long epoch = 0, epochs = 0;  // epochs: 0 where the clock decides
  double loss = 0, rate = 0;
  std::int64_t wrong = 0, points = 0;  // of the best count so far
  double margin = 0;
  double seconds = 0, seconds_left = 0;
};

struct TrainingOutcome {
  photonics::Onn onn;  // provenance without the command
  long epochs = 0;
  double seconds = 0;  // of training, those before a resume counted in
  PointCount counted;  // in training, single precision
};

// Throws what the recipe's check(), the checkpoint's reading and OnnTrainer throw, Error(kInput) where another training has the
// checkpoint.
TrainingOutcome train_onn(const OnnRecipe& recipe, const at::Device& device, const TrainingFiles& files,
                          const std::function<void(const TrainingNews&)>& watch = {});

}  // namespace helio::train
