// SPDX-License-Identifier: Apache-2.0
// Quantise ▷ spread and sum ▷ table ▷ dequantise as one kernel on a CUDA device (code_kernel.cu), on plain pointers.
//
//     bucket of 65536 elements × N servers ──▶ a cluster of blocks, each with a part of it in shared memory
//
//       block 0 │ server 0: 4096 floats │ server 1 │ … │   largest |g| ─┐
//       block 1 │           …                          │   largest |g| ─┼─▶ every block (distributed shared memory) ─▶ scale
//       …                                                              ─┘
//     time ──▶   copy n+2   │ copy n+3   │      copies run while blocks compute, three buckets deep, so that every gradient is read
//                largest n+1│ largest n+2│      from device memory once; blocks tell each other their largest of n+1 while they
//                average n  │ average n+1│      average n
//
// Four servers of one plain level: buckets n and n+1 are in registers, and copies run up to n+4.
//
// Clusters stay and take bucket after bucket, so that the table is brought to shared memory once. Where three parts do not fit into
// shared memory (many servers) both passes read device memory, the second time out of its cache.
//
// A bucket without a scale (numbers that are not finite, or too large or small) gets NaN for an average, keeps its residuals, and
// leaves a record: `ExchangeState::fault` and where it was, the first that the CPU would have named.
#pragma once

#include <cstdint>

#include "train/exchange/code_arithmetic.h"

struct CUstream_st;  // what a cudaStream_t points to

namespace helio::train {

// On the device. The step is counted there, so that a recorded launch can be replayed.
struct ExchangeState {
  std::uint64_t step = 0;
  std::uint64_t faulty_bucket = ~std::uint64_t{0};  // the lowest so far
  Fault fault = Fault::kNone;                       // of the first step that had one, and its place:
  std::uint32_t server = 0;
  std::uint64_t first = 0, count = 0, element = 0;
  float value = 0;
};

struct ExchangeBuffers {
  const float* gradients = nullptr;  // [N × P]
  float* residuals = nullptr;        // [N × P], with error feedback
  float* average = nullptr;          // [P]
  ExchangeState* state = nullptr;
};

// How a plan is laid out on this device; found once.
struct ExchangeLayout {
  int cluster = 1, clusters = 1, threads = 256;
  std::uint32_t part = 0;         // elements of a bucket that a block has
  std::uint32_t table_bytes = 0;  // of the first level's table in shared memory; 0: it stays where it is
  std::uint32_t shared_bytes = 0;
  bool staged = false, wide = false;  // parts in shared memory; four elements at once
};

// Throws std::runtime_error with what CUDA says. `aligned`: all rows begin at multiples of 16 bytes.
ExchangeLayout lay_out(const CodePlan& plan, bool aligned);
// Enqueues the exchange of one step and what follows it up. Does not wait.
void launch_exchange(const CodePlan& plan, const ExchangeBuffers& buffers, const ExchangeLayout& layout,
                     CUstream_st* stream);

}  // namespace helio::train
