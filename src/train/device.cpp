// SPDX-License-Identifier: Apache-2.0
#include "train/device.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <torch/version.h>
#ifdef HELIO_CUDA
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>
#endif

#include <cstdlib>
#include <utility>

#include "base/error.h"

namespace helio::train {

at::Device device_named(std::string_view name, std::string_view place) {
  at::set_num_threads(1);
  if (name == "cpu") return at::kCPU;
  if (name != "cuda") throw unknown_name("device", name, {"cpu", "cuda"}, std::string(place));
#ifdef HELIO_CUDA
  if (at::globalContext().hasCUDA() && c10::cuda::device_count() > 0) {
    c10::cuda::setCurrentCUDAStream(c10::cuda::getStreamFromPool());
    return {at::kCUDA, c10::cuda::current_device()};
  }
#endif
  throw Error(ErrorKind::kInfeasible, "this build of libtorch sees no CUDA device", std::string(place),
              "Use --device cpu");
}

std::string describe(const at::Device& device) {
  std::string name = "cpu";
#ifdef HELIO_CUDA
  cudaDeviceProp properties;
  if (device.is_cuda() && cudaGetDeviceProperties(&properties, device.index()) == cudaSuccess) name = properties.name;
#endif
  if (!device.is_cpu() && name == "cpu") name = device.str();
  return fmt::format("{}, libtorch {}.{}", name, TORCH_VERSION_MAJOR, TORCH_VERSION_MINOR);
}

void allow_short_products(bool allow) { at::globalContext().setAllowTF32CuBLAS(allow); }

void make_repeatable() {
  at::globalContext().setDeterministicCuDNN(true);
  at::globalContext().setBenchmarkCuDNN(false);
  at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/true);
#if TORCH_VERSION_MAJOR >= 2
  at::globalContext().setDeterministicFillUninitializedMemory(false);  // costs a pass over memory, helps debugging only
#endif
  setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);
}

void wait_for([[maybe_unused]] const at::Device& device) {
#ifdef HELIO_CUDA
  if (device.is_cuda()) cudaDeviceSynchronize();
#endif
}

#ifdef HELIO_CUDA
struct RecordedStep::Recording {
  static constexpr int kWarm = 3;  // libraries choose and allocate in the first launches
  int runs = 0;
  at::cuda::CUDAGraph graph;
};
#else
struct RecordedStep::Recording {};
#endif

RecordedStep::RecordedStep(const at::Device& device, std::function<void()> step) : step_(std::move(step)) {
  if (device.is_cuda()) recording_ = std::make_unique<Recording>();
}

RecordedStep::~RecordedStep() = default;

void RecordedStep::run() {
#ifdef HELIO_CUDA
  if (recording_ && recording_->runs++ >= Recording::kWarm) {
    if (recording_->runs == Recording::kWarm + 1) {
      recording_->graph.capture_begin();
      step_();
      recording_->graph.capture_end();
    }
    recording_->graph.replay();
    return;
  }
#endif
  step_();
}

}  // namespace helio::train
