// SPDX-License-Identifier: Apache-2.0
// What every program does around its work, so that all of them end alike: the words of the command line, the ledger of its files, what is
// printed, whatever goes wrong.
//
//     Error               its code: 2, 3 or 4       one paragraph on stderr
//     out of memory       4                         with what to ask for instead
//     an unwritable       3                         help, version, text and JSON alike
//       standard output
//     anything else       1                         our fault
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <string>
#include <string_view>

#include "base/advice.h"

namespace helio::apps {

struct Program {
  std::string name;           // "helio", as people typed it
  Advice smaller;             // what to ask for where memory is short
  bool counts_mapped = true;  // as memory; not where libraries reserve addresses that they never use
};

// The exit code of the work, or of what it throws.
int run_program(const Program& program, const std::function<int()>& work);

// Work within a budget of time and memory (base/budget.h), given by --budget; empty: no limit but the memory that is available. Throws
// Error(kInfeasible) where it does not do, Error(kUsage) for what is no budget.
inline constexpr const char* kUsualBudget = "8 s, 2 GB";
std::string within_budget(const std::string& budget, const std::function<std::string()>& work);

// Reads the words of a command line; false where they asked for help or the version, which is printed then. Throws Error(kUsage) with
// `advice` for what the program does not take, and for an option that may be left out and is given empty: to take it as left out would
// be to guess. Then outputs are declared (path_options.h).
bool parse_words(CLI::App& app, int argc, const char* const* argv, const std::string& advice);

// On standard output: text for people or JSON, where names are made visible (base/visible.h); bytes as they are. Nobody else writes
// there. Throw Error(kInput) where it cannot be written.
void print(std::string_view text);
void print_bytes(std::string_view bytes);

}  // namespace helio::apps
