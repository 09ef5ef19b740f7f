// SPDX-License-Identifier: Apache-2.0
#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "train/models/batch_norm.h"

namespace helio::train {
namespace {

// How far `ours` is from `exact`, as a share of its largest number, in units of what rounding explains: 2⁻⁸ of it in bfloat16; 1e-4 for
// sums of floats, since a mean of 20 is off by up to 1e-6 and Σ d·(x − mean) over n = 131,072 rows by n times that, where the sum itself
// is about √n·2.5. Not a number counts as infinitely far.
double in_roundings(const at::Tensor& ours, const at::Tensor& exact) {
  const double unit = ours.scalar_type() == at::kBFloat16 ? 1.0 / 256 : 1e-4;
  const at::Tensor apart = (ours.to(at::kDouble) - exact).abs().max() / exact.abs().max().clamp_min(1e-30);
  const double roundings = apart.item<double>() / unit;
  return std::isnan(roundings) ? INFINITY : roundings;
}

struct Case {
  std::int64_t servers, batch, channels, side;
  at::ScalarType type;
  bool residual, relu;
};

double difference(const Case& c, const at::Device& device) {
  // Channels with means far from zero and unlike spreads, drawn on the CPU.
  const auto image = [&](double mean, double spread) {
    const at::Tensor each = at::linspace(-mean, mean, c.channels).view({1, c.channels, 1, 1});
    const at::Tensor drawn = at::randn({c.servers * c.batch, c.channels, c.side, c.side}) * spread + each;
    return drawn.to(device).to(c.type).contiguous(at::MemoryFormat::ChannelsLast);
  };
  const auto numbers = [&](at::IntArrayRef shape, double around) {
    return (at::randn(shape) * 0.5 + around).to(device);
  };
  const BatchNormInput ours{image(20, 2),
                            c.residual ? image(1, 1) : at::Tensor(),
                            numbers({c.channels}, 1),
                            numbers({c.channels}, 0),
                            numbers({c.servers, c.channels}, 0),
                            numbers({c.servers, c.channels}, 2),
                            c.relu};
  const at::Tensor dy = image(1, 1);

  // The portable version gets the same numbers in double.
  const auto precise = [](const at::Tensor& tensor) { return tensor.defined() ? tensor.to(at::kDouble) : tensor; };
  const BatchNormInput exact{precise(ours.x),
                             precise(ours.residual),
                             precise(ours.scale),
                             precise(ours.shift),
                             precise(ours.running_mean),
                             precise(ours.running_variance),
                             c.relu};
  const BatchNormOutput output = fused_batch_norm(ours);
  BatchNormOutput expected = portable_batch_norm(exact);
  double largest = 0;
  const auto compare = [&](const at::Tensor& a, const at::Tensor& b) {
    largest = std::max(largest, in_roundings(a, b));
  };
  compare(output.y, expected.y);
  compare(output.mean, expected.mean);
  compare(output.inverse, expected.inverse);
  compare(ours.running_mean, exact.running_mean);
  compare(ours.running_variance, exact.running_variance);

  // Backward, both with the same mask: a y next to zero may round to either side. Rows of gradients lie apart, as in Parameters.
  expected.y = precise(output.y);
  const at::Tensor held = at::full({2, c.servers, 2 * c.channels}, NAN, ours.scale.options());
  const at::Tensor rows = held.narrow(2, 0, c.channels), exact_rows = precise(rows).clone();
  const BatchNormSlopes slopes = fused_batch_norm_backward(ours, output, dy, rows[0], rows[1]);
  const BatchNormSlopes wanted =
      portable_batch_norm_backward(exact, expected, precise(dy), exact_rows[0], exact_rows[1]);
  compare(slopes.x, wanted.x);
  if (c.residual) compare(slopes.residual, wanted.residual);
  for (const int which : {0, 1}) compare(rows[which], exact_rows[which]);
  return largest;
}

}  // namespace

Difference batch_norm_difference(const at::Device& device) {
  if (!fused_batch_norm_fits(at::empty({1, 8, 1, 1}, at::TensorOptions(at::kFloat).device(device))
                                 .contiguous(at::MemoryFormat::ChannelsLast)))
    throw Error(ErrorKind::kInfeasible, "the fused batch norm is not in this build, or not for this device", "--device",
                "Build with a CUDA compiler and use --device cuda");
  at::manual_seed(1);
  // Two rows would leave dx nothing but rounding: two values have no more than a mean and a variance.
  struct Size {
    std::int64_t servers, batch, channels, side;
  };
  constexpr Size kSizes[] = {{4, 128, 64, 32}, {4, 8, 256, 8}, {16, 32, 2048, 4}, {3, 5, 72, 7}, {1, 6, 512, 1}};
  Difference most;
  for (const Size& size : kSizes)
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16})
      for (const bool residual : {false, true})
        for (const bool relu : {false, true}) {
          const double here =
              difference({size.servers, size.batch, size.channels, size.side, type, residual, relu}, device);
          if (here > most.roundings)
            most = {here, fmt::format("{} servers, {} x {} channels x {} x {}, {}{}{}", size.servers, size.batch,
                                      size.channels, size.side, size.side, type == at::kFloat ? "float" : "bfloat16",
                                      residual ? ", residual" : "", relu ? ", ReLU" : "")};
        }
  return most;
}

}  // namespace helio::train
