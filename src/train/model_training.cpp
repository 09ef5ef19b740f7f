// SPDX-License-Identifier: Apache-2.0
#include "train/model_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/file.h"
#include "train/distinct_files.h"
#include "train/metrics.h"
#include "train/metrics_table.h"
#include "train/stopwatch.h"

namespace helio::train {
namespace {

constexpr std::int64_t kNewsEvery = 20;  // steps between two looks at the loss, which wait for the device

constexpr std::int64_t kMeasuredOften =
    1 << 22;  // parameters up to which the exchange is measured at every look, not only at the end

// The table of metrics: the same columns in every row, whatever the row's epoch looked at.
class Table {
 public:
  Table(const ModelFiles& files, ServerTrainer& trainer) : files_(files) {
    if (files_.csv.empty()) return;
    columns_ = {"epoch", "step", "loss", "rate", "held_out_loss", "accuracy"};
    // What the exchange will measure is known from a measurement; gradients are still zero.
    const nlohmann::ordered_json measured = trainer.measured();
    for (const auto& [key, value] : measured.items()) columns_.push_back(key);
    columns_.insert(columns_.end(), {"examples_per_s", "seconds"});
    write();
  }
  void write() const {
    if (!files_.csv.empty())
      write_file(files_.csv, table_of_lines(read_bytes(files_.metrics, "--metrics"), columns_), "--csv");
  }

 private:
  const ModelFiles& files_;
  std::vector<std::string> columns_;
};

// Two trainings that keep their steps in one file would lose those of the other.
std::unique_ptr<FileLock> lock_of(const ModelFiles& files) {
  return files.checkpoint.empty() ? nullptr : std::make_unique<FileLock>(files.checkpoint, "--checkpoint");
}

class ModelTraining {
 public:
  ModelTraining(const ModelRecipe& recipe, const at::Device& device, const ModelFiles& files)
      : files_(files), lock_(lock_of(files)), trainer_(recipe, device) {
    resume();
  }

  ModelOutcome run(const std::function<void(const ModelNews&)>& watch);

 private:
  void resume();
  void keep();
  void end_epoch(double rate, bool last);
  void tell(const std::function<void(const ModelNews&)>& watch, const ServerTrainer::Losses& taken, double rate) const;
  double speed() const {
    return static_cast<double>((trainer_.steps_done() - outcome_.steps_before) * trainer_.batch_size()) /
           std::max(clock_.seconds() - before_, 1e-9);
  }
  void train(const std::function<void(const ModelNews&)>& watch);

