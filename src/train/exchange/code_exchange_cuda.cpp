// SPDX-License-Identifier: Apache-2.0
// CodeExchange on a CUDA device: tables, residuals and the number of steps live there. A fault of a step is told by the next call that
// sees it: average() looks at what has arrived and does not wait, write() and measured() wait.
#ifdef HELIO_CUDA_KERNELS

#include <ATen/ATen.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <cassert>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/error.h"
#include "train/exchange/code_exchange.h"
#include "train/exchange/code_kernel.h"
#include "train/exchange/code_plan.h"

namespace helio::train {
namespace {

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw std::runtime_error(fmt::format("{}: {}", what, cudaGetErrorString(status)));
}

at::Tensor bytes_on(const at::Device& device, const void* data, std::size_t bytes) {
  at::Tensor here = at::empty({static_cast<std::int64_t>(bytes)}, at::kByte);
  std::memcpy(here.data_ptr(), data, bytes);
  return here.to(device);
}

// A state on the host that the device writes to.
class Mirror {
 public:
  Mirror() {
    check(cudaMallocHost(reinterpret_cast<void**>(&state_), sizeof(ExchangeState)), "host memory"), *state_ = {};
  }
  ~Mirror() { cudaFreeHost(state_); }
  Mirror(const Mirror&) = delete;
  Mirror& operator=(const Mirror&) = delete;

  ExchangeState* get() const { return state_; }

 private:
  ExchangeState* state_ = nullptr;
};

class CudaCodeExchange : public CodeExchange {
 public:
  CudaCodeExchange(const ExchangeSpec& spec, int servers, std::int64_t length, const at::Device& device,
                   Switches switches)
      : CodeExchange(spec, servers, length, switches.averager, std::move(switches.words)),
        averager_(std::move(switches.averager)),
        device_(device) {
    plan_ = plan_of(averager_, options_, static_cast<std::uint64_t>(length), [&](const void* table, std::size_t bytes) {
      tables_.push_back(bytes_on(device, table, bytes));
      return tables_.back().data_ptr();
    });
    layouts_[0] = lay_out(plan_, false);
    layouts_[1] = lay_out(plan_, true);
    set_state({});
  }

  void average(at::Tensor& gradients, at::Tensor& average) override {
    assert(gradients.size(0) == servers_ && gradients.size(1) == length_ && gradients.is_contiguous());
    complain_of(*mirror_.get());
    const ExchangeBuffers buffers{.gradients = gradients.data_ptr<float>(),
                                  .residuals = residuals_.defined() ? residuals_.data_ptr<float>() : nullptr,
                                  .average = average.data_ptr<float>(),
                                  .state = static_cast<ExchangeState*>(state_.data_ptr())};
    const auto aligned = [](const void* at) { return reinterpret_cast<std::uintptr_t>(at) % 16 == 0; };
    const bool wide = aligned(buffers.gradients) && aligned(buffers.average) && aligned(buffers.residuals);
    const cudaStream_t stream = c10::cuda::getCurrentCUDAStream(device_.index()).stream();
    launch_exchange(plan_, buffers, layouts_[wide ? 1 : 0], stream);
    check(cudaMemcpyAsync(mirror_.get(), buffers.state, sizeof(ExchangeState), cudaMemcpyDeviceToHost, stream),
          "state of the exchange");
  }

 private:
  void complain_of(const ExchangeState& state) const {
    if (state.fault == Fault::kNone) return;
    throw emulate::error_of({.kind = static_cast<emulate::ScaleFault::Kind>(state.fault),
                             .first = state.first,
                             .count = state.count,
                             .server = state.server,
                             .element = state.element,
                             .value = state.value},
                            static_cast<std::uint32_t>(servers_));
  }

  State state() const override {
    const at::Tensor here = state_.to(at::kCPU);  // waits for what is enqueued
    ExchangeState found;
    std::memcpy(&found, here.data_ptr(), sizeof(found));
    complain_of(found);
    return {found.step, residuals_.defined() && found.step > 0 ? residuals_.to(at::kCPU) : at::Tensor()};
  }
  void set_state(const State& state) override {
    ExchangeState begins;
    begins.step = state.step;
    // In the same memory always: recorded launches know it
    const at::Tensor bytes = bytes_on(device_, &begins, sizeof(begins));
    if (!state_.defined())
      state_ = bytes;
    else
      state_.copy_(bytes);
    *mirror_.get() = begins;
    if (!options_.error_feedback) return;
    if (!residuals_.defined())
      residuals_ = at::zeros({servers_, length_}, at::TensorOptions(at::kFloat).device(device_));
    if (state.residuals.defined())
      residuals_.copy_(state.residuals);
    else
      residuals_.zero_();
  }
  const emulate::CodeAverager& averager() const override { return averager_; }

  emulate::CodeAverager averager_;
  at::Device device_;
  std::vector<at::Tensor> tables_;
  CodePlan plan_;
  ExchangeLayout layouts_[2];  // for rows at any address, and at multiples of 16 bytes
  at::Tensor state_, residuals_;
  Mirror mirror_;
};

}  // namespace

std::unique_ptr<GradientExchange> make_cuda_code_exchange(const ExchangeSpec& spec, int servers, std::int64_t length,
                                                          const at::Device& device, Switches switches) {
  return std::make_unique<CudaCodeExchange>(spec, servers, length, device, std::move(switches));
}

}  // namespace helio::train

#endif
