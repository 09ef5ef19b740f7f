// SPDX-License-Identifier: Apache-2.0
#include "train/mlp.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>

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

}  // namespace

std::unique_ptr<Model> make_mlp(const ModelSpec& spec, int servers, const at::Device& device, at::ScalarType precision,
                                std::uint64_t seed) {
  return std::make_unique<Mlp>(spec, servers, device, precision, seed);
}

}  // namespace helio::train