  const ModelFiles& files_;
  std::unique_ptr<FileLock> lock_;
  ServerTrainer trainer_;
  double before_ = 0;            // seconds, before the resume
  ServerTrainer::Losses epoch_;  // of the epoch so far
  double accuracy_ = -1;
  std::int64_t kept_step_ = 0;  // of the last checkpoint, 0: none
  ModelOutcome outcome_;
  Metrics metrics_;
  Stopwatch clock_, epoch_clock_;
};

// Where a training stopped, another goes on.
void ModelTraining::resume() {
  if (!files_.resume && !(files_.resume_if_there && std::filesystem::exists(files_.checkpoint))) return;
  const Checkpoint found = load_checkpoint(files_.checkpoint, files_.resuming_option());
  trainer_.read(found, files_.checkpoint, files_.resuming_option());
  const std::string &path = files_.checkpoint, place = files_.resuming_option();
  const auto number = [&](const char* name) { return number_of(found, name, path, place); };
  before_ = number("seconds");
  epoch_ = {number("epoch_loss"), whole_number_of(found, "epoch_steps", trainer_.steps(), path, place)};
  outcome_.loss = number("loss");
  outcome_.examples_per_s = number("examples_per_s");
  outcome_.steps_before = kept_step_ = trainer_.steps_done();
}

void ModelTraining::keep() {
  Checkpoint checkpoint;
  trainer_.write(checkpoint);
  checkpoint.numbers["seconds"] = clock_.seconds();
  checkpoint.numbers["epoch_loss"] = epoch_.sum;
  checkpoint.numbers["epoch_steps"] = epoch_.steps;
  checkpoint.numbers["loss"] = outcome_.loss;
  checkpoint.numbers["examples_per_s"] = speed();
  save(checkpoint, files_.checkpoint, "--checkpoint");
  kept_step_ = trainer_.steps_done();
}

void ModelTraining::tell(const std::function<void(const ModelNews&)>& watch, const ServerTrainer::Losses& taken,
                         double rate) const {
  const std::int64_t done = trainer_.steps_done();
  const double seconds = clock_.seconds();
  watch({.step = done,
         .steps = trainer_.steps(),
         .epoch = static_cast<double>(done) / static_cast<double>(trainer_.steps_per_epoch()),
         .loss = taken.sum / static_cast<double>(taken.steps),
         .rate = rate,
         .accuracy = accuracy_,
         .examples_per_s = speed(),
         .seconds = seconds,
         .seconds_left = (seconds - before_) / static_cast<double>(done - outcome_.steps_before) *
                         static_cast<double>(trainer_.steps() - done)});
}

// The epoch's line, with a look at the held-out examples.
void ModelTraining::end_epoch(double rate, bool last) {
  const std::int64_t done = trainer_.steps_done(), per_epoch = trainer_.steps_per_epoch();
  const double pace = static_cast<double>(epoch_.steps * trainer_.batch_size()) / epoch_clock_.seconds();
  const std::int64_t number = (done + per_epoch - 1) / per_epoch;
  outcome_.loss = epoch_.sum / static_cast<double>(epoch_.steps);
  nlohmann::ordered_json line = {{"epoch", number}, {"step", done}, {"loss", outcome_.loss}, {"rate", rate}};
  if (number % files_.evaluate_every == 0 || last) {
    outcome_.held_out = trainer_.evaluate();
    accuracy_ = outcome_.held_out.accuracy;
    line["held_out_loss"] = outcome_.held_out.loss;
    line["accuracy"] = accuracy_;
    if (last || trainer_.model().parameters().length() <= kMeasuredOften) line.update(trainer_.measured());
  } else {
    outcome_.held_out = {};
  }
  line["examples_per_s"] = pace;
  line["seconds"] = clock_.seconds();
  metrics_.write(line);
  outcome_.lines.push_back(line);
  epoch_ = {};
  epoch_clock_ = Stopwatch();
}

void ModelTraining::train(const std::function<void(const ModelNews&)>& watch) {
  const std::int64_t per_epoch = trainer_.steps_per_epoch(), steps = trainer_.steps();
  // A finished training's last line may be of a part of an epoch.
  const std::int64_t begun = trainer_.steps_done() == steps ? per_epoch - 1 : 0;
  if (!files_.metrics.empty())
    metrics_ = Metrics(files_.metrics, static_cast<long>((trainer_.steps_done() + begun) / per_epoch), "--metrics");
  const Table table(files_, trainer_);
  const double wanted = std::min(files_.checkpoint_every * static_cast<double>(per_epoch), static_cast<double>(steps));
  const auto every = std::max<std::int64_t>(1, std::llround(wanted));
  clock_ = Stopwatch(before_);
  epoch_clock_ = Stopwatch();
  while (trainer_.steps_done() < steps) {
    const double rate = trainer_.rate();
    trainer_.run_step();
    const std::int64_t done = trainer_.steps_done();
    const bool last = done == steps, epoch_ends = done % per_epoch == 0 || last;
    const bool out_of_time = epoch_ends && files_.minutes > 0 && clock_.seconds() - before_ >= 60 * files_.minutes;
    const bool keeps = !files_.checkpoint.empty() && (done % every == 0 || last || out_of_time);
    if (done % kNewsEvery != 0 && !epoch_ends && !keeps) continue;

    const ServerTrainer::Losses taken = trainer_.take_losses();
    epoch_.sum += taken.sum;
    epoch_.steps += taken.steps;
    if (watch) tell(watch, taken, rate);
    if (epoch_ends) {
      end_epoch(rate, last);
      table.write();
    }
    if (keeps) keep();
    if (out_of_time) break;
  }
  if (outcome_.held_out.examples == 0) outcome_.held_out = trainer_.evaluate();
}

ModelOutcome ModelTraining::run(const std::function<void(const ModelNews&)>& watch) {
  outcome_.parameters = trainer_.model().parameters().count();
  outcome_.steps = trainer_.steps();
  outcome_.exchange = trainer_.exchange().describe();
  try {
    train(watch);
  } catch (const Divergence& problem) {
    throw problem.keeping(files_.checkpoint, kept_step_ > 0 ? fmt::format("step {}", kept_step_) : "");
  }
  outcome_.steps_done = trainer_.steps_done();
  outcome_.finished = outcome_.steps_done == outcome_.steps;
  const bool trained = outcome_.steps_done > outcome_.steps_before;
  outcome_.seconds = trained ? clock_.seconds() : before_;
  if (trained) outcome_.examples_per_s = speed();
  return std::move(outcome_);
}

}  // namespace

void ModelFiles::check(const ModelRecipe& recipe) const {
  if (!csv.empty() && metrics.empty())
    throw Error(ErrorKind::kUsage, "a table of metrics is made from the JSON lines, and there are none", "--csv",
                "Name a file for them with --metrics");
  const auto wrong = [](const char* option, double value, const char* what) {
    return Error(ErrorKind::kInput, fmt::format("{} {}", value, what), option, "Give a number above 0");
  };
  if (!std::isfinite(minutes) || minutes < 0) throw wrong("--minutes", minutes, "minutes are no time to stop after");
  if (!std::isfinite(checkpoint_every) || checkpoint_every <= 0)
    throw wrong("--checkpoint-every", checkpoint_every, "epochs between checkpoints");
  if (evaluate_every < 1)
    throw wrong("--evaluate-every", static_cast<double>(evaluate_every), "epochs between two looks");

  // Every file its own.
  std::vector<NamedFile> all;
  for (const std::string& file : recipe.data.train) all.push_back({"--train", file});
  for (const std::string& file : recipe.data.test) all.push_back({"--test", file, FileUse::kHeldOut});
  for (const std::string& file : recipe.exchange.networks) all.push_back({"--network", file});
  for (const auto& [option, file] : {std::pair("--checkpoint", checkpoint), {"--metrics", metrics}, {"--csv", csv}})
    all.push_back({option, file, FileUse::kWritten});
  refuse_shared_files(all);
}

ModelOutcome train_model(const ModelRecipe& recipe, const at::Device& device, const ModelFiles& files,
                         const std::function<void(const ModelNews&)>& watch) {
  files.check(recipe);
  return ModelTraining(recipe, device, files).run(watch);
}

}  // namespace helio::train
