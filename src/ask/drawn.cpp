// SPDX-License-Identifier: Apache-2.0
#include "ask/drawn.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "base/error.h"
#include "base/json_dump.h"
#include "base/units.h"
#include "plan/auto.h"
#include "report/json/json_values.h"

namespace helio::ask {
namespace {

std::uint64_t moves_in(const schedule::Schedule& schedule) {
  std::uint64_t moves = 0;
  for (const schedule::Phase& phase : schedule.phases) moves += phase.moves.size();
  return moves;
}

}  // namespace

DrawnSchedule drawn(const CollectiveQuestion& question, const Watch& watch) {
  // Who answers, with all that a search chose
  const pipeline::Experiment experiment = pipeline::interpret(draft_of(question));
  pipeline::Collective collective = experiment.collectives.front();
  pipeline::RunOptions options = watch.run_options();
  options.jump = question.leap;
  DrawnSchedule found{.result = plan::answer(experiment, collective, options)};
  if (!found.result.attempts.empty())
    throw Error(ErrorKind::kInfeasible,
                fmt::format("'{}' carries this only with a remedy: {}", found.result.fabric,
                            found.result.attempts.front().reason),
                question.called("fabric"), "take another algorithm, whose moves it carries as they are");
  if (pipeline::Choice chosen = plan::choice_of(found.result); !chosen.name.empty()) {
    collective.algorithm.name = std::move(chosen.name);
    collective.algorithm.settings = std::move(chosen.settings);
  }

  // Its moves, and their proof
  pipeline::Drawn moves = pipeline::schedule_of(pipeline::ChosenFabric(experiment.fabric), experiment, collective);
  found.schedule = std::move(moves.schedule);
  found.request = std::move(moves.request);
  found.proof = schedule::verify(found.schedule);
  if (found.proof.method == "work-limit")
    throw Error(ErrorKind::kInfeasible, "a schedule that cannot be proven is not handed on: " + found.proof.failure,
                question.called("algorithm"), "ask for fewer nodes");
  if (!found.proof.verified)
    throw std::logic_error(
        fmt::format("the schedule of '{}' is wrong: {}", found.schedule.algorithm, found.proof.failure));
  return found;
}

std::string to_json(const DrawnSchedule& drawn) {
  const schedule::Schedule& s = drawn.schedule;
  const report::Json json = {{"algorithm", s.algorithm},
                             {"kind", schedule::name_of(s.kind)},
                             {"fabric", drawn.result.fabric},
                             {"ranks", s.ranks},
                             {"chunks", s.chunks},
                             {"phases", s.phases.size()},
                             {"rounds", schedule::rounds(s)},
                             {"moves", moves_in(s)},
                             {"stages_left_out", s.stages.size()},
                             {"verified", drawn.proof.verified},
                             {"verify_method", drawn.proof.method},
                             {"time_s", drawn.result.time_s}};
  return json_dump(json, 2) + "\n";
}

std::string to_text(const DrawnSchedule& drawn) {
  const schedule::Schedule& s = drawn.schedule;
  std::string text =
      fmt::format("{} among {} ranks by {}: {} rounds in {} phases, {} moves, {} slots\n", schedule::name_of(s.kind),
                  s.ranks, s.algorithm, schedule::rounds(s), s.phases.size(), moves_in(s), s.chunks);
  text += fmt::format("  verified     yes, by {}\n", drawn.proof.method);
  text += fmt::format("  time         {} on {}\n", format(drawn.result.time), drawn.result.fabric);
  if (!s.stages.empty())
    text += fmt::format("  left out     how {} stages are carried level by level: a file holds moves between ranks\n",
                        s.stages.size());
  return text;
}

}  // namespace helio::ask
