// SPDX-License-Identifier: Apache-2.0
// A device of one core: what a CUDA kernel's words mean, so that a .cu file can be included in a test and run where there is no GPU. Blocks
// run one after the other; the threads of a block take turns, each running until it waits for the others.
#pragma once

#include <ucontext.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // rows past the end are neither loaded nor used

struct dim3 {
  unsigned x, y, z;
  dim3(int x_ = 1, int y_ = 1, int z_ = 1)
      : x(static_cast<unsigned>(x_)), y(static_cast<unsigned>(y_)), z(static_cast<unsigned>(z_)) {}
};

namespace helio::train::emulated {

inline dim3 thread, block, block_size, grid_size;

// The threads of a block, as contexts that hand over to each other.
class Block {
 public:
  void run(const std::function<void()>& body, dim3 threads) {
    body_ = &body;
    block_size = threads;
    const std::size_t count = std::size_t{threads.x} * threads.y * threads.z;
    threads_ = std::vector<Thread>(count);
    for (std::size_t i = 0; i < count; ++i) {
      Thread& one = threads_[i];
      one.index = dim3(static_cast<int>(i % threads.x), static_cast<int>(i / threads.x));
      getcontext(&one.context);
      one.stack = std::make_unique<char[]>(kStack);
      one.context.uc_stack.ss_sp = one.stack.get();
      one.context.uc_stack.ss_size = kStack;
      one.context.uc_link = &here_;
      makecontext(&one.context, &Block::enter, 0);
    }
    for (bool waiting = true; waiting;) {
      waiting = false;
      for (Thread& one : threads_) {
        if (one.done) continue;
        current_ = &one;
        thread = one.index;
        swapcontext(&here_, &one.context);
        waiting = waiting || !one.done;
      }
    }
  }

  void wait() { swapcontext(&current_->context, &here_); }

 private:
  static constexpr std::size_t kStack = 64 * 1024;
  struct Thread {
    ucontext_t context{};
    std::unique_ptr<char[]> stack;
    dim3 index;
    bool done = false;
  };
  static void enter();

  const std::function<void()>* body_ = nullptr;
  std::vector<Thread> threads_;
  Thread* current_ = nullptr;
  ucontext_t here_{};
};

inline Block device;

inline void Block::enter() {
  (*device.body_)();
  device.current_->done = true;
}

inline float as_float(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline std::uint32_t as_bits(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace helio::train::emulated

// Words of the language.
#define __global__
#define __device__
#define __shared__ static
#define __launch_bounds__(threads)
#define threadIdx ::helio::train::emulated::thread
#define blockIdx ::helio::train::emulated::block
#define blockDim ::helio::train::emulated::block_size
#define gridDim ::helio::train::emulated::grid_size
#define __syncthreads() ::helio::train::emulated::device.wait()

struct uint4 {
  unsigned x, y, z, w;
};
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
inline float __uint_as_float(unsigned bits) { return helio::train::emulated::as_float(bits); }
inline unsigned __float_as_uint(float value) { return helio::train::emulated::as_bits(value); }

// bfloat16: the upper half of a float, rounded to nearest, ties to even.
struct __nv_bfloat16 {
  std::uint16_t bits;
};
inline __nv_bfloat16 __float2bfloat16_rn(float value) {
  const std::uint32_t bits = helio::train::emulated::as_bits(value);
  return {static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16)};
}
inline std::uint16_t __bfloat16_as_ushort(__nv_bfloat16 value) { return value.bits; }
inline float __bfloat162float(__nv_bfloat16 value) { return __uint_as_float(unsigned{value.bits} << 16); }

namespace helio::train {
namespace {

template <class... Parameters, class Stream, class... Arguments>
void start(void (*kernel)(Parameters...), dim3 grid, dim3 threads, Stream, Arguments... arguments) {
  emulated::grid_size = grid;
  for (unsigned z = 0; z < grid.z; ++z)
    for (unsigned y = 0; y < grid.y; ++y)
      for (unsigned x = 0; x < grid.x; ++x) {
        emulated::block = dim3(static_cast<int>(x), static_cast<int>(y), static_cast<int>(z));
        emulated::device.run([&] { kernel(arguments...); }, threads);
      }
}

}  // namespace
}  // namespace helio::train
