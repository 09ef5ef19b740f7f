// SPDX-License-Identifier: Apache-2.0
// Batch norm of N servers on a CUDA device, + residual, ReLU: launches on plain pointers. Numbers lie channels-last,
//
//     x: [servers][rows][channels]      a row is a pixel of an example; statistics belong to a server and a channel
//
//              channels, 16 bytes to a thread ─▶                     forward    statistics ▷ settle ▷ normalise
//     rows   ┌────┬────┬────┐                                        backward   slopes ▷ settle ▷ dx
//      │     │    │    │    │  split 0 ─▶ partial sums ┐
//      ▼     ├────┼────┼────┤                          ├─▶ settle: sums in the order of splits
//            │    │    │    │  split 1 ─▶ partial sums ┘
//            └────┴────┴────┘
//
// Sums are formed in a fixed order that depends on the shape alone: the same numbers, the same bits, on every device. Squares are summed
// of the distance to the server's first row, so that a mean far from zero costs no digits.
#pragma once

#include <cstdint>

struct CUstream_st;  // what a cudaStream_t points to

namespace helio::train {

struct BatchNormShape {
  bool bfloat16 = true;  // float otherwise
  int servers = 1;
  std::int64_t rows = 1;  // of one server
  int channels = 8;       // a multiple of 8 (bfloat16) or 4 (float)

  int group() const { return bfloat16 ? 8 : 4; }  // channels in 16 bytes
  // Threads of a block beside each other; blocks beside each other; and parts into which the rows are cut.
  int columns() const;
  int lanes() const { return kThreads / columns(); }
  int chunks() const;
  int splits() const;
  std::int64_t scratch() const;  // floats that a launch needs beside its arguments

  static constexpr int kThreads = 256;
};

// Pointers are aligned to 16 bytes. Statistics are [servers][channels].
struct BatchNormForward {
  const void* x = nullptr;
  const void* residual = nullptr;  // or none
  const float *scale = nullptr, *shift = nullptr;
  float *running_mean = nullptr, *running_variance = nullptr;
  float *mean = nullptr, *inverse = nullptr;
  void* y = nullptr;
  float* scratch = nullptr;
  bool relu = false;
  float epsilon = 1e-5f, momentum = 0.1f;
};

struct BatchNormBackward {
  const void *x = nullptr, *dy = nullptr;
  const void* y = nullptr;  // read where there are a residual and a ReLU; else the ReLU's mask follows from x
  const float *scale = nullptr, *shift = nullptr, *mean = nullptr, *inverse = nullptr;
  float *dscale = nullptr, *dshift = nullptr;
  std::int64_t gradient_stride = 0;  // floats from one server's dscale to the next one's
  void* dx = nullptr;
  void* dresidual = nullptr;  // written where there are a residual and a ReLU; without a ReLU it is dy
  float* scratch = nullptr;
  bool relu = false, residual = false;
};

void launch_batch_norm(const BatchNormShape& shape, const BatchNormForward& forward, CUstream_st* stream);
void launch_batch_norm_backward(const BatchNormShape& shape, const BatchNormBackward& backward, CUstream_st* stream);

}  // namespace helio::train
