// SPDX-License-Identifier: Apache-2.0
#include "exchange_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>

#include "base/error.h"
#include "idle_options.h"
#include "option_bounds.h"

namespace helio::apps {

void add_exchange_options(CLI::App& app, train::ExchangeSpec& x, ExchangeOptions& o) {
  app.add_option("--exchange", x.name, "exact, quantised, optinc, or an algorithm: helio list algorithms")
      ->capture_default_str();
  app.add_option("--bits", x.bits, "B, of a code")->capture_default_str();
  app.add_option("--rounding", x.rounding, "of an average: floor, half-up, half-even or dither")->capture_default_str();
  app.add_option("--bucket", x.bucket, "elements that share a scale")->capture_default_str();
  app.add_flag("--stochastic", x.stochastic, "round gradients to codes at random");
  app.add_flag("--error-feedback", x.error_feedback, "add what rounding took to the next gradient");
  app.add_flag("--balanced", x.balanced, "some servers round half a code lower, against the lean of --rounding");
  app.add_option("--zero", x.zero,
                 "code that stands for zero; 2^(B-1) when left out; 150 spares networks their carries")
      ->check(whole_number(0, 65535));
  app.add_option("--ports", o.ports, "of each level of a cascade, lowest first, as 4,4; one switch when left out");
  app.add_option("--fraction", x.fraction, "symbols below the point that a level of a cascade adds")
      ->capture_default_str();
  app.add_option("--network", x.networks, "optinc: a network's file for each level; constructed when left out");
  app.add_option("--noise", x.noise, "optinc: sigma after every linear stage, in symbols");
  app.add_option("--error-rate", o.error_rate,
                 "optinc: share of wrong points, drawn anew with the network's own errors");
  app.add_option("--set", o.set, "NAME=VALUE: a parameter of the algorithm, as often as needed")
      ->allow_extra_args(false);
}

void complete(const CLI::App& app, const ExchangeOptions& o, train::ExchangeSpec& x) {
  x.words();  // an unknown exchange has no readers
  const bool light = x.name == "optinc", codes = light || x.name == "quantised", schedule = !codes && x.name != "exact";
  std::vector<OptionReader> rows = {{"--set", schedule, "by exchanges that are algorithms, such as ring,"}};
  for (const char* option :
       {"--bits", "--rounding", "--bucket", "--stochastic", "--error-feedback", "--balanced", "--zero"})
    rows.push_back({option, codes, "by --exchange quantised and optinc"});
  for (const char* option : {"--ports", "--fraction", "--network", "--noise", "--error-rate"})
    rows.push_back({option, light, "by --exchange optinc"});
  refuse_idle_options(app, rows);
  if (app.count("--error-rate") > 0) x.error_rate = o.error_rate;
  if (!o.ports.empty()) {
    for (const std::string& word : CLI::detail::split(o.ports, ',')) {
      std::uint32_t ports = 0;
      if (!CLI::detail::lexical_cast(word, ports) || ports == 0)
        throw Error(ErrorKind::kUsage, fmt::format("'{}' is no number of ports", word), "--ports", "Write them as 4,4");
      x.ports.push_back(ports);
    }
  }
  for (const std::string& pair : o.set) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Error(ErrorKind::kUsage, fmt::format("'{}' sets nothing", pair), "--set", "Write it as NAME=VALUE");
    x.settings[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
}

}  // namespace helio::apps
