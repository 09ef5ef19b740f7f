// SPDX-License-Identifier: Apache-2.0
// How the threads of batch norm's kernels (batch_norm_kernel.h) share their work: sixteen bytes to a thread, rows to lanes, sums of lanes
// and of splits in a fixed order.
#pragma once

#include "train/models/batch_norm_kernel.h"

#ifdef __CUDACC__
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#define UNROLL _Pragma("unroll")  // arrays then live in registers
#else                             // a test that plays the device has said what its words mean
#define UNROLL
#endif

#include <cstdint>

namespace helio::train {
namespace {

constexpr int kAhead = 4;  // rows of a thread that are loaded at once
constexpr int kSettleColumns = 32, kSettleLanes = 8;

// Sixteen bytes as floats. A bfloat16 is the upper half of a float.
template <bool Bfloat16>
struct Group {
  static constexpr int kWidth = Bfloat16 ? 8 : 4;

  static __device__ uint4 load(const void* base, std::int64_t group) { return static_cast<const uint4*>(base)[group]; }

  static __device__ void unpack(const uint4& raw, float (&values)[kWidth]) {
    const unsigned words[4] = {raw.x, raw.y, raw.z, raw.w};
    UNROLL
    for (int i = 0; i < 4; ++i) {
      if constexpr (Bfloat16) {
        values[2 * i] = __uint_as_float(words[i] << 16);
        values[2 * i + 1] = __uint_as_float(words[i] & 0xffff0000u);
      } else {
        values[i] = __uint_as_float(words[i]);
      }
    }
  }

  static __device__ void store(void* base, std::int64_t group, const float (&values)[kWidth]) {
    unsigned words[4];
    UNROLL
    for (int i = 0; i < 4; ++i) {
      if constexpr (Bfloat16) {
        const unsigned low = __bfloat16_as_ushort(__float2bfloat16_rn(values[2 * i]));
        const unsigned high = __bfloat16_as_ushort(__float2bfloat16_rn(values[2 * i + 1]));
        words[i] = low | high << 16;
      } else {
        words[i] = __float_as_uint(values[i]);
      }
    }
    static_cast<uint4*>(base)[group] = make_uint4(words[0], words[1], words[2], words[3]);
  }
};

// Where a thread works: a group of channels, and every lanes-th row of its split.
struct Place {
  std::int64_t groups, first_row, end_row, origin;  // origin: of the server's first row, in groups
  int group, lane, lanes;
  std::int64_t statistic;  // the group's place in [servers][channels], in groups

  __device__ Place(std::int64_t rows, int groups_, int splits)
      : groups(groups_),
        first_row(rows * blockIdx.y / splits),
        end_row(rows * (blockIdx.y + 1) / splits),
        origin(static_cast<std::int64_t>(blockIdx.z) * rows * groups_),
        group(static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x)),
        lane(static_cast<int>(threadIdx.y)),
        lanes(static_cast<int>(blockDim.y)),
        statistic(static_cast<std::int64_t>(blockIdx.z) * groups_ + group) {}

  __device__ bool active() const { return group < groups; }
  __device__ std::int64_t at(std::int64_t row) const { return origin + row * groups + group; }
};

// Calls of a thread's rows, `Ahead` at a time: all of them are loaded before the first is used, so that memory is kept busy.
template <int Ahead, class Load, class Use>
__device__ void each_row(const Place& place, Load load, Use use) {
  for (std::int64_t row = place.first_row + place.lane; row < place.end_row; row += Ahead * place.lanes) {
    UNROLL
    for (int k = 0; k < Ahead; ++k)
      if (row + k * place.lanes < place.end_row) load(k, place.at(row + k * place.lanes));
    UNROLL
    for (int k = 0; k < Ahead; ++k)
      if (row + k * place.lanes < place.end_row) use(k, place.at(row + k * place.lanes));
  }
}

template <int Width>
__device__ void load_floats(const float* base, std::int64_t group, float (&values)[Width]) {
  UNROLL
  for (int i = 0; i < Width; ++i) values[i] = base[group * Width + i];
}

// Adds the lanes of a block pairwise; those of lane 0 go to partial[server][split][2][channels].
template <int Width>
__device__ void sum_lanes(const Place& place, float (&first)[Width], float (&second)[Width], float* partial,
                          int splits) {
  __shared__ float sums[2][Width][BatchNormShape::kThreads];
  const int columns = static_cast<int>(blockDim.x), here = place.lane * columns + static_cast<int>(threadIdx.x);
  UNROLL
  for (int i = 0; i < Width; ++i) {
    sums[0][i][here] = first[i];
    sums[1][i][here] = second[i];
  }
  for (int half = place.lanes / 2; half > 0; half /= 2) {
    __syncthreads();
    if (place.lane < half) {
      UNROLL
      for (int i = 0; i < Width; ++i) {
        sums[0][i][here] += sums[0][i][here + half * columns];
        sums[1][i][here] += sums[1][i][here + half * columns];
      }
    }
  }
  if (place.lane != 0 || !place.active()) return;
  const std::int64_t block = static_cast<std::int64_t>(blockIdx.z) * splits + blockIdx.y;
  UNROLL
  for (int i = 0; i < Width; ++i) {
    partial[((block * 2 + 0) * place.groups + place.group) * Width + i] = sums[0][i][here];
    partial[((block * 2 + 1) * place.groups + place.group) * Width + i] = sums[1][i][here];
  }
}

// The sums over the splits of one server and channel; true in the threads that then hold them.
__device__ bool settle(const float* partial, int channels, int splits, float& first, float& second) {
  __shared__ float sums[2][kSettleLanes][kSettleColumns];
  const int channel = static_cast<int>(blockIdx.x) * kSettleColumns + static_cast<int>(threadIdx.x);
  const std::int64_t server = blockIdx.y;
  first = second = 0;
  if (channel < channels) {
    UNROLL
    for (int split = static_cast<int>(threadIdx.y); split < splits; split += kSettleLanes) {
      const float* sum = partial + (server * splits + split) * 2 * channels + channel;
      first += sum[0];
      second += sum[channels];
    }
  }
  sums[0][threadIdx.y][threadIdx.x] = first;
  sums[1][threadIdx.y][threadIdx.x] = second;
  __syncthreads();
  if (threadIdx.y != 0 || channel >= channels) return false;
  for (int lane = 1; lane < kSettleLanes; ++lane) {
    first += sums[0][lane][threadIdx.x];
    second += sums[1][lane][threadIdx.x];
  }
  return true;
}

}  // namespace
}  // namespace helio::train
