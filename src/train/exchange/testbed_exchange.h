// SPDX-License-Identifier: Apache-2.0
// Gradients through a testbed (testbed/testbed.h): every server's row goes to a process of its own, which exchanges real bytes with the others
// along light that a switch enforces, or over an ideal switch.
//
// Settings: `algorithm` (ring), `switch` (light or ideal), and fabric.NAME of fabric oddl. The additions are those of the schedule in the same
// order, so that the average is that of the exchange of the algorithm's name to the last bit, whatever the switch.
#pragma once

#include <ATen/core/Tensor.h>

#include "testbed/testbed.h"
#include "train/exchange/gradient_exchange.h"

namespace helio::train {

class TestbedExchange : public GradientExchange {
 public:
  // Starts the testbed. Throws what testbed::make_plan and Testbed throw, and Error(kInput) for other settings.
  TestbedExchange(const ExchangeSpec& spec, int servers, std::int64_t length);

  void average(at::Tensor& gradients, at::Tensor& average) override;
  // exchange_s: how long the last exchange took, by the testbed's clock.
  nlohmann::ordered_json measured(const at::Tensor&) override { return {{"exchange_s", last_.to_seconds()}}; }
  std::string describe() const override;
  void write(Checkpoint&) const override {}
  void read(const Checkpoint&, const std::string&, std::string_view) override {}

 private:
  bool ideal_;
  testbed::Testbed testbed_;
  Time last_;
};

ExchangeEntry testbed_exchange();

}  // namespace helio::train
