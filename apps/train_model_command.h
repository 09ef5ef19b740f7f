// SPDX-License-Identifier: Apache-2.0
// helio-train model, which `helio train` starts: a model by N data-parallel servers whose gradients go through a network (docs/training.md).
#pragma once

#include <CLI/App.hpp>
#include <memory>
#include <string>

namespace helio::apps {

class TrainModelCommand {
 public:
  explicit TrainModelCommand(CLI::App& app);
  ~TrainModelCommand();
  TrainModelCommand(const TrainModelCommand&) = delete;
  TrainModelCommand& operator=(const TrainModelCommand&) = delete;

  bool asked() const;
  // `command`: the whole command line, for the result.
  void run(const std::string& command);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace helio::apps
