// SPDX-License-Identifier: Apache-2.0
#include "workload/convolution.h"

#include <stdexcept>
#include <utility>

#include "workload/kernel.h"

namespace helio::workload {
namespace {

double real(std::uint64_t value) { return static_cast<double>(value); }

// Windows that fit along one side.
std::uint64_t extent(const Step& step, std::uint64_t height) {
  const std::uint64_t padded = height + 2 * step.padding;
  if (step.window < 1 || step.stride < 1 || padded < step.window)
    throw std::logic_error("the window of '" + step.name + "' does not fit into its image");
  const std::uint64_t space = padded - step.window;
  return (step.round_up ? (space + step.stride - 1) / step.stride : space / step.stride) + 1;
}

class Builder {
 public:
  // Adds a step to the layer; the image that leaves it. Backward needs the image that enters, and where branches share one,
  // only the first is charged with keeping it (`keep`: 1 or 0).
  Image add(Layer& layer, const Step& step, Image in, double keep) const {
    switch (step.kind) {
      case StepKind::kConvolution: return add_convolution(layer, step, in, keep);
      case StepKind::kMaxPool:
      case StepKind::kAveragePool: return add_pool(layer, step, in, keep);
      case StepKind::kDense: return add_dense(layer, step, in, keep);
      case StepKind::kSum:
      case StepKind::kConcat: return add_branches(layer, step, in, keep);
    }
    throw std::logic_error("a step of no kind");
  }

 private:
  static Image add_convolution(Layer& layer, const Step& step, Image in, double keep) {
    if (in.channels % step.groups != 0 || step.channels % step.groups != 0)
      throw std::logic_error("the groups of '" + step.name + "' do not divide its channels");
    const Image out{step.channels, extent(step, in.height)};
    const std::uint64_t inner = in.channels / step.groups * step.window * step.window;
    layer.parameters += step.channels * (inner + (step.bias ? 1 : 0));
    Kernel kernel = product(step.name, Share::kWhole, real(out.height * out.height), real(step.channels / step.groups),
                            real(inner));
    kernel.batch = real(step.groups);
    kernel.winograd = step.window == 3 && step.stride == 1 && step.groups == 1;
    layer.kernels.push_back(std::move(kernel));
    layer.kept_whole_elements += keep * real(in.elements());
    add_norm_and_activation(layer, step, out);
    return out;
  }

  // Batch norm reads its input for the statistics, then again to write the result, and keeps it; it has a scale and a shift per
  // channel. ReLU reads and writes in place: what it leaves is kept as the next step's input.
  static void add_norm_and_activation(Layer& layer, const Step& step, Image out) {
    const double elements = real(out.elements());
    if (step.norm) {
      layer.parameters += 2 * out.channels;
      layer.kernels.push_back(memory(step.name + " norm", Share::kWhole, 3 * elements));
      layer.kept_whole_elements += elements;
    }
    if (step.activation) layer.kernels.push_back(memory(step.name + " relu", Share::kWhole, 2 * elements));
  }

  // Reads the image and writes the smaller one. A maximum keeps where it was: an index (8 bytes, 4 elements) per output.
  static Image add_pool(Layer& layer, const Step& step, Image in, double keep) {
    const Image out{in.channels, extent(step, in.height)};
    layer.kernels.push_back(memory(step.name, Share::kWhole, real(in.elements() + out.elements())));
    if (step.kind == StepKind::kMaxPool)
      layer.kept_whole_elements += keep * real(in.elements()) + 4 * real(out.elements());
    return out;
  }

  // Dropout before a dense layer reads and writes the image and writes a byte of mask (half an element), which it keeps.
  static Image add_dense(Layer& layer, const Step& step, Image in, double keep) {
    const std::uint64_t inputs = in.elements();
    if (step.dropout) {
      layer.kernels.push_back(memory(step.name + " dropout", Share::kWhole, 2.5 * real(inputs)));
      layer.kept_whole_elements += 0.5 * real(inputs);
    }
    const Image out{step.channels, 1};
    layer.parameters += step.channels * (inputs + (step.bias ? 1 : 0));
    layer.kernels.push_back(product(step.name, Share::kWhole, 1, real(step.channels), real(inputs)));
    layer.kept_whole_elements += keep * real(inputs);
    add_norm_and_activation(layer, step, out);
    return out;
  }

