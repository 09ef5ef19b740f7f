// SPDX-License-Identifier: Apache-2.0
#include "train/exchange/code_kernel.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "train/exchange/code_block.cuh"

namespace helio::train {
namespace {

constexpr int kPlainThreads = 1024, kThreads = 512;
constexpr int kRounds = 2;                            // of elements that a thread holds
constexpr std::uint32_t kMostTableBytes = 72 * 1024;  // that are worth their place in shared memory
constexpr std::uint32_t kOwnBytes = 1024;             // static shared memory of a block, at most

constexpr int most_threads(bool plain, int held) { return plain && held < kRounds ? kPlainThreads : kThreads; }

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

template <bool kPlain, int W, bool kStaged, int kHeld = 0>
__global__ void __launch_bounds__(most_threads(kPlain, kHeld), 1)
    exchange_kernel(const __grid_constant__ CodePlan plan, const __grid_constant__ ExchangeBuffers buffers,
                    const __grid_constant__ ExchangeLayout layout) {
  extern __shared__ __align__(16) char shared[];
  __shared__ std::uint32_t warps[32], slots[2 * kMostCluster];
  Block<kPlain, W, kStaged, kHeld>(plan, buffers, layout, shared, warps, slots).run();
}

// After a step: count it, and where a bucket had no scale find out what the CPU would say. One block.
__global__ void follow_up(const __grid_constant__ CodePlan plan, const __grid_constant__ ExchangeBuffers buffers) {
  ExchangeState& state = *buffers.state;
  if (threadIdx.x == 0) ++state.step;
  if (state.faulty_bucket == ~std::uint64_t{0} || state.fault != Fault::kNone) return;

  __shared__ unsigned long long earliest;
  __shared__ std::int32_t largest;
  if (threadIdx.x == 0) earliest = ~0ull, largest = 0;
  __syncthreads();
  const std::uint64_t begin = state.faulty_bucket * plan.bucket;
  const std::uint64_t count = min(plan.bucket, plan.length - begin);
  for (std::uint64_t k = threadIdx.x; k < plan.servers * count; k += blockDim.x) {
    const std::uint64_t at = k / count * plan.length + begin + k % count;
    const float value = buffers.gradients[at];
    if (magnitude_bits(value) >= kInfinityBits) atomicMin(&earliest, k);
    atomicMax(&largest, magnitude_bits(value));
    if (plan.feedback) atomicMax(&largest, magnitude_bits(sum(value, buffers.residuals[at])));
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  state.first = begin;
  state.count = count;
  state.value = __int_as_float(largest);
  state.fault = scale_of(plan, largest).fault;
  if (state.fault != Fault::kNotFinite) return;
  if (earliest == ~0ull) {
    state.fault = Fault::kCarriedTooMuch;
    return;
  }
  state.server = static_cast<std::uint32_t>(earliest / count);
  state.element = begin + earliest % count;
  state.value = buffers.gradients[state.server * plan.length + state.element];
}

using Kernel = void (*)(CodePlan, ExchangeBuffers, ExchangeLayout);

// Whether a thread can hold its elements in registers.
bool held(const CodePlan& plan, std::uint64_t part, int threads) {
  return plan.plain && plan.servers == 4 && threads <= kThreads && part <= std::uint64_t{4} * kRounds * threads;
}

Kernel kernel_of(const CodePlan& plan, const ExchangeLayout& layout) {
  const bool plain = plan.plain && layout.table_bytes > 0;
  if (!layout.wide) return exchange_kernel<false, 1, false>;
  if (layout.staged && plain && held(plan, layout.part, layout.threads)) return exchange_kernel<true, 4, true, kRounds>;
  if (layout.staged) return plain ? exchange_kernel<true, 4, true> : exchange_kernel<false, 4, true>;
  return plain ? exchange_kernel<true, 4, false> : exchange_kernel<false, 4, false>;
}

// What a launch needs, in the words of the runtime.
struct Launch {
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute cluster = {};

  Launch(const ExchangeLayout& layout, cudaStream_t stream) {
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = static_cast<unsigned>(layout.cluster);
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    config.gridDim = dim3(static_cast<unsigned>(layout.cluster * layout.clusters));
    config.blockDim = dim3(static_cast<unsigned>(layout.threads));
    config.dynamicSmemBytes = layout.shared_bytes;
    config.stream = stream;
    config.attrs = &cluster;
    config.numAttrs = 1;
  }
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;
};

// How many clusters of this layout the device holds at once.
int clusters_of(const CodePlan& plan, const ExchangeLayout& layout) {
  const auto kernel = reinterpret_cast<const void*>(kernel_of(plan, layout));
  check(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(layout.shared_bytes)),
      "shared memory of the exchange");
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), "clusters of the exchange");
  ExchangeLayout one = layout;
  one.clusters = 1;
  const Launch launch(one, nullptr);
  int clusters = 0;
  if (cudaOccupancyMaxActiveClusters(&clusters, kernel, &launch.config) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  return clusters;
}

}  // namespace

