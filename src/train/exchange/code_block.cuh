// SPDX-License-Identifier: Apache-2.0
// What one block of the exchange's kernel does (code_kernel.h): it copies its part of bucket after bucket to shared memory, tells the
// cluster its largest magnitude, and averages.
#pragma once

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include "train/exchange/code_kernel.h"

namespace helio::train {
namespace {

namespace cg = cooperative_groups;

constexpr int kStages = 3;
constexpr int kMostCluster = 16;  // above 8 it has to be asked for

__device__ __forceinline__ void copy_async(void* shared, const void* global) {
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(global) : "memory");
}
__device__ __forceinline__ void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int kLeft>
__device__ __forceinline__ void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kLeft) : "memory");
}
__device__ __forceinline__ void arrive_at_cluster() { asm volatile("barrier.cluster.arrive.release;" ::: "memory"); }
__device__ __forceinline__ void wait_for_cluster() { asm volatile("barrier.cluster.wait.acquire;" ::: "memory"); }

template <int W>
__device__ __forceinline__ void load(const float* from, float (&to)[W]) {
  if constexpr (W == 4) {
    const float4 all = *reinterpret_cast<const float4*>(from);
    to[0] = all.x, to[1] = all.y, to[2] = all.z, to[3] = all.w;
  } else {
    to[0] = *from;
  }
}
template <int W>
__device__ __forceinline__ void store(float* to, const float (&from)[W]) {
  if constexpr (W == 4)
    *reinterpret_cast<float4*>(to) = make_float4(from[0], from[1], from[2], from[3]);
  else
    *to = from[0];
}

// A bucket, the part of it that this block has, and where in shared memory that is staged.
struct Turn {
  std::uint64_t bucket = 0, first = 0;
  std::uint32_t count = 0, staged = 0;
};

// A block's share of the kernel. Every thread copies, and later reads, the same elements: no barrier stands between.
// kRounds > 0: four servers, and a part is as many rounds of the threads. What a thread has looked at it then holds in registers until
// the scale is known, so that all stages are on their way. 0: any part of any number of servers.
template <bool kPlain, int W, bool kStaged, int kRounds>
class Block {
 public:
  __device__ Block(const CodePlan& plan, const ExchangeBuffers& buffers, const ExchangeLayout& layout, char* shared,
                   std::uint32_t* warps, std::uint32_t* slots)
      : plan_(plan), buffers_(buffers), layout_(layout), shared_(shared), warps_(warps), slots_(slots) {}

  __device__ void run() {
    const std::uint64_t buckets = (plan_.length + plan_.bucket - 1) / plan_.bucket;
    const std::uint64_t stride = gridDim.x / layout_.cluster, begin = blockIdx.x / layout_.cluster;
    if (begin >= buckets) return;  // all blocks of a cluster alike
    arrive_at_cluster();           // all of them must have begun before one writes to another
    step_ = buffers_.state->step;
    if constexpr (kRounds > 0)
      hold(begin, stride, buckets);
    else
      stage(begin, stride, buckets);
  }

 private:
  static constexpr std::uint32_t kServers = 4;
  struct Held {
    float values[kRounds > 0 ? kRounds : 1][kServers][W];
  };

  __device__ void stage(std::uint64_t begin, std::uint64_t stride, std::uint64_t buckets) {
    // The first bucket's scale, with the second on its way
    Turn now = turn(begin, 0), next = turn(begin + stride, 1);
    fetch(now);
    fetch(next);
    bring_table();
    wait_for_cluster();
    look(now, 0);
    wait_for_cluster();
    BucketScale scale = scale_from(0, now.bucket);

    for (std::uint32_t n = 0, free = 2;; ++n) {
      const bool follows = next.bucket < buckets;
      const Turn after = turn(next.bucket + stride, free);
      if (follows) {
        fetch(after);
        look(next, n + 1);
      }
      for (std::uint32_t e = W * threadIdx.x; e < now.count; e += W * blockDim.x)
        average(now, e, scale, [&](std::uint32_t i, float(&values)[W]) { load_of(now, i, e, values); });
      if (!follows) break;
      wait_for_cluster();
      scale = scale_from(n + 1, next.bucket);
      now = next, next = after;
      free = free + 1 == kStages ? 0 : free + 1;
    }
  }