  // A sum reads two images and writes one for each branch after the first, then ReLU in place. Branches side by side are
  // copied together: read once, written once.
  Image add_branches(Layer& layer, const Step& step, Image in, double keep) const {
    Image joined;
    for (const std::vector<Step>& branch : step.branches) {
      const bool first = joined.height == 0;
      Image out = in;
      for (std::size_t i = 0; i < branch.size(); ++i) out = add(layer, branch[i], out, i > 0 ? 1 : first ? keep : 0);
      if (!first && (out.height != joined.height || (step.kind == StepKind::kSum && out.channels != joined.channels)))
        throw std::logic_error("the branches of '" + step.name + "' end in images that do not fit");
      if (step.kind == StepKind::kSum && !first)
        layer.kernels.push_back(memory(step.name + " sum", Share::kWhole, 3 * real(out.elements())));
      joined = {step.kind == StepKind::kConcat ? joined.channels + out.channels : out.channels, out.height};
    }
    if (step.kind == StepKind::kConcat)
      layer.kernels.push_back(memory(step.name + " concat", Share::kWhole, 2 * real(joined.elements())));
    else
      layer.kernels.push_back(memory(step.name + " relu", Share::kWhole, 2 * real(joined.elements())));
    return joined;
  }
};

}  // namespace

Step convolution(std::string name, std::uint64_t channels, std::uint64_t window, std::uint64_t stride,
                 std::uint64_t padding) {
  Step step;
  step.name = std::move(name);
  step.channels = channels;
  step.window = window;
  step.stride = stride;
  step.padding = padding;
  return step;
}

Step normed_convolution(std::string name, std::uint64_t channels, std::uint64_t window, std::uint64_t stride,
                        std::uint64_t padding) {
  Step step = convolution(std::move(name), channels, window, stride, padding);
  step.bias = false;
  step.norm = true;
  return step;
}

Step max_pool(std::string name, std::uint64_t window, std::uint64_t stride, std::uint64_t padding, bool round_up) {
  Step step = convolution(std::move(name), 0, window, stride, padding);
  step.kind = StepKind::kMaxPool;
  step.round_up = round_up;
  return step;
}

Step average_pool(std::string name, std::uint64_t window) {
  Step step = convolution(std::move(name), 0, window, window, 0);
  step.kind = StepKind::kAveragePool;
  return step;
}

Step dense(std::string name, std::uint64_t channels) {
  Step step = convolution(std::move(name), channels, 1, 1, 0);
  step.kind = StepKind::kDense;
  return step;
}

Step branches(StepKind kind, std::string name, std::vector<std::vector<Step>> branches) {
  Step step = convolution(std::move(name), 0, 1, 1, 0);
  step.kind = kind;
  step.branches = std::move(branches);
  return step;
}

std::vector<Layer> convolutional_layers(const std::vector<Step>& steps, Image image) {
  std::vector<Layer> layers;
  for (const Step& step : steps) {
    Layer layer{.name = step.name};
    image = Builder().add(layer, step, image, 1);
    layer.output_elements = real(image.elements());
    layers.push_back(std::move(layer));
  }

  // Softmax and loss read the last numbers and write their probabilities, which backward starts from.
  if (!layers.empty()) {
    layers.back().kernels.push_back(memory("loss", Share::kWhole, 2 * real(image.elements())));
    layers.back().kept_whole_elements += real(image.elements());
  }
  for (Layer& layer : layers) layer.whole_parameters = layer.parameters;  // nothing here is tensor-parallel
  return layers;
}

}  // namespace helio::workload
