// SPDX-License-Identifier: Apache-2.0
// helio-train: what needs libtorch. `helio train` and `helio onn train` start it.
//
//   helio-train onn --servers 4 --bits 8 --structure ud --seed 1 --out net.json
//   helio-train model resnet50 --data cifar100 --train train.bin --test test.bin --servers 4 --exchange optinc --network net.json
//   helio-train exchange --servers 4 --elements 100000000 --device cuda
#include <c10/util/Exception.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "base/error.h"
#include "complaint.h"
#include "train_commands.h"

namespace {

using namespace helio;

// In words that people typed: "helio train" where helio started this program (apps/onn_commands.cpp).
std::string called(const char* first_word) {
  const std::string word = first_word;
  return word.starts_with("helio ") ? word : "helio-train";
}

// Help that opens with them too.
class CalledFormatter : public CLI::Formatter {
 public:
  explicit CalledFormatter(std::string name) : name_(std::move(name)) {}
  std::string make_usage(const CLI::App* app, std::string name) const override {
    return CLI::Formatter::make_usage(app, name_ == "helio-train" ? name : name_);
  }

 private:
  std::string name_;
};

// libtorch's own words, without the addresses behind them; memory that is not there is nobody's fault.
int complain_of(const c10::Error& problem, const std::string& name) {
  std::string what = problem.what_without_backtrace();
  if (const std::size_t words = what.find("DefaultCPUAllocator: "); words != std::string::npos) what.erase(0, words);
  const bool memory =
      what.find("allocate memory") != std::string::npos || what.find("out of memory") != std::string::npos;
  if (memory)
    return apps::complain(name, exit_code(ErrorKind::kInfeasible), "this needs more memory than there is: " + what, "",
                          "Give smaller sizes, fewer servers or a smaller batch");
  return apps::complain(name, 1, what, "", "");
}

// 0, or the exit code where what was printed went nowhere.
int told(const std::string& name) {
  std::cout.flush();
  if (std::cout && std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
  return apps::complain(name, exit_code(ErrorKind::kInput), "cannot write to standard output", "",
                        "Check where it goes");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = called(argv[0]);
  CLI::App app{"Training for Heliograph", "helio-train"};
  app.formatter(std::make_shared<CalledFormatter>(name));
  app.require_subcommand(1);
  apps::TrainCommands commands;
  apps::add_onn_training(app, commands);
  apps::add_model_training(app, commands);
  apps::add_device_checks(app, commands);
  try {
    app.parse(argc, argv);
    std::string command = "helio-train";
    for (int i = 1; i < argc; ++i) command += fmt::format(" {}", argv[i]);
    for (const apps::TrainCommand& asked : commands)
      if (asked.app->parsed() && !asked.run(command))
        return apps::complain(name, 1, "the device does not compute what it should", "", "See what was printed");
    return told(name);
  } catch (const CLI::ParseError& problem) {
    if (problem.get_exit_code() == 0) {
      app.exit(problem);
      return told(name);
    }
    return apps::complain(
        name, exit_code(ErrorKind::kUsage), problem.what(), "",
        fmt::format("See {} --help{}", name, name == "helio-train" ? ", or --help after a command" : ""));
  } catch (const Error& problem) {
    return apps::complain(name, exit_code(problem.kind()), problem.message(), problem.place(), problem.advice());
  } catch (const c10::Error& problem) {
    return complain_of(problem, name);
  } catch (const std::bad_alloc&) {
    return apps::complain(name, exit_code(ErrorKind::kInfeasible), "this needs more memory than the machine has", "",
                          "Give smaller sizes, fewer examples, fewer servers or a smaller batch");
  } catch (const std::exception& problem) {
    return apps::complain(name, 1, problem.what(), "", "");
  }
}
