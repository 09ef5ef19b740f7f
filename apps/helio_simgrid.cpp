// SPDX-License-Identifier: Apache-2.0
// helio-simgrid: a flow program (docs/flow-file.md) timed by SimGrid, as a second opinion (docs/simgrid.md).
//
// Sample runs:
//     helio-simgrid program.flow
//     helio-simgrid --operations < program.flow
//
// `helio --engine simgrid` starts it, so that helio itself does not link SimGrid. Exit codes are helio's: 0 done, 2 the
// command line is wrong, 3 the file is wrong, 4 SimGrid cannot express it, 1 our fault.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "base/file.h"
#include "base/json_dump.h"
#include "flow/program_file.h"
#include "path_options.h"
#include "program.h"
#include "second_opinion/replay.h"

namespace helio::second_opinion {
namespace {

void answer(const std::string& file, bool operations) {
  // 1. The program
  const flow::Program program =
      flow::parse_program(InputStream(file, "PROGRAM").rest(), file == "-" ? "standard input" : file);

  // 2. SimGrid's word on it
  const Answer found = replay(program);

  // 3. In JSON
  nlohmann::ordered_json json = {{"time_s", found.time_s},
                                 {"wall_s", found.wall_s},
                                 {"processor_s", found.processor_s},
                                 {"transfers", found.transfers}};
  if (operations) json["operations_s"] = found.operations_s;
  apps::print(json_dump(json) + "\n");
}

}  // namespace
}  // namespace helio::second_opinion

int main(int argc, char** argv) {
  constexpr const char* kName = "helio-simgrid";
  return helio::apps::run_program({.name = kName, .smaller = "give a smaller program"}, [&] {
    CLI::App app("A flow program timed by SimGrid: docs/simgrid.md", kName);
    std::string file = "-";
    bool operations = false;
    helio::apps::add_path(app, "PROGRAM", file, helio::apps::PathUse::kRead,
                          "a file as in docs/flow-file.md; - is standard input")
        ->capture_default_str();
    app.add_flag("--operations", operations, "the end of every operation of the entry template as well");
    if (helio::apps::parse_words(app, argc, argv, "see helio-simgrid --help"))
      helio::second_opinion::answer(file, operations);
    return 0;
  });
}
