// SPDX-License-Identifier: Apache-2.0
// One training of one network, epoch by epoch (papers/optinc.md 2.4; losses and replay are ours).
//
//   an epoch   all points in random order, those with a large last error `replay` times more ─▷ batches
//   a step     batch ─▷ forward ─▷ error beyond the slack, weighted where it is large ─▷ backward ─▷ Adam ─▷ back to orthogonal
//              ─▷ running average of the weights; each point's error is remembered for the next epoch
//   a count    all points through the averaged weights and through the last ones; the better of all counts is kept
//
// The order of epoch e comes from (seed, e) alone, so a training goes on from its checkpoint as if it had not stopped.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <string_view>

#include "train/checkpoint.h"
#include "train/device.h"
#include "train/divergence.h"
#include "train/networks/adam.h"
#include "train/networks/onn_layout.h"
#include "train/networks/onn_model.h"
#include "train/networks/onn_points.h"

namespace helio::train {

struct EpochOutcome {
  long steps = 0;
  double loss = 0;  // mean over the points shown
  double rate = 0;
  std::int64_t hard = 0;  // points shown again
};

class OnnTrainer {
 public:
  // Requires: recipe.check() has passed.
  OnnTrainer(const OnnRecipe& recipe, const at::Device& device);

  const OnnRecipe& recipe() const { return recipe_; }
  std::int64_t points() const { return points_.inputs.size(0); }
  long epochs_done() const { return epoch_; }
  const PointCount& best() const { return best_count_; }

  // `progress` is the share of the schedule that is done. Throws Divergence where the loss is no number, saying in which epoch and
  // layer; what was best and the last checkpoint stay.
  EpochOutcome run_epoch(double progress);
  // Of the averaged weights and of the last; keeps the better of these and the best so far.
  PointCount count_now();
  // What was counted best, in double precision.
  photonics::Onn network() const { return layout_.network(best_, recipe_); }

  void write(Checkpoint& checkpoint) const;
  // Throws Error(kInput) for a checkpoint of another shape.
  void read(const Checkpoint& checkpoint, const std::string& path, std::string_view place);

 private:
  at::Tensor order_of_epoch(std::int64_t batch, std::int64_t* hard);
  void step();
  PointCount count_of(const at::Tensor& candidate);
  [[noreturn]] void complain_of_nan() const;

  OnnRecipe recipe_;
  at::Device device_;
  OnnPoints points_;
  OnnLayout layout_;
  at::Tensor flat_, gradient_, averaged_, best_;
  at::Tensor last_error_;                    // per point
  at::Tensor rate_, loss_, batch_, errors_;  // what a recorded step reads and writes
  Adam adam_;
  OnnModel model_;
  std::unique_ptr<RecordedStep> recorded_;
  long epoch_ = 0, step_ = 0;
  PointCount best_count_;
};

}  // namespace helio::train
