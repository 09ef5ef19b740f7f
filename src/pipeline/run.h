// SPDX-License-Identifier: Apache-2.0
// The corridor: walks an Experiment through the rooms, one collective after the other.
//
//     Assembly ─▶ schedule::build ─▶ verify ─▶ lower (remedies) ─▶ simulate ─▶ bound, bottleneck, traffic ─▶ Result
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "pipeline/assembly.h"
#include "pipeline/experiment.h"
#include "pipeline/result.h"
#include "schedule/fitted/certificate.h"

namespace helio::pipeline {

// How much work one collective may take, in counts that are the same on every machine; 0: no limit. Past one:
// WorkLimitError.
struct WorkLimits {
  std::uint64_t nodes = 0;      // of the fabric, asked before a schedule is built
  std::uint64_t moves = 0;      // of the schedule, over all groups
  std::uint64_t crossings = 0;  // links on the ways of all lowered moves together
  std::uint64_t sharing = 0;    // link uses that the engine visits
  std::uint64_t events = 0;     // of the engine, where a controller decides on every flow
};

struct RunOptions {
  bool trace = false;    // fill Result::trace
  bool picture = false;  // fill Result::picture
  std::size_t trace_limit = 200'000;
  bool jump = true;     // as simulate::Options
  bool compare = true;  // a planner runs the alternatives, too, to list them
  bool values = true;   // what averaging switches and compressing ports do to the numbers is found, too
  WorkLimits limits;
  std::optional<Time> beat;  // what is known to take so long: a run that is sure to take longer throws Beaten instead
  // Told now and then what is going on.
  std::function<void(std::string_view stage)> progress;
  // Shown what a Result leaves out: the schedule that is carried, and what the engine recorded of every operation, `trace_limit` of them
  // at most. Both go when these return.
  std::function<void(const schedule::Schedule&)> saw_schedule = {};
  std::function<void(const flow::Program&, const simulate::Timeline&)> saw_timeline = {};
};

// Throws Error(kInput) for values that are wrong, Error(kInfeasible) for what cannot be done. A schedule that fails its
// proof is our mistake: std::logic_error. The algorithm is one of the catalogue: `auto` is answered by plan/auto.h.
Result run(const Experiment& experiment, const Collective& collective, const RunOptions& options = {});
// The same with the experiment's fabric made already, for those who ask it much.
Result run(const ChosenFabric& fabric, const Experiment& experiment, const Collective& collective,
           const RunOptions& options = {});
std::vector<Result> run(const Experiment& experiment, const RunOptions& options = {});
// The moves alone, as the algorithm makes them for this fabric, and for whom. Throws as run.
struct Drawn {
  schedule::Schedule schedule;
  schedule::CollectiveRequest request;
};
Drawn schedule_of(const ChosenFabric& fabric, const Experiment& experiment, const Collective& collective);
// Why nothing can be faster, on a fabric that shows its links: the cut or the links that bind. Throws as run.
std::optional<schedule::Certificate> certificate_of(const Experiment& experiment, const Collective& collective);
// What a run cannot take less than, as far as its schedule tells, and how many moves that has over all groups; no schedule, no
// moves. Throws as run.
struct Prospect {
  double least_s = 0, least_in_pieces_s = 0;  // the latter in however many pieces that follow each other
  std::uint64_t moves = 0;
};
Prospect prospect(const ChosenFabric& fabric, const Experiment& experiment, const Collective& collective,
                  const RunOptions& options = {});
// Throws Error(kInfeasible) where another engine is asked for than there is.
void check_engine(const Experiment& experiment);

}  // namespace helio::pipeline
