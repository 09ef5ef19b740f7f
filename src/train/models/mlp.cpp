// SPDX-License-Identifier: Apache-2.0
#include "train/models/mlp.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>

#include "train/training_memory.h"

namespace helio::train {
namespace {

class Mlp : public Model {
 public:
  Mlp(const ModelSpec& spec, int servers, const at::Device& device, at::ScalarType precision, std::uint64_t seed)
      : Model(precision, false), layers_(static_cast<std::size_t>(spec.layers) + 1) {
    std::vector<ParameterSpec> parameters;
    std::int64_t in = spec.channels * spec.side * spec.side;
    for (std::size_t i = 0; i < layers_; ++i) {
      const bool last = i + 1 == layers_;
      const std::int64_t out = last ? spec.classes : spec.width;
      const double sigma = std::sqrt((last ? 1.0 : 2.0) / static_cast<double>(in));
      parameters.push_back({fmt::format("layer{}.weight", i), {out, in}, 0, sigma});
      parameters.push_back({fmt::format("layer{}.bias", i), {out}, 0, 0, false});
      in = out;
    }
    parameters_ = std::make_unique<Parameters>(std::move(parameters), servers, device, precision, seed);
  }

 private:
  at::Tensor forward(const at::Tensor& inputs, Pass) override {
    at::Tensor x = inputs.flatten(1);
    for (std::size_t i = 0; i < layers_; ++i) {
      x = linear(*parameters_, 2 * i, 2 * i + 1, x);
      if (i + 1 < layers_) x = at::relu(x);
    }
    return x;
  }

  std::size_t layers_;
};

// Numbers of all layers with the gaps between them, before there are any: sizes may be past 64 bits.
double size_of(const ModelSpec& spec) {
  const auto filled = [](double count) {
    return std::ceil(count / static_cast<double>(Parameters::kAlignment)) * static_cast<double>(Parameters::kAlignment);
  };
  const auto layer = [&](double in, double out) { return filled(in * out) + filled(out); };
  const auto width = static_cast<double>(spec.width), classes = static_cast<double>(spec.classes);
  const double in =
      static_cast<double>(spec.channels) * static_cast<double>(spec.side) * static_cast<double>(spec.side);
  return layer(in, width) + static_cast<double>(spec.layers - 1) * layer(width, width) + layer(width, classes);
}

}  // namespace

std::unique_ptr<Model> make_mlp(const ModelSpec& spec, int servers, const at::Device& device, at::ScalarType precision,
                                std::uint64_t seed) {
  check_memory(size_of(spec), servers, device);
  return std::make_unique<Mlp>(spec, servers, device, precision, seed);
}

}  // namespace helio::train
