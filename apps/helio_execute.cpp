// SPDX-License-Identifier: Apache-2.0
// helio-execute: what needs MPI. `helio execute` and, under mpirun, `helio sweep` start it.
//
// Sample runs:
//     mpirun -n 4 helio-execute all-reduce --algorithm halving-doubling --bytes 64MB
//     mpirun -n 4 helio-execute --calibrate --out machine.graph
//     mpirun -n 2 helio-execute sweep examples/sweep.toml --out out/sweep.db
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "complaint.h"
#include "execution.h"
#include "rank_patience.h"
#include "sweep_on_ranks.h"

namespace helio::apps {
namespace {

constexpr double kForever = 1e9, kStarting = 60;  // seconds

bool asks_for_help(int argc, char** argv) {
  return std::any_of(argv + 1, argv + argc, [](const std::string& word) { return word == "-h" || word == "--help"; });
}

struct Words {
  int argc;
  char** argv;
  std::string name;
};

// 1. The words, which every rank reads. 2. What they ask for, done together. 3. One answer, by rank 0.
int run(const Words& words, MPI_Comm world, RankPatience& patience) {
  const bool first = execute::rank_in(world) == 0;
  const bool sweeps = words.argc > 1 && words.argv[1] == std::string("sweep");
  if (!first && asks_for_help(words.argc, words.argv)) return 0;
  CLI::App app(sweeps ? "One command for many values, on the ranks of mpirun"
                      : "A schedule on real ranks, beside MPI's own collective: docs/execute.md",
               words.name);
  ExecutionQuestion question;
  SweepQuestion sweep;
  bool json = false, help = false;
  if (sweeps) {
    add_sweep_options(app, sweep);
    app.add_flag("--json", json, "one JSON object on standard output");
  } else {
    add_execution_options(app, question);
  }
  agreed(world,
         [&] { help = !parse_words(app, words.argc - sweeps, words.argv + sweeps, "see " + words.name + " --help"); });
  if (help) return 0;

  ExecutionAnswer answer;
  if (sweeps) {
    patience.set_seconds(kForever);  // points have limits of their own
    answer.text = sweep_on_ranks(sweep, json, world);
  } else {
    answer = execution(question, command_of(words.argc, words.argv), world, patience);
  }
  if (first) print(answer.text);
  return answer.verified ? 0 : 1;
}

}  // namespace
}  // namespace helio::apps

int main(int argc, char** argv) {
  using namespace helio::apps;
  const std::string first = argv[0];
  const Words words{argc, argv, first.starts_with("helio ") ? first : "helio-execute"};
  RankPatience patience(words.name, kStarting);
  MPI_Init(nullptr, nullptr);
  const MPI_Comm world = MPI_COMM_WORLD;
  patience.set_rank(helio::execute::rank_in(world));
  bool together = false;  // all ranks end alike
  const int code =
      run_program({.name = words.name, .smaller = "give fewer bytes or ranks", .counts_mapped = false}, [&] {
        try {
          const int done = run(words, world, patience);
          together = true;
          return done;
        } catch (const AgreedFailure& agreed) {
          together = true;
          const helio::execute::Failure& failure = agreed.failure;
          return helio::execute::rank_in(world) == 0 ? complain(words.name, failure.code, failure.words, "", {})
                                                     : failure.code;
        }
      });
  patience.set_seconds(kForever);
  if (!together) MPI_Abort(world, code);
  MPI_Finalize();
  return code;
}