ExchangeLayout lay_out(const CodePlan& plan, bool aligned) {
  int device = 0, most_shared = 0;
  check(cudaGetDevice(&device), "device");
  check(cudaDeviceGetAttribute(&most_shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "shared memory");
  const std::uint64_t bucket = std::min(plan.bucket, plan.length),
                      buckets = (plan.length + plan.bucket - 1) / plan.bucket;
  const auto budget = static_cast<std::uint64_t>(most_shared) - kOwnBytes;

  ExchangeLayout layout;
  layout.wide = aligned && plan.length % 4 == 0 && (plan.bucket % 4 == 0 || buckets == 1);
  const CodeLevel& first = plan.level[0];
  const std::uint64_t table = std::uint64_t{first.points} * (first.wide ? 4 : 1);
  if (first.table && first.tables == 1 && table <= kMostTableBytes && table <= budget)
    layout.table_bytes = static_cast<std::uint32_t>((table + 15) / 16 * 16);
  const int threads =
      layout.wide && plan.plain && layout.table_bytes > 0 ? kPlainThreads : kThreads;  // as kernel_of chooses

  const auto part_of_cluster = [&](int cluster) { return ((bucket + cluster - 1) / cluster + 3) / 4 * 4; };
  const auto try_cluster = [&](int cluster, bool staged) {
    const std::uint64_t part = part_of_cluster(cluster);
    const std::uint64_t shared = layout.table_bytes + (staged ? kStages * part * plan.servers * 4 : 0);
    if (shared > budget || part > 0xfffffff0u) return false;
    layout.cluster = cluster;
    layout.part = static_cast<std::uint32_t>(part);
    layout.staged = staged;
    layout.shared_bytes = static_cast<std::uint32_t>(shared);
    const bool holds = staged && layout.table_bytes > 0 && held(plan, part, kThreads);
    const std::uint64_t useful = (part / (layout.wide ? 4 : 1) / (holds ? kRounds : 1) + 31) / 32 * 32;
    layout.threads = static_cast<int>(
        std::clamp<std::uint64_t>(useful, 128, static_cast<std::uint64_t>(holds ? kThreads : threads)));
    layout.clusters = clusters_of(plan, layout);
    return layout.clusters > 0;
  };

  // The smallest cluster that holds three parts a block; else one with about a round of elements for each thread
  bool found = false;
  for (int cluster = 1; layout.wide && !found && cluster <= kMostCluster; cluster *= 2)
    found = try_cluster(cluster, true);
  for (int cluster = kMostCluster; !found && cluster >= 1; cluster /= 2)
    if (cluster == 1 || part_of_cluster(cluster) >= static_cast<std::uint64_t>(threads) * (layout.wide ? 4 : 1))
      found = try_cluster(cluster, false);
  if (!found) throw std::runtime_error("the device admits no layout of the exchange");
  layout.clusters = static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(layout.clusters), buckets));
  return layout;
}

void launch_exchange(const CodePlan& plan, const ExchangeBuffers& buffers, const ExchangeLayout& layout,
                     cudaStream_t stream) {
  const Launch launch(layout, stream);
  check(cudaLaunchKernelEx(&launch.config, kernel_of(plan, layout), plan, buffers, layout), "exchange");
  follow_up<<<1, 1024, 0, stream>>>(plan, buffers);
  check(cudaGetLastError(), "after the exchange");
}

}  // namespace helio::train
