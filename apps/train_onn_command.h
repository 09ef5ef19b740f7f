// SPDX-License-Identifier: Apache-2.0
// helio-train onn: an optical averager by training (docs/onn-training.md).
#pragma once

#include <CLI/App.hpp>
#include <memory>
#include <string>

namespace helio::apps {

class TrainOnnCommand {
 public:
  explicit TrainOnnCommand(CLI::App& app);
  ~TrainOnnCommand();
  TrainOnnCommand(const TrainOnnCommand&) = delete;
  TrainOnnCommand& operator=(const TrainOnnCommand&) = delete;

  bool asked() const;
  // `command`: the whole command line, for the network's file.
  void run(const std::string& command);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace helio::apps
