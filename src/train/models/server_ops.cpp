// SPDX-License-Identifier: Apache-2.0
#include "train/models/server_ops.h"

#include <ATen/ATen.h>

#include "train/models/backward_node.h"
#include "train/models/server_products.h"

namespace helio::train {
namespace {

constexpr at::MemoryFormat kChannelsLast = at::MemoryFormat::ChannelsLast;

// Pixels as rows, [n·H·W, C]: a view of what is channels-last.
at::Tensor pixels(const at::Tensor& x) { return x.permute({0, 2, 3, 1}).reshape({-1, x.size(1)}); }

// And back, with the sides of `like`.
at::Tensor image(const at::Tensor& rows, const at::Tensor& like) {
  return rows.view({like.size(0), like.size(2), like.size(3), rows.size(1)}).permute({0, 3, 1, 2});
}

// A convolution that looks at one pixel is a product of matrices.
at::Tensor pixel_product(Parameters& parameters, std::size_t weight, const at::Tensor& x) {
  const std::int64_t out = parameters.specs()[weight].shape[0], in = parameters.specs()[weight].shape[1];
  const at::Tensor w = parameters.low(weight).reshape({out, in}), entering = pixels(x);
  const at::Tensor gradient = parameters.gradient(weight).view({parameters.servers(), out, in});
  const at::Tensor y = image(at::mm(entering, w.t()), x);
  return with_backward(y, {x}, [=](const at::Tensor& slope) -> std::vector<at::Tensor> {
    const at::Tensor dy = pixels(slope);
    write_weight_gradient(gradient, entering, dy);
    if (!x.requires_grad()) return {at::Tensor()};
    return {image(at::mm(dy, w), x)};
  });
}

}  // namespace

at::Tensor conv2d(Parameters& parameters, std::size_t weight, const at::Tensor& x, std::int64_t stride,
                  std::int64_t padding) {
  const Unrecorded unrecorded;
  const std::vector<std::int64_t>& shape = parameters.specs()[weight].shape;
  if (shape[2] == 1 && shape[3] == 1 && stride == 1 && padding == 0) return pixel_product(parameters, weight, x);

  const std::vector<std::int64_t> strides(2, stride), paddings(2, padding), ones(2, 1), zeros(2, 0);
  const at::Tensor w = parameters.low(weight), gradient = parameters.gradient(weight);
  const at::Tensor entering = x.contiguous(kChannelsLast);
  const at::Tensor y =
      at::convolution(entering, w, {}, strides, paddings, ones, false, zeros, 1).contiguous(kChannelsLast);
  return with_backward(y, {x}, [=](const at::Tensor& slope) -> std::vector<at::Tensor> {
    const at::Tensor dy = slope.contiguous(kChannelsLast);
    const auto backward = [&](const at::Tensor& to, const at::Tensor& from, std::array<bool, 3> wanted) {
      return at::convolution_backward(to, from, w, at::OptionalIntArrayRef(), strides, paddings, ones, false, zeros, 1,
                                      wanted);
    };

    // The weight's gradient server by server, the input's for all at once.
    const std::int64_t servers = gradient.size(0), batch = entering.size(0) / servers;
    for (std::int64_t i = 0; i < servers; ++i)
      gradient[i].copy_(std::get<1>(
          backward(dy.narrow(0, i * batch, batch), entering.narrow(0, i * batch, batch), {false, true, false})));
    if (!x.requires_grad()) return {at::Tensor()};
    return {std::get<0>(backward(dy, entering, {true, false, false}))};
  });
}

at::Tensor linear(Parameters& parameters, std::size_t weight, std::size_t bias, const at::Tensor& x) {
  const Unrecorded unrecorded;
  const at::Tensor w = parameters.low(weight), gradient = parameters.gradient(weight);
  const at::Tensor bias_gradient = bias == kNone ? at::Tensor() : parameters.gradient(bias);
  const at::Tensor entering = x.reshape({-1, w.size(1)});
  std::vector<std::int64_t> shape = x.sizes().vec();
  shape.back() = w.size(0);
  const at::Tensor y = bias == kNone ? at::mm(entering, w.t()) : at::addmm(parameters.low(bias), entering, w.t());
  return with_backward(y.view(shape), {x}, [=](const at::Tensor& slope) -> std::vector<at::Tensor> {
    const at::Tensor dy = slope.reshape({-1, w.size(0)});
    write_weight_gradient(gradient, entering, dy);
    if (bias_gradient.defined()) write_bias_gradient(bias_gradient, dy);
    if (!x.requires_grad()) return {at::Tensor()};
    return {at::mm(dy, w).view(x.sizes())};
  });
}

at::Tensor embedding(Parameters& parameters, std::size_t table, const at::Tensor& tokens) {
  const Unrecorded unrecorded;
  const at::Tensor gradient = parameters.gradient(table);
  return with_backward(at::embedding(parameters.low(table), tokens), {},
                       [=](const at::Tensor& dy) -> std::vector<at::Tensor> {
                         const std::int64_t servers = gradient.size(0), batch = tokens.size(0) / servers;
                         for (std::int64_t i = 0; i < servers; ++i)
                           gradient[i].copy_(at::embedding_dense_backward(dy.narrow(0, i * batch, batch).contiguous(),
                                                                          tokens.narrow(0, i * batch, batch),
                                                                          gradient.size(1), -1, false));
                         return {};
                       });
}

}  // namespace helio::train
