// SPDX-License-Identifier: Apache-2.0
// Where a training runs: one thread of the CPU (so that the same command gives the same bytes), or a CUDA device.
#pragma once

#include <c10/core/Device.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace helio::train {

// "cpu" or "cuda". Throws Error(kInput) for another name, Error(kInfeasible) where there is no CUDA device. Sets the number of
// threads, and on CUDA a stream of this thread's own, which recording needs.
at::Device device_named(std::string_view name, std::string_view place);

// "cpu, libtorch 1.13", "NVIDIA H200, libtorch 2.11".
std::string describe(const at::Device& device);

// Products of matrices with ten bits of mantissa (tf32), where the device has them: faster steps, never used to count.
void allow_short_products(bool allow);

// Kernels that give the same bits every time, where there is a choice.
void make_repeatable();

// Until all that was asked of the device is done.
void wait_for(const at::Device& device);

// A step that is launched many times. On CUDA its kernels are recorded once and replayed without the cost of launching
// each; on the CPU it simply runs. The step reads and writes the same tensors every time and never waits for the device.
class RecordedStep {
 public:
  RecordedStep(const at::Device& device, std::function<void()> step);
  ~RecordedStep();
  RecordedStep(const RecordedStep&) = delete;
  RecordedStep& operator=(const RecordedStep&) = delete;

  void run();

 private:
  struct Recording;
  std::function<void()> step_;
  std::unique_ptr<Recording> recording_;  // none on the CPU
};

}  // namespace helio::train
