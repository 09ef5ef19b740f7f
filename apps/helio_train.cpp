// SPDX-License-Identifier: Apache-2.0
// helio-train: what needs libtorch. `helio train` and `helio onn train` start it.
//
//   helio-train onn --servers 4 --bits 8 --structure ud --seed 1 --out net.json
//   helio-train model resnet50 --data cifar100 --train train.bin --test test.bin --servers 4 --exchange optinc --network net.json
//   helio-train exchange --servers 4 --elements 100000000 --device cuda
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <string>

#include "base/error.h"
#include "complaint.h"
#include "train_exchange_command.h"
#include "train_model_command.h"
#include "train_onn_command.h"

int main(int argc, char** argv) {
  using namespace helio;
  CLI::App app{"Training for Heliograph", "helio-train"};
  app.require_subcommand(1);
  apps::TrainOnnCommand onn(app);
  apps::TrainModelCommand model(app);
  apps::TrainExchangeCommand exchange(app);
  try {
    app.parse(argc, argv);
    std::string command = "helio-train";
    for (int i = 1; i < argc; ++i) command += fmt::format(" {}", argv[i]);
    if (onn.asked()) onn.run(command);
    if (model.asked()) model.run(command);
    if (exchange.asked() && !exchange.run())
      return apps::complain("helio-train", 1, "the device does not compute what it should", "", "See what was printed");
    return 0;
  } catch (const CLI::ParseError& problem) {
    if (problem.get_exit_code() == 0) return app.exit(problem);
    return apps::complain("helio-train", exit_code(ErrorKind::kUsage), problem.what(), "",
                          "See helio-train --help, or --help after a command");
  } catch (const Error& problem) {
    return apps::complain("helio-train", exit_code(problem.kind()), problem.message(), problem.place(),
                          problem.advice());
  } catch (const std::exception& problem) {
    return apps::complain("helio-train", 1, problem.what(), "", "");
  }
}
