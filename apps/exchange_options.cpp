// SPDX-License-Identifier: Apache-2.0
#include "exchange_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>

#include "base/error.h"
#include "base/units.h"
#include "idle_options.h"
#include "option_bounds.h"
#include "path_options.h"

namespace helio::apps {
namespace {

// The exchange that reads every parameter that is an option; `quantised` reads some of them.
const train::ExchangeEntry& widest() { return train::exchange_named("optinc"); }

std::string option_of(std::string parameter) {
  std::ranges::replace(parameter, '_', '-');
  return "--" + parameter;
}

// As the catalogue has it; a parameter that it names as `rounding` is --rounding here.
std::string meaning_of(const char* parameter) {
  std::string text = train::parameter_of(widest(), parameter)->description;
  for (std::size_t from; (from = text.find('`')) != std::string::npos;) {
    const std::size_t to = text.find('`', from + 1);
    text.replace(from, to + 1 - from, option_of(text.substr(from + 1, to - from - 1)));
  }
  return text;
}

Range bounds_of(const char* parameter) {
  const Parameter& declared = *train::parameter_of(widest(), parameter);
  Range range{.least = parse_integer(declared.minimum)};
  if (!declared.maximum.empty()) range.most = static_cast<std::uint64_t>(parse_integer(declared.maximum));
  return range;
}

// "by --exchange quantised and optinc"
std::string readers_of(const std::string& parameter) {
  std::vector<std::string> names;
  for (const train::ExchangeEntry& entry : train::exchanges().entries())
    if (!train::is_schedule(entry) && train::parameter_of(entry, parameter)) names.push_back(entry.description.name);
  return fmt::format("by --exchange {}", fmt::join(names, " and "));
}

}  // namespace

void add_exchange_options(CLI::App& app, train::ExchangeSpec& x, ExchangeOptions& o) {
  o.rounding = name_of(x.task.rounding);
  app.add_option("--exchange", x.name, "exact, quantised, optinc, testbed, or an algorithm: helio list algorithms")
      ->capture_default_str();
  add_integer(app, "--bits", x.task.bits, meaning_of("bits"), bounds_of("bits"))->capture_default_str();
  app.add_option("--rounding", o.rounding, meaning_of("rounding"))->capture_default_str();
  add_integer(app, "--bucket", x.bucket, meaning_of("bucket"), bounds_of("bucket"))->capture_default_str();
  app.add_flag("--stochastic", x.stochastic, meaning_of("stochastic"));
  app.add_flag("--error-feedback", x.error_feedback, meaning_of("error_feedback"));
  app.add_flag("--balanced", x.balanced, meaning_of("balanced"));
  add_integer(app, "--zero", x.zero, meaning_of("zero"), bounds_of("zero"));
  add_integer(app, "--ports", x.ports, meaning_of("ports"), {.least = 1});
  add_integer(app, "--fraction", x.fraction, meaning_of("fraction"), bounds_of("fraction"))->capture_default_str();
  add_path(app, "--network", x.networks, PathUse::kRead, "optinc: " + meaning_of("network"));
  app.add_option("--chip", x.chip, "optinc: " + meaning_of("chip"));
  app.add_option("--noise", x.noise, "optinc: " + meaning_of("noise"));
  app.add_option("--error-rate", o.error_rate, "optinc: " + meaning_of("error_rate"));
  app.add_option("--set", o.set, "NAME=VALUE: a parameter of the algorithm or of the testbed, as often as needed")
      ->allow_extra_args(false);
}

void complete(const CLI::App& app, const ExchangeOptions& o, train::ExchangeSpec& x) {
  // Where everything was given; what the exchange does not declare must not be given at all
  x.places["exchange"] = "--exchange";
  for (const Parameter& parameter : widest().description.parameters)
    x.places[parameter.name] = option_of(parameter.name);
  const train::ExchangeEntry& entry = train::exchange_named(x.name, x.place("exchange"));
  std::vector<OptionReader> rows = {
      {"--set", train::takes_settings(entry), "by exchanges that are algorithms, such as ring, and by testbed"}};
  for (const Parameter& parameter : widest().description.parameters)
    if (const std::string& option = x.places[parameter.name]; app.get_option_no_throw(option))
      rows.push_back(
          {option.c_str(), train::parameter_of(entry, parameter.name) != nullptr, readers_of(parameter.name)});
  refuse_idle_options(app, rows);

  x.task.rounding = rounding_named(o.rounding);
  if (app.count("--error-rate") > 0) x.error_rate = o.error_rate;
  for (const std::string& pair : o.set) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Error(ErrorKind::kUsage, fmt::format("'{}' sets nothing", pair), "--set", "Write it as NAME=VALUE");
    x.settings[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
}

}  // namespace helio::apps
