// SPDX-License-Identifier: Apache-2.0
// helio-train: what needs libtorch. `helio train` and `helio onn train` start it.
//
//   helio-train onn --servers 4 --bits 8 --structure ud --seed 1 --out net.json
//   helio-train model resnet50 --data cifar100 --train train.bin --test test.bin --servers 4 --exchange optinc --network net.json
//   helio-train exchange --servers 4 --elements 100000000 --device cuda
#include <c10/util/Exception.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/error.h"
#include "complaint.h"
#include "program.h"
#include "train_commands.h"

namespace {

using namespace helio;

constexpr const char* kSmaller = "Give smaller sizes, fewer examples, fewer servers or a smaller batch";

// In words that people typed: "helio train" where helio started this program (apps/onn_commands.cpp).
std::string called(const char* first_word) {
  const std::string word = first_word;
  return word.starts_with("helio ") ? word : "helio-train";
}

// Help that opens with them too, without empty lines: there are many options.
class CalledFormatter : public CLI::Formatter {
 public:
  explicit CalledFormatter(std::string name) : name_(std::move(name)) {}
  std::string make_usage(const CLI::App* app, std::string name) const override {
    return CLI::Formatter::make_usage(app, name_ == "helio-train" ? name : name_);
  }
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
    for (std::size_t at; (at = text.find("\n\n")) != std::string::npos;) text.erase(at, 1);
    return text;
  }

 private:
  std::string name_;
};

// libtorch's own words, without the addresses behind them; memory that is not there is nobody's fault.
[[noreturn]] void rethrow(const c10::Error& problem) {
  std::string what = problem.what_without_backtrace();
  if (const std::size_t words = what.find("DefaultCPUAllocator: "); words != std::string::npos) what.erase(0, words);
  if (what.find("allocate memory") != std::string::npos || what.find("out of memory") != std::string::npos)
    throw Error(ErrorKind::kInfeasible, "this needs more memory than there is: " + what, "", kSmaller);
  throw std::runtime_error(what);
}

int run(int argc, char** argv, const std::string& name) {
  CLI::App app{"Training for Heliograph", "helio-train"};
  app.formatter(std::make_shared<CalledFormatter>(name));
  app.require_subcommand(1);
  apps::TrainCommands commands;
  apps::add_onn_training(app, commands);
  apps::add_model_training(app, commands);
  apps::add_device_checks(app, commands);
  const std::string after = name == "helio-train" ? ", or --help after a command" : "";
  if (!apps::parse_words(app, argc, argv, fmt::format("See {} --help{}", name, after))) return 0;
  std::string command = "helio-train";
  for (int i = 1; i < argc; ++i) command += fmt::format(" {}", argv[i]);
  try {
    for (const apps::TrainCommand& asked : commands)
      if (asked.app->parsed() && !asked.run(command))
        return apps::complain(name, 1, "the device does not compute what it should", "", "See what was printed");
  } catch (const c10::Error& problem) {
    rethrow(problem);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = called(argv[0]);
  return apps::run_program({.name = name, .smaller = kSmaller, .counts_mapped = false},
                           [&] { return run(argc, argv, name); });
}
