// SPDX-License-Identifier: Apache-2.0
// How fast it is: budgets for the command, ratios within one run, growth with the number of nodes (docs/bench.md).
//
// Sample runs:
//     helio_bench
//     helio_bench --part budgets --helio build/release/apps/helio
//     helio_bench --json out/bench.json
//
// Ends with 0 whatever the verdicts are, with 1 when something could not be measured, with 2 for a wrong command line.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <set>
#include <string>
#include <vector>

#include "base/file.h"
#include "json.h"
#include "text.h"

namespace helio::bench {
namespace {

void print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

const auto print_row = [](const auto& outcome) { print(to_row(outcome)); };

int run(const std::string& helio, const std::set<std::string>& parts, const std::string& json) {
  const auto wanted = [&](const char* part) { return parts.empty() || parts.contains(part); };
  Outcomes outcomes;

  // 1. Processes first, while this one is small
  if (wanted("budgets")) {
    print(budget_heading());
    outcomes.budgets = measure_budgets(helio, print_row);
    print(summary(outcomes.budgets));
  }

  // 2. Inside this process
  if (wanted("ratios")) {
    print("\n" + ratio_heading());
    outcomes.ratios = measure_ratios(print_row);
  }
  if (wanted("growth")) {
    print("\n" + growth_heading());
    outcomes.growth = measure_growth(print_row);
  }

  // 3. For other programs
  if (!json.empty()) write_file(json, to_json(outcomes), "--json", Parents::kMade);
  return std::ranges::all_of(outcomes.budgets, [](const auto& outcome) { return outcome.failure.empty(); }) ? 0 : 1;
}

}  // namespace
}  // namespace helio::bench

int main(int argc, char** argv) {
  CLI::App app("How fast Heliograph is: docs/bench.md", "helio_bench");
  std::string helio = HELIO_BINARY, json;
  std::vector<std::string> parts;
  app.add_option("--helio", helio, "the helio to measure")->capture_default_str();
  app.add_option("--part", parts, "only this part, as often as needed: budgets, ratios, growth")
      ->check(CLI::IsMember({"budgets", "ratios", "growth"}))
      ->allow_extra_args(false);
  app.add_option("--json", json, "write the outcomes into this file as well");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return helio::bench::run(helio, {parts.begin(), parts.end()}, json);
  } catch (const std::exception& error) {
    fmt::print(stderr, "helio_bench: {}\n", error.what());
    return 1;
  }
}
