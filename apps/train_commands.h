// SPDX-License-Identifier: Apache-2.0
// The commands of helio-train: each is declared once, with its options, and comes with what it does when it was asked for.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <string>
#include <vector>

namespace helio::apps {

struct TrainCommand {
  CLI::App* app;
  // `command`: the whole command line, for results and files. False: a device does not compute what it should. Throws Error.
  std::function<bool(const std::string& command)> run;
};
using TrainCommands = std::vector<TrainCommand>;

// onn: an optical averager by training (docs/onn-training.md).
void add_onn_training(CLI::App& app, TrainCommands& commands);
// model, which `helio train` starts: a model by N data-parallel servers whose gradients go through a network (docs/training.md).
void add_model_training(CLI::App& app, TrainCommands& commands);
// exchange and norms: the exchange of gradients and our kernels on a device, tried before they are trained with.
void add_device_checks(CLI::App& app, TrainCommands& commands);

}  // namespace helio::apps
