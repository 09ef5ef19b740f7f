// SPDX-License-Identifier: Apache-2.0
#include "train/models/resnet.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "train/training_memory.h"

namespace helio::train {
namespace {

// A convolution and the batch norm after it; the shift is the parameter after the scale.
struct Layer {
  std::size_t weight = 0, scale = 0, statistics = 0;
  std::int64_t stride = 1, padding = 0;
};

struct Block {
  std::vector<Layer> path;
  std::vector<Layer> side;  // none or one
};

class ResNet : public Model {
 public:
  ResNet(const ModelSpec& spec, int servers, const at::Device& device, at::ScalarType precision, std::uint64_t seed)
      : Model(precision, false) {
    const bool bottleneck = spec.name == "resnet50";
    const std::int64_t expansion = bottleneck ? 4 : 1;
    stem_ = add("stem", spec.channels, spec.width, 3, 1, 1);

    // Four stages; each halves the image but the first.
    std::int64_t in = spec.width;
    for (int stage = 0; stage < 4; ++stage) {
      const int blocks = bottleneck ? std::array{3, 4, 6, 3}[static_cast<std::size_t>(stage)] : 2;
      for (int i = 0; i < blocks; ++i) {
        const std::string name = fmt::format("stage{}.{}", stage + 1, i);
        const std::int64_t stride = stage > 0 && i == 0 ? 2 : 1, inner = spec.width << stage, out = inner * expansion;
        Block block;
        if (bottleneck)
          block.path = {add(name + ".1", in, inner, 1, 1, 1), add(name + ".2", inner, inner, 3, stride, 1),
                        add(name + ".3", inner, out, 1, 1, 0)};
        else
          block.path = {add(name + ".1", in, inner, 3, stride, 1), add(name + ".2", inner, out, 3, 1, 0)};
        if (stride != 1 || in != out) block.side = {add(name + ".side", in, out, 1, stride, 1)};
        blocks_.push_back(std::move(block));
        in = out;
      }
    }
    last_ = specs_.size();
    specs_.push_back({"last.weight", {spec.classes, in}, 0, std::sqrt(1.0 / (3.0 * static_cast<double>(in)))});
    specs_.push_back({"last.bias", {spec.classes}, 0, 0, false});

    // Memory on the device.
    for (const std::int64_t channels : statistics_channels_) {
      const auto options = at::TensorOptions(device).dtype(at::kFloat);
      statistics_.push_back({at::zeros({servers, channels}, options), at::ones({servers, channels}, options)});
    }
    parameters_ = std::make_unique<Parameters>(std::move(specs_), servers, device, precision, seed);
  }

 private:
  Layer add(const std::string& name, std::int64_t in, std::int64_t out, std::int64_t side, std::int64_t stride,
            double scale) {
    const double sigma = std::sqrt(2.0 / static_cast<double>(out * side * side));
    const Layer layer{specs_.size(), specs_.size() + 1, statistics_channels_.size(), stride, side / 2};
    specs_.push_back({name + ".weight", {out, in, side, side}, 0, sigma});
    specs_.push_back({name + ".scale", {out}, scale, 0, false, false});
    specs_.push_back({name + ".shift", {out}, 0, 0, false, false});
    statistics_channels_.push_back(out);
    return layer;
  }

  at::Tensor through(const Layer& layer, const at::Tensor& x, const at::Tensor& residual, bool relu, Pass pass) {
    const at::Tensor y = conv2d(*parameters_, layer.weight, x, layer.stride, layer.padding);
    return batch_norm(*parameters_, layer.scale, statistics_[layer.statistics], y, residual, relu, pass);
  }

  at::Tensor forward(const at::Tensor& inputs, Pass pass) override {
    at::Tensor x = through(stem_, inputs, {}, true, pass);
    for (const Block& block : blocks_) {
      const at::Tensor side = block.side.empty() ? x : through(block.side.front(), x, {}, false, pass);
      for (std::size_t i = 0; i + 1 < block.path.size(); ++i) x = through(block.path[i], x, {}, true, pass);
      x = through(block.path.back(), x, side, true, pass);
    }
    return linear(*parameters_, last_, last_ + 1, x.mean({2, 3}));
  }

  Layer stem_;
  std::vector<Block> blocks_;
  std::size_t last_ = 0;              // its weight; the bias follows
  std::vector<ParameterSpec> specs_;  // while the network is put together
  std::vector<std::int64_t> statistics_channels_;
};

// The widest layer alone, before there is any: sizes may be past 64 bits.
double least_size_of(const ModelSpec& spec) {
  const double widest = 8 * static_cast<double>(spec.width);
  return 9 * widest * widest;
}

}  // namespace

std::unique_ptr<Model> make_resnet(const ModelSpec& spec, int servers, const at::Device& device,
                                   at::ScalarType precision, std::uint64_t seed) {
  check_memory(least_size_of(spec), servers, device);
  return std::make_unique<ResNet>(spec, servers, device, precision, seed);
}

}  // namespace helio::train
