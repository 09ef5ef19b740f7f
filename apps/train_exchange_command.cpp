// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "base/json_dump.h"
#include "exchange_options.h"
#include "option_bounds.h"
#include "program.h"
#include "progress.h"
#include "train/device.h"
#include "train/exchange/exchange_check.h"
#include "train/models/batch_norm.h"
#include "train_commands.h"

namespace helio::apps {
namespace {

constexpr double kMostRoundings = 2;  // between a fused batch norm and the exact one

struct Options {
  train::ExchangeCheck check;
  ExchangeOptions exchange;
  std::string device = "cpu";
};

bool check_norms(const Options& o) {
  const at::Device device = train::device_named(o.device, "--device");
  const train::Difference difference = train::batch_norm_difference(device);
  const nlohmann::ordered_json found = {{"device", train::describe(device)},
                                        {"roundings", difference.roundings},
                                        {"where", difference.where},
                                        {"allowed", kMostRoundings}};
  print(json_dump(found) + "\n");
  return difference.roundings <= kMostRoundings;
}

bool check_exchange(const CLI::App& app, Options& o) {
  const at::Device device = train::device_named(o.device, "--device");
  complete(app, o.exchange, o.check.spec);
  Progress progress;
  o.check.tell = [&](const std::string& what) { progress.show(what); };
  const nlohmann::ordered_json found = train::check_exchange(o.check, device);
  print(json_dump(found) + "\n");
  return !found.contains("same_bits") || found.at("same_bits").is_null() || found.at("same_bits").get<bool>();
}

}  // namespace

void add_device_checks(CLI::App& app, TrainCommands& commands) {
  const auto o = std::make_shared<Options>();
  CLI::App* exchange =
      app.add_subcommand("exchange", "time an exchange of gradients and compare its bits with the CPU's");
  add_exchange_options(*exchange, o->check.spec, o->exchange);
  add_integer(*exchange, "--servers", o->check.servers, "N", {.least = 1})->capture_default_str();
  add_integer(*exchange, "--elements", o->check.elements, "of a gradient", {.least = 1})->capture_default_str();
  add_integer(*exchange, "--repeats", o->check.repeats, "exchanges that are timed", {.least = 1})
      ->capture_default_str();
  add_integer(*exchange, "--compared", o->check.compared, "elements of each comparison; 0: none", {.least = 0})
      ->capture_default_str();
  exchange->add_option("--device", o->device, "cpu or cuda")->capture_default_str();
  commands.push_back({exchange, [exchange, o](const std::string&) { return check_exchange(*exchange, *o); }});

  CLI::App* norms = app.add_subcommand("norms", "compare the fused batch norm of a CUDA device with libtorch's");
  norms->add_option("--device", o->device, "cuda")->capture_default_str();
  commands.push_back({norms, [o](const std::string&) { return check_norms(*o); }});
}

}  // namespace helio::apps
