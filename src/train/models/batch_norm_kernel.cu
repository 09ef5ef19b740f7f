// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <stdexcept>
#include <string>

#include "train/models/batch_norm_kernel.h"
#include "train/models/batch_norm_threads.cuh"

namespace helio::train {
namespace {

// How the backward pass knows what the ReLU let through: there is none; from x; or, with a residual, from y.
enum class Relu { kNone, kFromX, kFromY };

// y before residual and ReLU; forward and backward form it alike, so that the mask of the ReLU is the same.
__device__ float normal(float x, float mean, float factor, float shift) { return fmaf(x - mean, factor, shift); }

// Σ (x − pivot) and Σ (x − pivot)², where the pivot is the server's first row.
template <bool Bfloat16>
__global__ void __launch_bounds__(BatchNormShape::kThreads)
    sum_statistics(const void* x, std::int64_t rows, int groups, int splits, float* partial) {
  using G = Group<Bfloat16>;
  const Place place(rows, groups, splits);
  float first[G::kWidth] = {}, second[G::kWidth] = {};
  if (place.active()) {
    float pivot[G::kWidth];
    G::unpack(G::load(x, place.at(0)), pivot);
    uint4 raw[kAhead];
    each_row<kAhead>(
        place, [&](int k, std::int64_t at) { raw[k] = G::load(x, at); },
        [&](int k, std::int64_t) {
          float values[G::kWidth];
          G::unpack(raw[k], values);
          UNROLL
          for (int i = 0; i < G::kWidth; ++i) {
            const float distance = values[i] - pivot[i];
            first[i] += distance;
            second[i] = fmaf(distance, distance, second[i]);
          }
        });
  }
  sum_lanes(place, first, second, partial, splits);
}

template <bool Bfloat16>
__global__ void settle_statistics(const BatchNormForward forward, std::int64_t rows, int channels, int splits) {
  float first, second;
  if (!settle(forward.scratch, channels, splits, first, second)) return;
  const int channel = static_cast<int>(blockIdx.x) * kSettleColumns + static_cast<int>(threadIdx.x);
  const std::int64_t server = blockIdx.y, place = server * channels + channel, origin = server * rows * channels;
  const float pivot = Bfloat16 ? __bfloat162float(static_cast<const __nv_bfloat16*>(forward.x)[origin + channel])
                               : static_cast<const float*>(forward.x)[origin + channel];

  // Mean and variance of the micro-batch.
  const float count = static_cast<float>(rows), offset = first / count;
  const float variance = fmaxf(second / count - offset * offset, 0.0f), mean = pivot + offset;
  forward.mean[place] = mean;
  forward.inverse[place] = 1.0f / sqrtf(variance + forward.epsilon);

  // What evaluation remembers.
  const float unbiased = variance * (count / fmaxf(count - 1.0f, 1.0f)), keep = 1.0f - forward.momentum;
  forward.running_mean[place] = keep * forward.running_mean[place] + forward.momentum * mean;
  forward.running_variance[place] = keep * forward.running_variance[place] + forward.momentum * unbiased;
}

template <bool Bfloat16, bool Residual, bool Rectify>
__global__ void __launch_bounds__(BatchNormShape::kThreads)
    normalise(const BatchNormForward forward, std::int64_t rows, int groups, int splits) {
  using G = Group<Bfloat16>;
  const Place place(rows, groups, splits);
  if (!place.active()) return;

  float mean[G::kWidth], factor[G::kWidth], shift[G::kWidth], scale[G::kWidth];
  load_floats(forward.mean, place.statistic, mean);
  load_floats(forward.inverse, place.statistic, factor);
  load_floats(forward.scale, place.group, scale);
  load_floats(forward.shift, place.group, shift);
  UNROLL
  for (int i = 0; i < G::kWidth; ++i) factor[i] *= scale[i];

  uint4 raw[kAhead], raw_residual[kAhead];
  each_row<kAhead>(
      place,
      [&](int k, std::int64_t at) {
        raw[k] = G::load(forward.x, at);
        if constexpr (Residual) raw_residual[k] = G::load(forward.residual, at);
      },
      [&](int k, std::int64_t at) {
        float values[G::kWidth], added[G::kWidth];
        G::unpack(raw[k], values);
        if constexpr (Residual) G::unpack(raw_residual[k], added);
        UNROLL
        for (int i = 0; i < G::kWidth; ++i) {
          values[i] = normal(values[i], mean[i], factor[i], shift[i]);
          if constexpr (Residual) values[i] += added[i];
          if constexpr (Rectify) values[i] = values[i] > 0.0f ? values[i] : 0.0f;
        }
        G::store(forward.y, at, values);
      });
}

// Σ d and Σ d·(x − mean), where d is dy past the ReLU; with a residual, d is also its gradient.
template <bool Bfloat16, Relu Past>
__global__ void __launch_bounds__(BatchNormShape::kThreads)
    sum_slopes(const BatchNormBackward backward, std::int64_t rows, int groups, int splits) {
  using G = Group<Bfloat16>;
  constexpr bool kFromY = Past == Relu::kFromY;
  const Place place(rows, groups, splits);
  float first[G::kWidth] = {}, second[G::kWidth] = {};
  if (place.active()) {
    float mean[G::kWidth], factor[G::kWidth], shift[G::kWidth], scale[G::kWidth];
    load_floats(backward.mean, place.statistic, mean);
    load_floats(backward.inverse, place.statistic, factor);
    load_floats(backward.scale, place.group, scale);
    load_floats(backward.shift, place.group, shift);
    UNROLL
    for (int i = 0; i < G::kWidth; ++i) factor[i] *= scale[i];

    uint4 raw[kAhead], raw_dy[kAhead], raw_y[kAhead];
    each_row<kAhead>(
        place,
        [&](int k, std::int64_t at) {
          raw[k] = G::load(backward.x, at);
          raw_dy[k] = G::load(backward.dy, at);
          if constexpr (kFromY) raw_y[k] = G::load(backward.y, at);
        },
        [&](int k, std::int64_t at) {
          float values[G::kWidth], slopes[G::kWidth], results[G::kWidth];
          G::unpack(raw[k], values);
          G::unpack(raw_dy[k], slopes);
          if constexpr (kFromY) G::unpack(raw_y[k], results);
          UNROLL
          for (int i = 0; i < G::kWidth; ++i) {
            if constexpr (Past != Relu::kNone) {
              const float result = kFromY ? results[i] : normal(values[i], mean[i], factor[i], shift[i]);
              if (!(result > 0.0f)) slopes[i] = 0.0f;
            }
            first[i] += slopes[i];
            second[i] = fmaf(slopes[i], values[i] - mean[i], second[i]);
          }
          if constexpr (kFromY) G::store(backward.dresidual, at, slopes);
        });
  }
  sum_lanes(place, first, second, backward.scratch, splits);
}

// dshift = Σ d, dscale = Σ d·(x − mean)·inverse; and for dx the mean of d and inverse²·mean of d·(x − mean).
__global__ void settle_slopes(const BatchNormBackward backward, std::int64_t rows, int channels, int splits,
                              float* coefficients) {
  float first, second;
  if (!settle(backward.scratch, channels, splits, first, second)) return;
  const int channel = static_cast<int>(blockIdx.x) * kSettleColumns + static_cast<int>(threadIdx.x);
  const std::int64_t server = blockIdx.y, place = server * channels + channel;
  const float count = static_cast<float>(rows), inverse = backward.inverse[place];
  backward.dshift[server * backward.gradient_stride + channel] = first;
  backward.dscale[server * backward.gradient_stride + channel] = second * inverse;
  coefficients[place] = first / count;
  coefficients[static_cast<std::int64_t>(gridDim.y) * channels + place] = second / count * inverse * inverse;
}

// dx = inverse·scale·(d − mean(d) − (x − mean)·inverse²·mean(d·(x − mean))). Masked: d is dy past the ReLU, found again from x.
template <bool Bfloat16, bool Masked>
__global__ void __launch_bounds__(BatchNormShape::kThreads)
    form_dx(const BatchNormBackward backward, const void* d, const float* coefficients, std::int64_t rows, int groups,
            int splits) {
  using G = Group<Bfloat16>;
  const Place place(rows, groups, splits);
  if (!place.active()) return;

  float mean[G::kWidth], factor[G::kWidth], shift[G::kWidth], scale[G::kWidth], even[G::kWidth], tilt[G::kWidth];
  load_floats(backward.mean, place.statistic, mean);
  load_floats(backward.inverse, place.statistic, factor);
  load_floats(backward.scale, place.group, scale);
  load_floats(backward.shift, place.group, shift);
  load_floats(coefficients, place.statistic, even);
  load_floats(coefficients + static_cast<std::int64_t>(gridDim.z) * groups * G::kWidth, place.statistic, tilt);
  UNROLL
  for (int i = 0; i < G::kWidth; ++i) factor[i] *= scale[i];

  uint4 raw[kAhead], raw_d[kAhead];
  each_row<kAhead>(
      place,
      [&](int k, std::int64_t at) {
        raw[k] = G::load(backward.x, at);
        raw_d[k] = G::load(d, at);
      },
      [&](int k, std::int64_t at) {
        float values[G::kWidth], slopes[G::kWidth];
        G::unpack(raw[k], values);
        G::unpack(raw_d[k], slopes);
        UNROLL
        for (int i = 0; i < G::kWidth; ++i) {
          if constexpr (Masked)
            if (!(normal(values[i], mean[i], factor[i], shift[i]) > 0.0f)) slopes[i] = 0.0f;
          slopes[i] = factor[i] * (slopes[i] - even[i] - (values[i] - mean[i]) * tilt[i]);
        }
        G::store(backward.dx, at, slopes);
      });
}

struct Launch {
  dim3 grid, threads, settle_grid, settle_threads;
  int groups, splits;

