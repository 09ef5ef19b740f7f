// SPDX-License-Identifier: Apache-2.0
#include "train_exchange_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "exchange_options.h"
#include "progress.h"
#include "train/device.h"
#include "train/exchange/exchange_check.h"
#include "train/models/batch_norm.h"

namespace helio::apps {
namespace {

constexpr double kMostRoundings = 2;  // between a fused batch norm and the exact one

}  // namespace

struct TrainExchangeCommand::Parts {
  CLI::App *exchange = nullptr, *norms = nullptr;
  train::ExchangeCheck check;
  ExchangeOptions options;
  std::string device = "cpu";
};

TrainExchangeCommand::TrainExchangeCommand(CLI::App& app) : parts_(std::make_unique<Parts>()) {
  Parts& p = *parts_;
  p.exchange = app.add_subcommand("exchange", "time an exchange of gradients and compare its bits with the CPU's");
  add_exchange_options(*p.exchange, p.check.spec, p.options);
  p.exchange->add_option("--servers", p.check.servers, "N")->capture_default_str();
  p.exchange->add_option("--elements", p.check.elements, "of a gradient")->capture_default_str();
  p.exchange->add_option("--repeats", p.check.repeats, "exchanges that are timed")->capture_default_str();
  p.exchange->add_option("--compared", p.check.compared, "elements of each comparison; 0: none")->capture_default_str();
  p.exchange->add_option("--device", p.device, "cpu or cuda")->capture_default_str();
  p.norms = app.add_subcommand("norms", "compare the fused batch norm of a CUDA device with libtorch's");
  p.norms->add_option("--device", p.device, "cuda")->capture_default_str();
}

TrainExchangeCommand::~TrainExchangeCommand() = default;

bool TrainExchangeCommand::asked() const { return parts_->exchange->parsed() || parts_->norms->parsed(); }

bool TrainExchangeCommand::run() {
  Parts& p = *parts_;
  const at::Device device = train::device_named(p.device, "--device");
  if (p.norms->parsed()) {
    const train::Difference difference = train::batch_norm_difference(device);
    fmt::print("{}\n", nlohmann::ordered_json{{"device", train::describe(device)},
                                              {"roundings", difference.roundings},
                                              {"where", difference.where},
                                              {"allowed", kMostRoundings}}
                           .dump());
    return difference.roundings <= kMostRoundings;
  }
  complete(*p.exchange, p.options, p.check.spec);
  Progress progress;
  p.check.tell = [&](const std::string& what) { progress.show(what); };
  const nlohmann::ordered_json found = train::check_exchange(p.check, device);
  fmt::print("{}\n", found.dump());
  return !found.contains("same_bits") || found.at("same_bits").is_null() || found.at("same_bits").get<bool>();
}

}  // namespace helio::apps
