// SPDX-License-Identifier: Apache-2.0
// The CUDA kernels of batch norm, thread by thread on the CPU, against libtorch's own batch norm in double. On a device the same question is
// asked by batch_norm_difference.
#include "train/models/batch_norm_kernel.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "train/models/batch_norm.h"
#include "train/models/near.h"

namespace helio::train {
namespace {

// Threads lie beside each other on groups of 16 bytes, at most a warp of them, and below each other on rows; blocks cover all channels.
TEST(BatchNormKernel, BlocksCoverTheChannels) {
  for (const bool bfloat16 : {false, true})
    for (const int channels : {8, 64, 72, 256, 512, 2048})
      for (const std::int64_t rows : {1, 2, 100, 131072})
        for (const int servers : {1, 4, 16}) {
          const BatchNormShape shape{bfloat16, servers, rows, channels};
          EXPECT_LE(shape.columns(), 32);
          EXPECT_EQ(shape.columns() * shape.lanes(), 256);
          EXPECT_GE(shape.chunks() * shape.columns() * shape.group(), channels);
          EXPECT_LT((shape.chunks() - 1) * shape.columns() * shape.group(), channels);
          EXPECT_GE(shape.splits(), 1);
          EXPECT_LE(shape.splits(), rows);
          EXPECT_EQ(shape.scratch(), 2 * servers * (shape.splits() + 1) * channels);
        }
}

// 4 servers, 64 channels in bfloat16: 8 groups beside each other, 32 lanes, one chunk. 1056/4 = 264 splits where rows abound;
// 1024 rows are 1024/(32·4) = 8.
TEST(BatchNormKernel, RowsAreSplitToFillTheDevice) {
  EXPECT_EQ((BatchNormShape{true, 4, 131072, 64}.splits()), 264);
  EXPECT_EQ((BatchNormShape{true, 4, 1024, 64}.splits()), 8);
}

}  // namespace
}  // namespace helio::train

#ifndef HELIO_CUDA_KERNELS  // where the real ones are, they have these names
#include "train/models/emulated_cuda.h"
// After the words of the device.
#include "train/models/batch_norm_kernel.cu"

