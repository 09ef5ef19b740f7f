// SPDX-License-Identifier: Apache-2.0
#include "train/networks/onn_training.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/file_lock.h"
#include "train/metrics.h"
#include "train/stopwatch.h"

namespace helio::train {
namespace {

std::string method_of(const OnnRecipe& recipe, const at::Device& device) {
  const std::string blocks =
      recipe.block_layers.empty() ? "" : fmt::format(" on layers {}", fmt::join(recipe.block_layers, ","));
  const ComponentNoise& n = recipe.noise;
  std::string noise;
  if (!n.none())
    noise = fmt::format(", against {} rad of phase error, {} bits, {} rad of couplers", n.phase_sigma, n.phase_bits,
                        n.splitter_sigma);
  if (n.mzi_loss_db > 0) noise += fmt::format(", {} dB an MZI", n.mzi_loss_db);
  if (n.crosstalk > 0) noise += fmt::format(", {} of a neighbour's phase", n.crosstalk);
  if (n.detector_sigma > 0) noise += fmt::format(", noise of {} symbol", n.detector_sigma);
  return fmt::format("trained {}{}, {}{}; {}", name_of(recipe.structure), blocks, photonics::name_of(recipe.activation),
                     noise, describe(device));
}

}  // namespace

TrainingOutcome train_onn(const OnnRecipe& recipe, const at::Device& device, const TrainingFiles& files,
                          const std::function<void(const TrainingNews&)>& watch) {
  recipe.check();
  std::optional<FileLock> lock;  // two trainings that keep their epochs in one file would lose those of the other
  if (!files.checkpoint.empty()) lock.emplace(files.checkpoint, "--checkpoint");
  OnnTrainer trainer(recipe, device);

  // Where a training stopped, another goes on.
  double before = 0;
  long kept = 0;  // epoch of the last checkpoint, 0: none
  if (files.resume) {
    const Checkpoint found = load_checkpoint(files.checkpoint, "--resume");
    trainer.read(found, files.checkpoint, "--resume");
    kept = trainer.epochs_done();
    before = number_of(found, "seconds", files.checkpoint, "--resume");
  }
  Metrics metrics;
  if (!files.metrics.empty()) metrics = Metrics(files.metrics, trainer.epochs_done(), "--metrics");
  const Stopwatch watch_time(before);
  const auto keep = [&] {
    if (files.checkpoint.empty()) return;
    Checkpoint checkpoint;
    trainer.write(checkpoint);
    checkpoint.numbers["seconds"] = watch_time.seconds();
    save(checkpoint, files.checkpoint, "--checkpoint");
    kept = trainer.epochs_done();
  };
  const auto run_epoch = [&](double share) {
    try {
      return trainer.run_epoch(share);
    } catch (const Divergence& problem) {
      // Another rate may be given on the way: the schedule of a resumed training is that of its own options.
      throw problem.keeping(files.checkpoint,
                            kept > 0 ? fmt::format("epoch {}, which --resume goes on from", kept) : "");
    }
  };

  // Epochs, until they or the minutes are over or the margin is reached.
  const auto progress = [&] {
    return recipe.epochs > 0 ? static_cast<double>(trainer.epochs_done()) / static_cast<double>(recipe.epochs)
                             : watch_time.seconds() / (60 * recipe.minutes);
  };
  const auto in_time = [&] { return recipe.minutes == 0 || watch_time.seconds() < 60 * recipe.minutes; };
  const auto reached = [&] {
    return trainer.best().wrong == 0 && recipe.stop_margin < 0.5 && trainer.best().margin >= recipe.stop_margin;
  };
  const double started_at = progress();
  while (progress() < 1 && in_time() && !reached()) {
    const EpochOutcome epoch = run_epoch(progress());
    nlohmann::ordered_json line = {{"epoch", trainer.epochs_done()},
                                   {"loss", epoch.loss},
                                   {"rate", epoch.rate},
                                   {"steps", epoch.steps},
                                   {"hard_points", epoch.hard}};
    const bool last = recipe.epochs > 0 && trainer.epochs_done() >= recipe.epochs;
    if (trainer.epochs_done() % recipe.count_every == 0 || last) {
      const PointCount counted = trainer.count_now();
      line.update({{"wrong", counted.wrong}, {"margin", counted.margin}, {"best_wrong", trainer.best().wrong}});
    }
    const double seconds = watch_time.seconds();
    line["seconds"] = seconds;
    metrics.write(line);
    if (trainer.epochs_done() % files.checkpoint_every == 0 || last) keep();
    if (watch) {
      const double share = progress(), pace = (seconds - before) / std::max(share - started_at, 1e-9);
      const double left = recipe.minutes > 0 ? 60 * recipe.minutes - seconds : (1 - share) * pace;
      watch({trainer.epochs_done(), recipe.epochs, epoch.loss, epoch.rate, trainer.best().wrong, trainer.points(),
             trainer.best().margin, seconds, std::max(left, 0.0)});
    }
  }
  trainer.count_now();
  keep();

  TrainingOutcome outcome{trainer.network(), trainer.epochs_done(), watch_time.seconds(), trainer.best()};
  outcome.onn.provenance = {method_of(recipe, device), "", recipe.seed, outcome.seconds};
  return outcome;
}

}  // namespace helio::train
