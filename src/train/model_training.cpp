// SPDX-License-Identifier: Apache-2.0
#include "train/model_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/error.h"
#include "train/metrics.h"
#include "train/metrics_table.h"
#include "train/safe_file.h"
#include "train/stopwatch.h"

namespace helio::train {
namespace {

constexpr std::int64_t kNewsEvery = 20;  // steps between two looks at the loss, which wait for the device

constexpr std::int64_t kMeasuredOften =
    1 << 22;  // parameters up to which the exchange is measured at every look, not only at the end

}  // namespace

ModelOutcome train_model(const ModelRecipe& recipe, const at::Device& device, const ModelFiles& files,
                         const std::function<void(const ModelNews&)>& watch) {
  if (!files.csv.empty() && files.metrics.empty())
    throw Error(ErrorKind::kUsage, "a table of metrics is made from the JSON lines, and there are none", "--csv",
                "Name a file for them with --metrics");
  ServerTrainer trainer(recipe, device);
  const std::int64_t per_epoch = trainer.steps_per_epoch();

  // Where a training stopped, another goes on.
  double before = 0;
  ServerTrainer::Losses epoch;  // of the epoch so far
  if (files.resume || (files.resume_if_there && std::filesystem::exists(files.checkpoint))) {
    const Checkpoint found = load_checkpoint(files.checkpoint, "--resume");
    trainer.read(found, files.checkpoint, "--resume");
    before = found.numbers.value("seconds", 0.0);
    epoch = {found.numbers.value("epoch_loss", 0.0), found.numbers.value("epoch_steps", std::int64_t{0})};
  }
  Metrics metrics;
  if (!files.metrics.empty())
    metrics = Metrics(files.metrics, static_cast<long>(trainer.steps_done() / per_epoch), "--metrics");
  const Stopwatch clock(before);
  const std::int64_t started_at = trainer.steps_done();
  const auto speed = [&] {
    return static_cast<double>((trainer.steps_done() - started_at) * trainer.batch_size()) /
           std::max(clock.seconds() - before, 1e-9);
  };
  const auto keep = [&] {
    Checkpoint checkpoint;
    trainer.write(checkpoint);
    checkpoint.numbers["seconds"] = clock.seconds();
    checkpoint.numbers["epoch_loss"] = epoch.sum;
    checkpoint.numbers["epoch_steps"] = epoch.steps;
    save(checkpoint, files.checkpoint, "--checkpoint");
  };

  // Steps, with a look at the held-out examples after every epoch.
  ModelOutcome outcome{.parameters = trainer.model().parameters().count(), .steps = trainer.steps()};
  outcome.exchange = trainer.exchange().describe();
  const auto every = std::max<std::int64_t>(1, std::llround(files.checkpoint_every * static_cast<double>(per_epoch)));
  double accuracy = -1;
  Stopwatch epoch_clock;
  while (trainer.steps_done() < trainer.steps()) {
    const double rate = trainer.rate();
    trainer.run_step();
    const std::int64_t done = trainer.steps_done();
    const bool last = done == trainer.steps(), epoch_ends = done % per_epoch == 0 || last;
    const bool out_of_time = epoch_ends && files.minutes > 0 && clock.seconds() - before >= 60 * files.minutes;
    const bool keeps = !files.checkpoint.empty() && (done % every == 0 || last || out_of_time);
    if (done % kNewsEvery != 0 && !epoch_ends && !keeps) continue;

    // News
    const ServerTrainer::Losses taken = trainer.take_losses();
    epoch.sum += taken.sum;
    epoch.steps += taken.steps;
    const double seconds = clock.seconds();
    if (watch)
      watch({.step = done,
             .steps = trainer.steps(),
             .epoch = static_cast<double>(done) / static_cast<double>(per_epoch),
             .loss = taken.sum / static_cast<double>(taken.steps),
             .rate = rate,
             .accuracy = accuracy,
             .examples_per_s = speed(),
             .seconds = seconds,
             .seconds_left = (seconds - before) / static_cast<double>(done - started_at) *
                             static_cast<double>(trainer.steps() - done)});

    // The epoch's line
    if (epoch_ends) {
      const double pace = static_cast<double>(epoch.steps * trainer.batch_size()) / epoch_clock.seconds();
      outcome.loss = epoch.sum / static_cast<double>(epoch.steps);
      const std::int64_t number = (done + per_epoch - 1) / per_epoch;
      nlohmann::ordered_json line = {{"epoch", number}, {"step", done}, {"loss", outcome.loss}, {"rate", rate}};
      if (number % files.evaluate_every == 0 || last) {
        outcome.held_out = trainer.evaluate();
        accuracy = outcome.held_out.accuracy;
        line["held_out_loss"] = outcome.held_out.loss;
        line["accuracy"] = accuracy;
        if (last || trainer.model().parameters().length() <= kMeasuredOften) line.update(trainer.measured());
      }
      line["examples_per_s"] = pace;
      line["seconds"] = clock.seconds();
      metrics.write(line);
      outcome.lines.push_back(line);
      if (!files.csv.empty()) replace_file(files.csv, table_of_lines(read_bytes(files.metrics, "--metrics")), "--csv");
      epoch = {};
      epoch_clock = Stopwatch();
    }
    if (keeps) keep();
    if (out_of_time) break;
  }
  if (outcome.held_out.examples == 0) outcome.held_out = trainer.evaluate();

  outcome.steps_done = trainer.steps_done();
  outcome.finished = outcome.steps_done == outcome.steps;
  outcome.seconds = clock.seconds();
  outcome.examples_per_s = trainer.steps_done() > started_at ? speed() : 0;
  return outcome;
}

}  // namespace helio::train