  __device__ void hold(std::uint64_t begin, std::uint64_t stride, std::uint64_t buckets) {
    for (std::uint32_t k = 0; k < kStages; ++k) fetch(turn(begin + k * stride, k));
    bring_table();
    wait_for_cluster();
    Turn now = turn(begin, 0);
    Held held, coming;
    take(now, stride, held, 0);
    wait_for_cluster();
    BucketScale scale = scale_from(0, now.bucket);

    for (std::uint32_t n = 0, k = 1;; ++n) {
      const Turn next = turn(now.bucket + stride, k);
      const bool follows = next.bucket < buckets;
      if (follows) take(next, stride, coming, n + 1);
#pragma unroll
      for (int r = 0; r < kRounds; ++r) {
        const std::uint32_t e = W * (threadIdx.x + r * blockDim.x);
        if (e < now.count)
          average(now, e, scale, [&](std::uint32_t i, float(&values)[W]) {
#pragma unroll
            for (int w = 0; w < W; ++w) values[w] = held.values[r][i][w];
          });
      }
      if (!follows) break;
      wait_for_cluster();
      scale = scale_from(n + 1, next.bucket);
      now = next, held = coming;
      k = k + 1 == kStages ? 0 : k + 1;
    }
  }

  // To registers, and the stage is free for another bucket.
  __device__ void take(const Turn& turn, std::uint64_t stride, Held& held, std::uint32_t n) {
    wait_for_copies<kStages - 1>();
    float magnitude = 0;
    held = {};
#pragma unroll
    for (int r = 0; r < kRounds; ++r) {
      const std::uint32_t e = W * (threadIdx.x + r * blockDim.x);
#pragma unroll
      for (std::uint32_t i = 0; i < kServers; ++i) {
        if (e < turn.count) load_of(turn, i, e, held.values[r][i]);
#pragma unroll
        for (int w = 0; w < W; ++w) magnitude = larger_magnitude(magnitude, held.values[r][i][w]);
      }
    }
    Turn later = this->turn(turn.bucket + kStages * stride, 0);
    later.staged = turn.staged;
    fetch(later);
    tell(magnitude, n);
  }

  __device__ std::uint32_t servers() const { return kRounds > 0 ? kServers : plan_.servers; }

  __device__ Turn turn(std::uint64_t bucket, std::uint32_t stage) const {
    const std::uint64_t begin = bucket * plan_.bucket, end = min(begin + plan_.bucket, plan_.length);
    Turn turn{.bucket = bucket, .first = begin + static_cast<std::uint64_t>(rank_) * layout_.part};
    if (turn.first < end)
      turn.count = static_cast<std::uint32_t>(min(end - turn.first, static_cast<std::uint64_t>(layout_.part)));
    turn.staged = stage * servers() * layout_.part;
    return turn;
  }
  __device__ float* staged(const Turn& turn, std::uint32_t server, std::uint32_t e) const {
    return reinterpret_cast<float*>(shared_ + layout_.table_bytes) + (turn.staged + server * layout_.part + e);
  }

  // The table is a tensor of its own: at a multiple of 16 bytes, like what it is copied to.
  __device__ void bring_table() {
    table_ = plan_.level[0].table;
    if (layout_.table_bytes == 0) return;
    const std::uint32_t bytes = plan_.level[0].points * (plan_.level[0].wide ? 4 : 1), whole = bytes / 16;
    for (std::uint32_t i = threadIdx.x; i < whole; i += blockDim.x)
      reinterpret_cast<uint4*>(shared_)[i] = static_cast<const uint4*>(table_)[i];
    for (std::uint32_t i = whole * 16 + threadIdx.x; i < bytes; i += blockDim.x)
      shared_[i] = static_cast<const char*>(table_)[i];
    table_ = shared_;
    __syncthreads();
  }

  __device__ const float* gradient(std::uint32_t server, std::uint64_t element) const {
    return buffers_.gradients + server * plan_.length + element;
  }
  __device__ void load_of(const Turn& turn, std::uint32_t server, std::uint32_t e, float (&values)[W]) const {
    load<W>(kStaged ? staged(turn, server, e) : gradient(server, turn.first + e), values);
  }

  // Groups of copies are counted: one for each turn, if an empty one.
  __device__ void fetch(const Turn& turn) {
    if constexpr (kStaged) {
      for (std::uint32_t e = W * threadIdx.x; e < turn.count; e += W * blockDim.x) {
#pragma unroll 4
        for (std::uint32_t i = 0; i < servers(); ++i) copy_async(staged(turn, i, e), gradient(i, turn.first + e));
      }
      commit_copies();
    }
  }

