// SPDX-License-Identifier: Apache-2.0
// helio-train exchange and helio-train check: the exchange of gradients and our kernels on a device, tried before they are trained with.
#pragma once

#include <CLI/App.hpp>
#include <memory>

namespace helio::apps {

class TrainExchangeCommand {
 public:
  explicit TrainExchangeCommand(CLI::App& app);
  ~TrainExchangeCommand();
  TrainExchangeCommand(const TrainExchangeCommand&) = delete;
  TrainExchangeCommand& operator=(const TrainExchangeCommand&) = delete;

  bool asked() const;
  // False: something differs from what it should be.
  bool run();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace helio::apps