namespace helio::train {
namespace {

struct Case {
  int servers;
  std::int64_t batch;
  int channels;
  std::int64_t side;
  bool bfloat16, residual, relu;
};

float* floats(const at::Tensor& tensor) { return tensor.data_ptr<float>(); }

// Forward, statistics and backward of one shape. A sum of n floats is off by some n·2⁻²⁴ at most, a bfloat16 by 2⁻⁹ of itself.
void expect_like_libtorch(const Case& c) {
  SCOPED_TRACE(::testing::Message() << c.servers << " servers, " << c.batch << "·" << c.side << "² rows, " << c.channels
                                    << " channels, bfloat16 " << c.bfloat16 << ", residual " << c.residual << ", ReLU "
                                    << c.relu);
  const at::ScalarType type = c.bfloat16 ? at::kBFloat16 : at::kFloat;
  const double rounding = c.bfloat16 ? 1.0 / 256 : 1e-5, sums = 1e-5;
  const auto image = [&](double mean, double spread) {
    const at::Tensor each = at::linspace(-mean, mean, c.channels).view({1, c.channels, 1, 1});
    return (at::randn({c.servers * c.batch, c.channels, c.side, c.side}) * spread + each)
        .to(type)
        .contiguous(at::MemoryFormat::ChannelsLast);
  };
  const auto precise = [](const at::Tensor& tensor) { return tensor.to(at::kDouble); };
  const at::Tensor x = image(20, 2), residual = image(1, 1), dy = image(1, 1);
  const at::Tensor scale = at::randn({c.channels}) + 1, shift = at::randn({c.channels});
  const at::Tensor running_mean = at::randn({c.servers, c.channels}),
                   running_variance = at::rand({c.servers, c.channels});

  const BatchNormInput exact{precise(x),
                             c.residual ? precise(residual) : at::Tensor(),
                             precise(scale),
                             precise(shift),
                             precise(running_mean),
                             precise(running_variance),
                             c.relu};
  BatchNormOutput expected = portable_batch_norm(exact);

  // Forward.
  const BatchNormShape shape{c.bfloat16, c.servers, c.batch * c.side * c.side, c.channels};
  const at::Tensor scratch = at::full({shape.scratch()}, NAN), y = at::empty_like(x);
  const at::Tensor mean = at::empty({c.servers, c.channels}), inverse = at::empty_like(mean);
  BatchNormForward forward;
  forward.x = x.data_ptr();
  if (c.residual) forward.residual = residual.data_ptr();
  forward.scale = floats(scale);
  forward.shift = floats(shift);
  forward.running_mean = floats(running_mean);
  forward.running_variance = floats(running_variance);
  forward.mean = floats(mean);
  forward.inverse = floats(inverse);
  forward.y = y.data_ptr();
  forward.scratch = floats(scratch);
  forward.relu = c.relu;
  launch_batch_norm(shape, forward, nullptr);
  EXPECT_TRUE(near(y, expected.y, rounding));
  EXPECT_TRUE(near(mean, expected.mean, sums));
  EXPECT_TRUE(near(inverse, expected.inverse, sums));
  EXPECT_TRUE(near(running_mean, exact.running_mean, sums));
  EXPECT_TRUE(near(running_variance, exact.running_variance, sums));

  // Backward with the same mask: a y next to zero may round to either side. Rows of gradients lie apart.
  expected.y = precise(y);
  const at::Tensor rows = at::full({c.servers, 3 * c.channels}, NAN), dx = at::empty_like(x),
                   dresidual = at::empty_like(x);
  at::Tensor exact_scale = at::empty({c.servers, c.channels}, at::kDouble), exact_shift = at::empty_like(exact_scale);
  const BatchNormSlopes wanted = portable_batch_norm_backward(exact, expected, precise(dy), exact_scale, exact_shift);
  scratch.fill_(NAN);
  BatchNormBackward backward;
  backward.x = x.data_ptr();
  backward.dy = dy.data_ptr();
  backward.y = y.data_ptr();
  backward.scale = floats(scale);
  backward.shift = floats(shift);
  backward.mean = floats(mean);
  backward.inverse = floats(inverse);
  backward.dscale = floats(rows);
  backward.dshift = floats(rows) + c.channels;
  backward.gradient_stride = rows.stride(0);
  backward.dx = dx.data_ptr();
  backward.dresidual = dresidual.data_ptr();
  backward.scratch = floats(scratch);
  backward.relu = c.relu;
  backward.residual = c.residual;
  launch_batch_norm_backward(shape, backward, nullptr);
  EXPECT_TRUE(near(dx, wanted.x, rounding));
  EXPECT_TRUE(near(rows.narrow(1, 0, c.channels), exact_scale, sums));
  EXPECT_TRUE(near(rows.narrow(1, c.channels, c.channels), exact_shift, sums));
  if (c.residual && c.relu) {
    EXPECT_TRUE(near(dresidual, wanted.residual, rounding));
  }
}

// Few rows; groups that fill no power of two of columns; the widest layer; rows that are split over blocks.
TEST(BatchNormKernel, EqualsLibtorch) {
  at::manual_seed(1);
  for (const bool bfloat16 : {false, true})
    for (const bool residual : {false, true})
      for (const bool relu : {false, true}) {
        expect_like_libtorch({3, 1, 64, 2, bfloat16, residual, relu});
        expect_like_libtorch({2, 3, 72, 5, bfloat16, residual, relu});
        expect_like_libtorch({2, 4, 64, 14, bfloat16, residual, relu});
      }
  expect_like_libtorch({1, 2, 2048, 4, true, true, true});
  EXPECT_GT((BatchNormShape{true, 2, 4 * 14 * 14, 64}.splits()), 1);
}

// A single row has no spread: y = shift, and nothing becomes a NaN.
TEST(BatchNormKernel, OneRowIsItsMean) {
  const BatchNormShape shape{false, 1, 1, 4};
  const at::Tensor x = at::tensor({1.0f, -2.0f, 3.0f, 4.0f}), y = at::empty({4}), scale = at::ones({4});
  const at::Tensor shift = at::tensor({0.5f, 1.5f, 2.5f, 3.5f}), mean = at::zeros({4}), inverse = at::zeros({4});
  const at::Tensor running_mean = at::zeros({4}), running_variance = at::ones({4});
  const at::Tensor scratch = at::full({shape.scratch()}, NAN);
  BatchNormForward forward;
  forward.x = floats(x);
  forward.scale = floats(scale);
  forward.shift = floats(shift);
  forward.running_mean = floats(running_mean);
  forward.running_variance = floats(running_variance);
  forward.mean = floats(mean);
  forward.inverse = floats(inverse);
  forward.y = floats(y);
  forward.scratch = floats(scratch);
  launch_batch_norm(shape, forward, nullptr);
  EXPECT_TRUE(at::equal(y, shift));
  EXPECT_TRUE(at::equal(mean, x));
  EXPECT_TRUE(near(running_variance, at::full({4}, 0.9), 1e-6));
}

}  // namespace
}  // namespace helio::train
#endif
