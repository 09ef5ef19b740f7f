// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <sstream>
#include <stdexcept>

#include "base/budget.h"
#include "base/error.h"
#include "base/file_ledger.h"
#include "base/units.h"
#include "base/visible.h"
#include "complaint.h"
#include "path_options.h"

namespace helio::apps {
namespace {

// A stream that the caller has closed is taken by something that cannot be used the way it would be: else the first file that is opened
// would be standard output.
void hold_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) == -1 && open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream)
      return;
}

// A question too large for the machine ends in a message, not in its swap space.
void keep_to_memory(bool mapped) {
  if (!mapped) return limit_memory(available_memory(), false);
  // Large vectors grow within the heap instead of being mapped, faulted in and unmapped anew each time.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  limit_memory(available_memory());
}

// Of the command that was given, and of those within it. What must be there is judged by the room that reads it.
void refuse_empty_options(const CLI::App& app) {
  const auto may_be_left_out = [](const CLI::Option* o) { return !o->get_required() && !o->get_positional(); };
  for (const CLI::Option* option : app.get_options(may_be_left_out))
    if (std::ranges::count(option->results(), "") > 0)
      throw Error(ErrorKind::kUsage, "an option is given empty", option->get_name(), "say what it is, or leave it out");
  for (const CLI::App* within : app.get_subcommands()) refuse_empty_options(*within);
}

}  // namespace

int run_program(const Program& program, const std::function<int()>& work) {
  const auto infeasible = [&](const char* what) {
    return complain(program.name, exit_code(ErrorKind::kInfeasible), what, "", program.smaller);
  };
  try {
    const FileLedger ledger;
    hold_standard_streams();
    keep_to_memory(program.counts_mapped);
    return work();
  } catch (const Error& error) {
    return complain(program.name, exit_code(error.kind()), error.message(), error.place(), error.advice());
  } catch (const std::bad_alloc&) {
    return infeasible("this needs more memory than the machine has");
  } catch (const std::length_error&) {
    return infeasible("this needs more memory than any machine has");
  } catch (const std::exception& error) {
    return complain(program.name, 1, std::string("our fault, not yours: ") + error.what(), "",
                    "please report the command line");
  }
}

std::string within_budget(const std::string& budget, const std::function<std::string()>& work) {
  if (budget.empty()) return work();
  const BudgetLimits usual = parse_budget(kUsualBudget, "--budget");
  BudgetLimits limits = parse_budget(budget, "--budget");
  if (limits.seconds == 0) limits.seconds = usual.seconds;
  if (limits.bytes == 0) limits.bytes = usual.bytes;
  limits.bytes = std::min(limits.bytes, available_memory());
  limit_memory(limits.bytes);
  return helio::within_budget(limits, work);
}

bool parse_words(CLI::App& app, int argc, const char* const* argv, const std::string& advice) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {  // --help, --version
    std::ostringstream words;
    app.exit(done, words, words);
    print(words.str());
    return false;
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorKind::kUsage, error.what(), "", advice);
  }
  refuse_empty_options(app);
  declare_outputs(app);
  return true;
}

void print(std::string_view text) { print_bytes(visible_lines(text)); }

void print_bytes(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size() || std::fflush(stdout) != 0)
    throw Error(ErrorKind::kInput, "cannot write to standard output", "", "check where it goes");
}

}  // namespace helio::apps
