// SPDX-License-Identifier: Apache-2.0
#include "train/networks/onn_trainer.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "base/error.h"
#include "base/json_dump.h"
#include "base/random.h"
#include "train/networks/orthogonal.h"

namespace helio::train {

OnnTrainer::OnnTrainer(const OnnRecipe& recipe, const at::Device& device)
    : recipe_(recipe),
      device_(device),
      points_(all_points(recipe.task, device)),
      layout_(recipe),
      flat_(layout_.start(recipe).to(device)),
      gradient_(at::zeros_like(flat_)),
      averaged_(flat_.clone()),
      best_(flat_.clone()),
      last_error_(at::ones({points_.inputs.size(0)}, flat_.options())),
      rate_(at::zeros({1}, flat_.options())),
      loss_(at::zeros({1}, flat_.options())),
      adam_(flat_),
      model_(recipe_, layout_, flat_, gradient_) {
  if (!recipe_.noise.none()) errors_ = at::zeros_like(flat_);
  best_count_.wrong = points() + 1;  // nothing was counted yet
}

at::Tensor OnnTrainer::order_of_epoch(std::int64_t batch, std::int64_t* hard) {
  at::manual_seed(Random(recipe_.seed).split(static_cast<std::uint64_t>(epoch_) + 1000).next());
  const at::TensorOptions indices = flat_.options().dtype(at::kLong);
  std::vector<at::Tensor> shown{at::arange(points(), indices)};
  const at::Tensor again = last_error_.gt(recipe_.hard_error).nonzero().squeeze(1);
  *hard = again.size(0);
  // While most points are hard all are alike: no use in showing them twice.
  if (*hard > 0 && *hard < points() / 2) shown.insert(shown.end(), static_cast<std::size_t>(recipe_.replay), again);
  at::Tensor order = at::cat(shown);
  // The last batch is filled up with points drawn at random.
  const std::int64_t missing = (batch - order.size(0) % batch) % batch;
  if (missing > 0) order = at::cat({order, at::randint(points(), {missing}, indices)});
  return order.index_select(0, at::randperm(order.size(0), indices));
}

void OnnTrainer::step() {
  const at::Tensor symbols = points_.symbols.index_select(0, batch_);
  const at::Tensor outputs = model_.forward(points_.inputs.index_select(0, batch_), errors_);

  // An output beyond the highest or lowest symbol is read as that symbol: no error where it should be one.
  const at::Tensor error = outputs.clamp(0, points_.top).sub_(symbols), size = error.abs();
  const at::Tensor beyond = recipe_.slack > 0 ? at::softshrink(error, recipe_.slack) : error;
  const at::Tensor weight = size.gt(recipe_.hard_error).to(at::kFloat).mul_(recipe_.hard_weight - 1).add_(1);
  const at::Tensor slope = beyond * weight;
  loss_.add_((slope * beyond).mean());
  last_error_.index_copy_(0, batch_, size.amax(1));

  model_.backward(slope.mul_(2.0 / static_cast<double>(slope.numel())));
  adam_.step(flat_, gradient_, rate_);
  for (at::Tensor& rotations : layout_.rotations(flat_)) retract(rotations);
  averaged_.lerp_(flat_, 1 - recipe_.averaging);
}

EpochOutcome OnnTrainer::run_epoch(double progress) {
  allow_short_products(true);
  EpochOutcome outcome;
  outcome.rate = rate_at(recipe_, progress);
  const std::int64_t batch = std::min<std::int64_t>(batch_at(recipe_, progress), points());
  if (!batch_.defined() || batch_.size(0) != batch) {
    batch_ = at::zeros({batch}, flat_.options().dtype(at::kLong));
    recorded_ = std::make_unique<RecordedStep>(device_, [this] { step(); });
  }

  const at::Tensor order = order_of_epoch(batch, &outcome.hard);
  loss_.zero_();
  for (std::int64_t at = 0; at < order.size(0); at += batch, ++outcome.steps) {
    batch_.copy_(order.narrow(0, at, batch));
    rate_.fill_(Adam::corrected_rate(outcome.rate, ++step_));
    if (errors_.defined()) errors_.normal_();
    recorded_->run();
  }
  outcome.loss = loss_.item().toDouble() / static_cast<double>(outcome.steps);
  if (!std::isfinite(outcome.loss) || !std::isfinite(flat_.sum().item().toDouble())) complain_of_nan();

  // Dense steps, then back to blocks once an epoch.
  if (recipe_.structure == TrainedStructure::kProj) layout_.settle(flat_);
  ++epoch_;
  return outcome;
}

PointCount OnnTrainer::count_of(const at::Tensor& candidate) {
  const at::Tensor kept = flat_.clone();
  flat_.copy_(candidate);
  layout_.settle(flat_);
  const PointCount counted = count(points_, [this](const at::Tensor& inputs) { return model_.forward(inputs); });
  if (std::pair(-counted.wrong, counted.margin) > std::pair(-best_count_.wrong, best_count_.margin)) {
    best_count_ = counted;
    best_.copy_(flat_);
  }
  flat_.copy_(kept);
  return counted;
}

PointCount OnnTrainer::count_now() {
  allow_short_products(false);
  const PointCount last = count_of(flat_), averaged = count_of(averaged_);
  return averaged.wrong < last.wrong || (averaged.wrong == last.wrong && averaged.margin > last.margin) ? averaged
                                                                                                        : last;
}

void OnnTrainer::complain_of_nan() const {
  std::string where = "the outputs";
  const std::vector<LayerParts> values = layout_.parts(flat_);
  for (std::size_t i = values.size(); i-- > 0;)
    for (const at::Tensor& part : {values[i].weights, values[i].rotations, values[i].scales, values[i].bias})
      if (part.defined() && !at::isfinite(part).all().item().toBool()) where = fmt::format("layer {}", i);
  throw Divergence(fmt::format("the loss is not a number in epoch {}: {} left the finite numbers", epoch_ + 1, where),
                   "--rate", "Give a smaller --rate");
}

void OnnTrainer::write(Checkpoint& checkpoint) const {
  checkpoint.about = recipe_.words();
  checkpoint.numbers["epoch"] = epoch_;
  checkpoint.numbers["step"] = step_;
  checkpoint.numbers["best_wrong"] = best_count_.wrong;
  checkpoint.numbers["best_margin"] = best_count_.margin;
  checkpoint.numbers["best_error"] = best_count_.mean_squared_error;
  checkpoint.tensors = {{"parameters", flat_},   {"first", adam_.first}, {"second", adam_.second},
                        {"averaged", averaged_}, {"best", best_},        {"last_error", last_error_}};
}

void OnnTrainer::read(const Checkpoint& checkpoint, const std::string& path, std::string_view place) {
  // The network that is kept there must be this one.
  const nlohmann::json shape = recipe_.shape();
  for (const auto& [key, value] : shape.items())
    if (!checkpoint.about.contains(key) || checkpoint.about[key] != value)
      throw Error(
          ErrorKind::kInput,
          fmt::format("the checkpoint '{}' is of another shape: its {} is {}, not {}", path, key,
                      checkpoint.about.contains(key) ? json_dump(checkpoint.about[key]) : "missing", json_dump(value)),
          std::string(place), "Resume with the options it was made with, or start anew");
  const std::vector<std::pair<const char*, at::Tensor*>> kept = {
      {"parameters", &flat_},   {"first", &adam_.first}, {"second", &adam_.second},
      {"averaged", &averaged_}, {"best", &best_},        {"last_error", &last_error_}};
  for (const auto& [name, to] : kept)
    to->copy_(tensor_of(checkpoint, name, to->sizes(), to->scalar_type(), path, place));
  constexpr long kMost = 1'000'000'000'000;
  epoch_ = whole_number_of(checkpoint, "epoch", kMost, path, place);
  step_ = whole_number_of(checkpoint, "step", kMost, path, place);
  best_count_.wrong = whole_number_of(checkpoint, "best_wrong", points() + 1, path, place);
  best_count_.margin = number_of(checkpoint, "best_margin", path, place);
  best_count_.mean_squared_error = number_of(checkpoint, "best_error", path, place);
}

}  // namespace helio::train
