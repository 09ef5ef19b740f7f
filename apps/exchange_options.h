// SPDX-License-Identifier: Apache-2.0
// The options that name an exchange of gradients and set its parameters, for every command of helio-train that has one: what they mean,
// their bounds and who reads them is in the catalogue of exchanges.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "train/exchange/gradient_exchange.h"

namespace helio::apps {

struct ExchangeOptions {
  std::vector<std::string> set;
  std::string rounding;
  double error_rate = 0;
};

void add_exchange_options(CLI::App& app, train::ExchangeSpec& spec, ExchangeOptions& options);
// After parsing. Throws Error(kUsage).
void complete(const CLI::App& app, const ExchangeOptions& options, train::ExchangeSpec& spec);

}  // namespace helio::apps
