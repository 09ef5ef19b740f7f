// SPDX-License-Identifier: Apache-2.0
#include "train/model_recipe.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "base/error.h"

namespace helio::train {
namespace {

// Past these a training ends never, and numbers of steps and examples need not fit 64 bits.
constexpr int kMostServers = 1'000'000;
constexpr std::int64_t kMostExamples = 1'000'000'000;
constexpr double kMostEpochs = 1e9;

void expect(bool good, std::string_view option, const std::string& what, const std::string& advice) {
  if (!good) throw Error(ErrorKind::kInput, what, std::string(option), advice);
}

}  // namespace

void ModelRecipe::check() const {
  expect(servers >= 1, "--servers", fmt::format("{} servers train nothing", servers), "Give 1 or more");
  expect(servers <= kMostServers, "--servers", fmt::format("{} servers are too many for one process", servers),
         fmt::format("Give at most {}", kMostServers));
  expect(batch >= 1, "--batch", fmt::format("a micro-batch of {} examples teaches nothing", batch), "Give 1 or more");
  expect(batch <= kMostExamples, "--batch", fmt::format("a micro-batch of {} examples fits no memory", batch),
         fmt::format("Give at most {}", kMostExamples));
  expect(epochs > 0, "--epochs", fmt::format("{} epochs are none", epochs), "Give a number above 0");
  expect(epochs <= kMostEpochs, "--epochs", fmt::format("{} epochs never end", epochs),
         fmt::format("Give at most {:g}", kMostEpochs));
  expect(data.made_images <= kMostExamples, "--made-images",
         fmt::format("{} made images fit no memory", data.made_images), fmt::format("Give at most {}", kMostExamples));
  expect(warmup >= 0 && warmup < epochs, "--warmup",
         fmt::format("a warm-up of {} epochs does not fit into {}", warmup, epochs), "Give 0, or less than --epochs");
  constexpr double kMostFloat = std::numeric_limits<float>::max();
  for (const auto& [option, value] : {std::pair("--rate", rate), {"--decay", decay}, {"--clip", clip}})
    expect(!(value > kMostFloat), option, fmt::format("{} is more than float32 can hold", value), "Give less");
  expect(std::isfinite(rate) && rate > 0, "--rate", fmt::format("a learning rate of {} moves nothing", rate),
         "Give a number above 0");
  expect(floor >= 0 && floor <= 1, "--floor", fmt::format("{} is no share of the rate", floor), "Give 0 to 1");
  expect(momentum >= 0 && momentum < 1, "--momentum", fmt::format("a momentum of {} never settles", momentum),
         "Give 0 or more and less than 1");
  expect(second >= 0 && second < 1, "--second", fmt::format("a mean with the weight {} never settles", second),
         "Give 0 or more and less than 1");
  expect(decay >= 0 && std::isfinite(decay), "--decay", fmt::format("{} is no weight decay", decay), "Give 0 or more");
  expect(smoothing >= 0 && smoothing < 1, "--smoothing", fmt::format("{} is no smoothing of labels", smoothing),
         "Give 0 or more and less than 1");
  expect(clip >= 0 && std::isfinite(clip), "--clip", fmt::format("{} is no norm", clip), "Give 0 (none) or more");
  if (optimiser != "sgd" && optimiser != "adamw")
    throw unknown_name("optimiser", optimiser, {"sgd", "adamw"}, "--optimiser");
  if (precision != "float" && precision != "bf16")
    throw unknown_name("precision", precision, {"float", "bf16"}, "--precision");
  const bool language = model.name == "llama";
  expect(language == (data.format == "tokens"), "--data",
         fmt::format("{} does not read {}", model.name, data.format == "tokens" ? "tokens" : "images"),
         language ? "Give --data tokens" : "Give --data cifar10, cifar100 or made");
}

nlohmann::json ModelRecipe::words() const {
  return {{"model", model.words()},
          {"exchange", exchange.words()},
          {"data", data.words()},
          {"servers", servers},
          {"batch", batch},
          {"epochs", epochs},
          {"seed", seed},
          {"precision", precision},
          {"optimiser", optimiser},
          {"rate", rate},
          {"floor", floor},
          {"warmup", warmup},
          {"momentum", momentum},
          {"second", second},
          {"decay", decay},
          {"smoothing", smoothing},
          {"clip", clip}};
}

double rate_at(const ModelRecipe& recipe, std::int64_t step, std::int64_t warm, std::int64_t steps) {
  if (step < warm) return recipe.rate * static_cast<double>(step + 1) / static_cast<double>(warm);
  const double share = static_cast<double>(step - warm) / static_cast<double>(std::max<std::int64_t>(steps - warm, 1));
  const double fall = 0.5 * (1 + std::cos(std::numbers::pi * share));
  return recipe.rate * (recipe.floor + (1 - recipe.floor) * fall);
}

}  // namespace helio::train