  explicit Launch(const BatchNormShape& shape)
      : grid(shape.chunks(), shape.splits(), shape.servers),
        threads(shape.columns(), shape.lanes()),
        settle_grid((shape.channels + kSettleColumns - 1) / kSettleColumns, shape.servers),
        settle_threads(kSettleColumns, kSettleLanes),
        groups(shape.channels / shape.group()),
        splits(shape.splits()) {}
};

#ifdef __CUDACC__
template <class... Parameters, class... Arguments>
void start(void (*kernel)(Parameters...), dim3 grid, dim3 threads, cudaStream_t stream, Arguments... arguments) {
  kernel<<<grid, threads, 0, stream>>>(arguments...);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) throw std::runtime_error(std::string("batch norm on CUDA: ") + cudaGetErrorString(error));
}
#endif

template <bool Bfloat16>
void run(const BatchNormShape& shape, const BatchNormForward& forward, CUstream_st* stream) {
  const Launch launch(shape);
  const auto last = forward.residual
                        ? (forward.relu ? normalise<Bfloat16, true, true> : normalise<Bfloat16, true, false>)
                        : (forward.relu ? normalise<Bfloat16, false, true> : normalise<Bfloat16, false, false>);
  start(sum_statistics<Bfloat16>, launch.grid, launch.threads, stream, forward.x, shape.rows, launch.groups,
        launch.splits, forward.scratch);
  start(settle_statistics<Bfloat16>, launch.settle_grid, launch.settle_threads, stream, forward, shape.rows,
        shape.channels, launch.splits);
  start(last, launch.grid, launch.threads, stream, forward, shape.rows, launch.groups, launch.splits);
}

template <bool Bfloat16>
void run(const BatchNormShape& shape, const BatchNormBackward& backward, CUstream_st* stream) {
  const Launch launch(shape);
  const bool stored = backward.relu && backward.residual;  // what passed the ReLU is the residual's gradient
  float* coefficients = backward.scratch + std::int64_t{2} * shape.servers * launch.splits * shape.channels;
  const void* d = stored ? backward.dresidual : backward.dy;
  const auto sums = stored          ? sum_slopes<Bfloat16, Relu::kFromY>
                    : backward.relu ? sum_slopes<Bfloat16, Relu::kFromX>
                                    : sum_slopes<Bfloat16, Relu::kNone>;
  const auto last = backward.relu && !stored ? form_dx<Bfloat16, true> : form_dx<Bfloat16, false>;
  start(sums, launch.grid, launch.threads, stream, backward, shape.rows, launch.groups, launch.splits);
  start(settle_slopes, launch.settle_grid, launch.settle_threads, stream, backward, shape.rows, shape.channels,
        launch.splits, coefficients);
  start(last, launch.grid, launch.threads, stream, backward, d, static_cast<const float*>(coefficients), shape.rows,
        launch.groups, launch.splits);
}

}  // namespace

void launch_batch_norm(const BatchNormShape& shape, const BatchNormForward& forward, CUstream_st* stream) {
  shape.bfloat16 ? run<true>(shape, forward, stream) : run<false>(shape, forward, stream);
}

void launch_batch_norm_backward(const BatchNormShape& shape, const BatchNormBackward& backward, CUstream_st* stream) {
  shape.bfloat16 ? run<true>(shape, backward, stream) : run<false>(shape, backward, stream);
}

}  // namespace helio::train
