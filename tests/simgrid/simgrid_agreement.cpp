// SPDX-License-Identifier: Apache-2.0
// Any number of random flow programs through both engines: how far are they apart?
//
// Sample runs:
//     simgrid_agreement --count 10000
//     simgrid_agreement --count 1 --seed 4711 --print      the program itself, as helio-simgrid reads it
//
// Program i has seed `seed` + i. Ends with 0 when all agree, else with 1.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>

#include "flow/program_file.h"
#include "simgrid/agreement.h"
#include "simgrid/random_program.h"

int main(int argc, char** argv) {
  namespace so = helio::second_opinion;
  CLI::App app("Random flow programs through helio's engine and SimGrid's", "simgrid_agreement");
  std::uint64_t count = 10000, seed = 1;
  bool print = false;
  app.add_option("--count", count, "how many programs")->capture_default_str();
  app.add_option("--seed", seed, "of the first")->capture_default_str();
  app.add_flag("--print", print, "print the programs instead");
  CLI11_PARSE(app, argc, argv);

  std::uint64_t apart = 0, operations = 0, transfers = 0;
  double worst = 0;
  std::uint64_t worst_seed = seed;
  for (std::uint64_t i = 0; i < count; ++i) {
    const helio::flow::Program program = so::random_program(seed + i);
    if (print) {
      fmt::print("{}", helio::flow::to_text(program));
      continue;
    }
    try {
      const so::Agreement agreement = so::compare(program);
      operations += agreement.operations;
      transfers += agreement.transfers;
      if (agreement.worst > worst) worst = agreement.worst, worst_seed = seed + i;
      if (agreement.disagreement.empty()) continue;
      fmt::print("seed {}: {}\n", seed + i, agreement.disagreement);
    } catch (const std::exception& error) {
      fmt::print("seed {}: no answer: {}\n", seed + i, error.what());
    }
    ++apart;
  }
  if (!print)
    fmt::print(
        "{} programs, {} transfers, {} entry operations: {} disagree; largest relative difference {:.3g} (seed {})\n",
        count, transfers, operations, apart, worst, worst_seed);
  return apart == 0 ? 0 : 1;
}
