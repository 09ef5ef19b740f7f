// SPDX-License-Identifier: Apache-2.0
// helio-simgrid: a flow program (docs/flow-file.md) timed by SimGrid, as a second opinion (docs/simgrid.md).
//
// Sample runs:
//     helio-simgrid program.flow
//     helio-simgrid --operations < program.flow
//
// `helio --engine simgrid` starts it, so that helio itself does not link SimGrid. Exit codes are helio's: 0 done, 2 the
// command line is wrong, 3 the file is wrong, 4 SimGrid cannot express it, 1 our fault.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"
#include "complaint.h"
#include "flow/program_file.h"
#include "second_opinion/replay.h"

namespace helio::second_opinion {
namespace {

std::string text_of(const std::string& file) {
  if (file == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream.is_open() || stream.bad())
    throw Error(ErrorKind::kInput, "the file cannot be read", file, "check its name and permissions");
  return text;
}

void answer(const std::string& file, bool operations) {
  // 1. The program
  const flow::Program program = flow::parse_program(text_of(file), file == "-" ? "standard input" : file);

  // 2. SimGrid's word on it
  const Answer found = replay(program);

  // 3. In JSON
  nlohmann::ordered_json json = {{"time_s", found.time_s},
                                 {"wall_s", found.wall_s},
                                 {"processor_s", found.processor_s},
                                 {"transfers", found.transfers}};
  if (operations) json["operations_s"] = found.operations_s;
  fmt::print("{}\n", json.dump());
  if (std::fflush(stdout) != 0)
    throw Error(ErrorKind::kInput, "cannot write to standard output", "", "check where it goes");
}

}  // namespace
}  // namespace helio::second_opinion

int main(int argc, char** argv) {
  using helio::apps::complain;
  constexpr const char* kName = "helio-simgrid";
  CLI::App app("A flow program timed by SimGrid: docs/simgrid.md", kName);
  std::string file = "-";
  bool operations = false;
  app.add_option("PROGRAM", file, "a file as in docs/flow-file.md; - is standard input")->capture_default_str();
  app.add_flag("--operations", operations, "the end of every operation of the entry template as well");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : exit_code(helio::ErrorKind::kUsage);
  }
  try {
    helio::second_opinion::answer(file, operations);
    return 0;
  } catch (const helio::Error& error) {
    return complain(kName, exit_code(error.kind()), error.message(), error.place(), error.advice());
  } catch (const std::exception& error) {
    return complain(kName, 1, std::string("our fault, not yours: ") + error.what(), "",
                    "please report the flow program");
  }
}
