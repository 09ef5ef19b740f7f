// SPDX-License-Identifier: Apache-2.0
// helio: the command. It parses options, asks the library, prints, and turns errors into one paragraph on stderr and a documented
// exit code:
//
//     0 done   2 the command line is wrong   3 an input file or value is wrong   4 infeasible   1 our fault
#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/error.h"
#include "command_line.h"
#include "commands.h"
#include "complaint.h"
#include "pipeline/version.h"
#include "report/text/look.h"

namespace helio::apps {
namespace {

constexpr const char* kExamples = R"(
Examples:
  helio list
  helio describe ring
  helio describe gpt3-175b
  helio collective all-reduce --fabric ring --nodes 1024 --bytes "100 MB" --algorithm ring --verify
  helio collective all-to-all --fabric switch --nodes 64 --bytes 1GiB --algorithm direct --set "fabric.rate=400 Gb/s" --json
  helio simulate examples/first_collectives.toml --report out/first
  helio simulate examples/gpt3_3d.toml --trace out/gpt3.trace.json
  helio validate measured.csv
  helio reproduce all --json
)";

// A question too large for the machine ends in a message, not in its swap space.
void limit_memory() {
  // Large vectors grow within the heap instead of being mapped, faulted in and unmapped anew each time.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#ifndef __SANITIZE_ADDRESS__
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  rlimit limit{};
  if (pages <= 0 || page <= 0 || getrlimit(RLIMIT_AS, &limit) != 0) return;
  const rlim_t memory = static_cast<rlim_t>(pages) * static_cast<rlim_t>(page);
  if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < memory) return;
  limit.rlim_cur = memory;
  setrlimit(RLIMIT_AS, &limit);
#endif
}

// Names in files are anybody's: what they hold of control characters is written, never sent to the terminal.
void print(const std::string& from_rooms) {
  const std::string text = report::inked(escaped(from_rooms));
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw Error(ErrorKind::kInput, "cannot write to standard output", "", "check where it goes");
}

int run_command(int argc, char** argv) {
  CLI::App app("Heliograph: what does moving gradients by light, or through a wafer, really buy?", "helio");
  app.footer(kExamples);
  app.set_version_flag("--version", fmt::format("helio {}", pipeline::kVersion));
  app.require_subcommand(1);
  Commands commands{command_of(argc, argv)};
  add_reference_commands(app, commands);
  add_experiment_commands(app, commands);
  add_design_commands(app, commands);
  add_onn_commands(app, commands);
  add_train_command(app, commands);
  if (const std::optional<int> done = parse(app, argc, argv)) return *done;
  for (const Command& command : commands.all)
    if (command.app->parsed()) print(command.run());
  return 0;
}

}  // namespace
}  // namespace helio::apps

int main(int argc, char** argv) {
  const auto complain = [](int code, std::string what, const std::string& where, const helio::Advice& advice) {
    return helio::apps::complain("helio", code, std::move(what), where, advice);
  };
  try {
    helio::apps::limit_memory();
    return helio::apps::run_command(argc, argv);
  } catch (const helio::Error& error) {
    return complain(exit_code(error.kind()), error.message(), error.place(), error.advice());
  } catch (const std::bad_alloc&) {
    return complain(exit_code(helio::ErrorKind::kInfeasible), "this needs more memory than the machine has", "",
                    "ask for fewer nodes or micro-batches, or for an algorithm with fewer moves");
  } catch (const std::length_error&) {
    return complain(exit_code(helio::ErrorKind::kInfeasible), "this needs more memory than any machine has", "",
                    "ask for fewer nodes, or for an algorithm with fewer moves");
  } catch (const std::exception& error) {
    return complain(1, std::string("our fault, not yours: ") + error.what(), "", "please report the command line");
  }
}
