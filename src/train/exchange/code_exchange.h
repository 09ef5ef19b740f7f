// SPDX-License-Identifier: Apache-2.0
// Gradients as codes of B bits through optical switches (emulate/optical_exchange.h), in a training: `quantised` and `optinc`.
//
//     CPU    emulate::OpticalExchange, one thread
//     CUDA   one fused kernel (code_kernel.h), the same bits
//
// The average is the sum that the switches give, times 1/N.
#pragma once

#include <memory>
#include <optional>

#include "emulate/optical_exchange.h"
#include "train/exchange/averager_of.h"
#include "train/exchange/gradient_exchange.h"

namespace helio::train {

class CodeExchange : public GradientExchange {
 public:
  // Of the state as it is: without error feedback the draws are those of the last average; with it, what the servers carry now is
  // added once more.
  nlohmann::ordered_json measured(const at::Tensor& gradients) override;
  std::string describe() const override;
  void write(Checkpoint& checkpoint) const override;
  void read(const Checkpoint& checkpoint, const std::string& path, std::string_view place) override;

 protected:
  CodeExchange(const ExchangeSpec& spec, int servers, std::int64_t length, const emulate::CodeAverager& averager,
               std::string words);

  // What a later average depends on. Residuals are [N × P] on the CPU, or undefined where nothing is carried (yet).
  struct State {
    std::uint64_t step = 0;
    at::Tensor residuals;
  };
  virtual State state() const = 0;
  virtual void set_state(const State& state) = 0;
  virtual const emulate::CodeAverager& averager() const = 0;

  ExchangeSpec spec_;
  int servers_;
  std::int64_t length_;
  emulate::ExchangeOptions options_;

 private:
  std::string words_;
  std::unique_ptr<emulate::OpticalExchange> meter_;  // once something was measured
};

// On the CPU, or on a CUDA device where kernels were built; else Error(kInfeasible).
ExchangeEntry quantised();
ExchangeEntry optinc();
std::unique_ptr<GradientExchange> make_cuda_code_exchange(const ExchangeSpec& spec, int servers, std::int64_t length,
                                                          const at::Device& device, Switches switches);

// Rows of a contiguous float tensor on the CPU, and back.
std::vector<std::span<const float>> rows_of(const at::Tensor& tensor);

}  // namespace helio::train