  __device__ void look(const Turn& turn, std::uint32_t n) {
    if constexpr (kStaged) wait_for_copies<1>();
    float magnitude = 0;
    for (std::uint32_t e = W * threadIdx.x; e < turn.count; e += W * blockDim.x) {
#pragma unroll 4
      for (std::uint32_t i = 0; i < servers(); ++i) {
        float values[W];
        load_of(turn, i, e, values);
#pragma unroll
        for (int w = 0; w < W; ++w) magnitude = larger_magnitude(magnitude, values[w]);
        if (!kPlain && plan_.feedback) {
          add_residual(i, turn.first + e, values);
#pragma unroll
          for (int w = 0; w < W; ++w) magnitude = larger_magnitude(magnitude, values[w]);
          if (kStaged) store<W>(staged(turn, i, e), values);
        }
      }
    }

    tell(magnitude, n);
  }

  // The largest magnitude of this block's part goes to all blocks of the cluster: of a warp, of the block, of all. Their answers are there
  // after wait_for_cluster.
  __device__ void tell(float magnitude, std::uint32_t n) {
    const std::uint32_t of_warp = __reduce_max_sync(~0u, __float_as_uint(magnitude));
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 0) warps_[warp] = of_warp;
    __syncthreads();
    if (warp == 0) {
      const std::uint32_t of_block = __reduce_max_sync(~0u, lane < blockDim.x / 32 ? warps_[lane] : 0u);
      if (lane < static_cast<unsigned>(layout_.cluster))
        *cg::this_cluster().map_shared_rank(slots_ + (n & 1) * kMostCluster + rank_, lane) = of_block;
    }
    arrive_at_cluster();
  }

  __device__ BucketScale scale_from(std::uint32_t n, std::uint64_t bucket) {
    const unsigned lane = threadIdx.x % 32, blocks = static_cast<unsigned>(layout_.cluster);
    const auto largest = __reduce_max_sync(~0u, lane < blocks ? slots_[(n & 1) * kMostCluster + lane] : 0u);
    const BucketScale scale = scale_of(plan_, static_cast<std::int32_t>(largest));
    if (scale.fault != Fault::kNone && rank_ == 0 && threadIdx.x == 0)
      atomicMin(reinterpret_cast<unsigned long long*>(&buffers_.state->faulty_bucket), bucket);
    return scale;
  }

  __device__ void add_residual(std::uint32_t server, std::uint64_t element, float (&values)[W]) const {
    float carried[W];
    load<W>(buffers_.residuals + server * plan_.length + element, carried);
#pragma unroll
    for (int w = 0; w < W; ++w) values[w] = sum(values[w], carried[w]);
  }

  // W elements from e on; `read(i, values)` gives what server i has of them.
  template <class Read>
  __device__ void average(const Turn& turn, std::uint32_t e, const BucketScale& scale, Read read) {
    const std::uint64_t element = turn.first + e;
    float averages[W];
    if (scale.fault != Fault::kNone || scale.scale == 0) {
#pragma unroll
      for (int w = 0; w < W; ++w) averages[w] = scale.fault == Fault::kNone ? 0.0f : __int_as_float(0x7fc00000);
    } else if constexpr (kPlain) {
      exchange_plainly<W>(plan_, reinterpret_cast<const std::uint8_t*>(shared_), scale, servers(), read, averages);
    } else {
      const auto entering = [&](std::uint32_t i, float(&values)[W]) {
        read(i, values);
        if (!kStaged && plan_.feedback) add_residual(i, element, values);
      };
      const auto keep = [&](std::uint32_t i, const float(&values)[W]) {
        store<W>(buffers_.residuals + i * plan_.length + element, values);
      };
      exchange<W>(plan_, table_, scale, element, step_, entering, keep, averages);
    }
    store<W>(buffers_.average + element, averages);
  }

  const CodePlan& plan_;
  const ExchangeBuffers& buffers_;
  const ExchangeLayout& layout_;
  char* shared_;
  std::uint32_t *warps_, *slots_;
  unsigned rank_ = cg::this_cluster().block_rank();
  const void* table_ = nullptr;
  std::uint64_t step_ = 0;
};

}  // namespace
}  // namespace helio::train
