// SPDX-License-Identifier: Apache-2.0
#include "train/server_trainer.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/json_dump.h"
#include "train/content_hash.h"
#include "train/stopwatch.h"

namespace helio::train {
namespace {

constexpr std::int64_t kHeldOutAtOnce = 1000;  // images
constexpr std::int64_t kWindowsAtOnce = 32;    // of tokens

at::ScalarType type_named(const std::string& precision) { return precision == "bf16" ? at::kBFloat16 : at::kFloat; }

}  // namespace

ServerTrainer::ServerTrainer(const ModelRecipe& recipe, const at::Device& device) : recipe_(recipe), device_(device) {
  recipe_.check();
  make_repeatable();
  const at::ScalarType precision = type_named(recipe_.precision);

  // What there is to learn decides the size of the model's end.
  recipe_.data.seed = recipe_.seed;
  contents_ = {{"--train", contents_of(recipe_.data.train, "--train")},
               {"--test", contents_of(recipe_.data.test, "--test")},
               {"--network", contents_of(recipe_.exchange.networks, "--network")}};
  examples_ = make_examples(recipe_.data, device, precision);
  recipe_.model.classes = examples_->classes();
  recipe_.model.context = recipe_.data.context;
  model_ = make_model(recipe_.model, recipe_.servers, device, precision, recipe_.seed);
  Parameters& parameters = model_->parameters();
  exchange_ = make_exchange(recipe_.exchange, recipe_.servers, parameters.length(), device);
  optimiser_ = std::make_unique<Optimiser>(recipe_, parameters);
  average_ = at::zeros_like(parameters.values());
  losses_ = at::zeros({1}, parameters.values().options().dtype(at::kDouble));

  steps_per_epoch_ = examples_->steps_per_epoch(batch_size());
  if (steps_per_epoch_ == 0)
    throw Error(ErrorKind::kInput,
                fmt::format("{} examples do not fill one step of {} servers with {} each", examples_->size(),
                            recipe_.servers, recipe_.batch),
                "--batch", "Give fewer servers or smaller micro-batches");
  const auto steps_in = [&](double epochs) -> std::int64_t {
    return std::llround(epochs * static_cast<double>(steps_per_epoch_));
  };
  steps_ = std::max<std::int64_t>(1, steps_in(recipe_.epochs));
  warm_ = std::min(steps_in(recipe_.warmup), steps_ - 1);
  recorded_ = std::make_unique<RecordedStep>(device, [this] { forward_and_backward(); });
}

ServerTrainer::~ServerTrainer() = default;

double ServerTrainer::rate() const { return rate_at(recipe_, step_, warm_, steps_); }

void ServerTrainer::load_batch() {
  Batch next = examples_->batch(step_, batch_size());
  if (!batch_.inputs.defined()) {
    batch_ = next;
  } else {
    batch_.inputs.copy_(next.inputs);
    batch_.targets.copy_(next.targets);
  }
}

void ServerTrainer::forward_and_backward() {
  at::AutoGradMode differentiable(true);
  const at::Tensor scores = model_->scores(batch_.inputs, Pass::kTraining).to(at::kFloat);
  // The sum of the servers' mean losses: each server's gradient is that of its own mean.
  const at::Tensor loss =
      at::cross_entropy_loss(scores, batch_.targets, {}, at::Reduction::Mean, -100, recipe_.smoothing);
  (loss * recipe_.servers).backward();
  losses_.add_(loss.detach());
}

void ServerTrainer::run_step() {
  load_batch();
  recorded_->run();
  exchanging(step_ + 1, [&] { exchange_->average(model_->parameters().gradients(), average_); });
  optimiser_->step(average_, step_, rate());
  ++step_;
  ++since_;
}

ServerTrainer::Losses ServerTrainer::take_losses() {
  const Losses taken{losses_.item().toDouble(), since_};
  if (!std::isfinite(taken.sum)) complain("the loss is not a number", step_);
  // A sum of finite numbers is finite in double; a weight that is not spoils it.
  const at::Tensor weights = model_->parameters().values().sum(at::kDouble);
  if (!std::isfinite(weights.item().toDouble())) complain("a weight is not a number", step_);
  losses_.zero_();
  since_ = 0;
  return taken;
}

HeldOut ServerTrainer::evaluate() {
  at::NoGradGuard no_gradients;
  HeldOut found;
  const std::int64_t at_once = model_->reads_tokens() ? kWindowsAtOnce : kHeldOutAtOnce;
  at::Tensor loss = at::zeros_like(losses_), right = at::zeros_like(loss);
  for (std::int64_t first = 0; first < examples_->held_out(); first += at_once) {
    const Batch batch = examples_->held_out_batch(first, std::min(at_once, examples_->held_out() - first));
    const at::Tensor scores = model_->scores(batch.inputs, Pass::kEvaluation).to(at::kFloat);
    loss.add_(at::cross_entropy_loss(scores, batch.targets, {}, at::Reduction::Sum));
    right.add_(scores.argmax(1).eq(batch.targets).sum());
    found.examples += batch.targets.numel();
  }
  const double examples = static_cast<double>(std::max<std::int64_t>(found.examples, 1));
  found.loss = loss.item().toDouble() / examples;
  found.accuracy = right.item().toDouble() / examples;
  if (!std::isfinite(found.loss)) complain("the loss of the held-out examples is not a number", step_);
  return found;
}

nlohmann::ordered_json ServerTrainer::measured() {
  nlohmann::ordered_json found;
  exchanging(step_, [&] { found = exchange_->measured(model_->parameters().gradients()); });
  return found;
}

ServerTrainer::StepTimes ServerTrainer::time_steps(int rounds) {
  StepTimes times;
  const auto timed = [&](const std::function<void()>& part) {
    wait_for(device_);
    const Stopwatch watch;
    for (int i = 0; i < rounds; ++i) part();
    wait_for(device_);
    return watch.seconds() / rounds;
  };
  for (int i = 0; i < 5; ++i) run_step();  // libraries choose, the step is recorded
  times.all = timed([&] { run_step(); });
  times.compute = timed([&] {
    load_batch();
    recorded_->run();
  });
  times.exchange =
      timed([&] { exchanging(step_ + 1, [&] { exchange_->average(model_->parameters().gradients(), average_); }); });
  times.optimiser = timed([&] { optimiser_->step(average_, step_, 0); });
  return times;
}

void ServerTrainer::exchanging(std::int64_t step, const std::function<void()>& part) const {
  try {
    part();
  } catch (const Error& problem) {
    complain(fmt::format("the exchange cannot carry the gradients ({})", problem.message()), step);
  }
}

void ServerTrainer::complain(const std::string& noticed, std::int64_t step) const {
  // The first parameter that left the finite numbers, and the first server whose gradient of it did.
  const auto finite = [](const at::Tensor& numbers) { return at::isfinite(numbers).all().item().toBool(); };
  const Parameters& parameters = model_->parameters();
  std::string where;
  for (std::size_t k = 0; k < parameters.specs().size() && where.empty(); ++k) {
    const std::string& name = parameters.specs()[k].name;
    for (int i = 0; i < recipe_.servers && where.empty(); ++i)
      if (!finite(parameters.gradient(k).select(0, i))) where = fmt::format("the gradient of {} on server {}", name, i);
    if (where.empty() && !finite(parameters.value(k))) where = name;
  }
  // A look covers the steps since the last one; what the CPU exchanges is noticed in its step.
  const std::int64_t first = step > step_ && device_.is_cpu() ? step : step_ - since_ + 1;
  throw Divergence(
      fmt::format("{} in {}{}", noticed,
                  first >= step ? fmt::format("step {}", step) : fmt::format("one of steps {} to {}", first, step),
                  where.empty() ? "" : fmt::format(": {} left the finite numbers", where)),
      "--rate", "Start anew with a smaller --rate, or set --clip");
}

void ServerTrainer::write(Checkpoint& checkpoint) const {
  checkpoint.about = recipe_.words();
  checkpoint.about["contents"] = contents_;
  checkpoint.numbers["step"] = step_;
  checkpoint.tensors["parameters"] = model_->parameters().values();
  for (std::size_t k = 0; k < model_->statistics().size(); ++k) {
    checkpoint.tensors[fmt::format("statistics.{}.mean", k)] = model_->statistics()[k].mean;
    checkpoint.tensors[fmt::format("statistics.{}.variance", k)] = model_->statistics()[k].variance;
  }
  optimiser_->write(checkpoint);
  exchanging(step_, [&] { exchange_->write(checkpoint); });
}

void ServerTrainer::read(const Checkpoint& checkpoint, const std::string& path, std::string_view place) {
  // The same options, and the same contents of files.
  const nlohmann::json mine = recipe_.words();
  for (const auto& [key, value] : mine.items())
    if (!checkpoint.about.contains(key) || checkpoint.about[key] != value)
      throw Error(
          ErrorKind::kInput,
          fmt::format("the checkpoint '{}' is of another training: its {} is {}, not {}", path, key,
                      checkpoint.about.contains(key) ? json_dump(checkpoint.about[key]) : "missing", json_dump(value)),
          std::string(place), "Resume with the options it was made with, or start anew");
  const nlohmann::json theirs = checkpoint.about.value("contents", nlohmann::json());
  for (const auto& [option, files] : contents_.items())
    if (!theirs.contains(option) || theirs[option] != files)
      throw Error(ErrorKind::kInput,
                  fmt::format("the checkpoint '{}' was made with other contents of the files of {}", path, option),
                  std::string(place), "Resume with the files it was made with, or start anew");

  // Numbers
  const auto take = [&](at::Tensor to, const std::string& name) {
    to.copy_(tensor_of(checkpoint, name, to.sizes(), to.scalar_type(), path, place));
  };
  take(model_->parameters().values(), "parameters");
  model_->parameters().refresh();
  for (std::size_t k = 0; k < model_->statistics().size(); ++k) {
    take(model_->statistics()[k].mean, fmt::format("statistics.{}.mean", k));
    take(model_->statistics()[k].variance, fmt::format("statistics.{}.variance", k));
  }
  optimiser_->read(checkpoint, path, place);
  exchange_->read(checkpoint, path, place);
  step_ = whole_number_of(checkpoint, "step", steps_, path, place);
}

}  // namespace helio::train
