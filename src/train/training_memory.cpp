// SPDX-License-Identifier: Apache-2.0
#include "train/training_memory.h"

#include <fmt/format.h>
#ifdef HELIO_CUDA
#include <cuda_runtime_api.h>
#endif

#include "base/budget.h"
#include "base/error.h"

namespace helio::train {
namespace {

constexpr double kVectors = 5, kGiB = 1024.0 * 1024 * 1024;

}  // namespace

double least_bytes(double parameters, int servers) { return 4 * (kVectors + servers) * parameters; }

double memory_of([[maybe_unused]] const at::Device& device) {
#ifdef HELIO_CUDA
  cudaDeviceProp properties;
  if (device.is_cuda() && cudaGetDeviceProperties(&properties, device.index()) == cudaSuccess)
    return static_cast<double>(properties.totalGlobalMem);
#endif
  return available_memory();
}

void check_memory(double parameters, int servers, const at::Device& device) {
  const double needed = least_bytes(parameters, servers), there = memory_of(device);
  if (needed > there)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("{:.4g} parameters on {} servers need {:.4g} GiB or more, and there are {:.4g} GiB",
                            parameters, servers, needed / kGiB, there / kGiB),
                "MODEL", "Give a smaller --width or fewer --servers, or fewer layers where the model lets you");
}

}  // namespace helio::train
