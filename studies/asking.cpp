// SPDX-License-Identifier: Apache-2.0
#include "studies/asking.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "plan/auto.h"
#include "plan/job_choice.h"

namespace helio::studies {
namespace {

const std::string kPlace = "studies";

Settings said(const Words& words) {
  Settings settings;
  for (const auto& [name, value] : words) settings[name] = {value, kPlace};
  return settings;
}

}  // namespace

pipeline::Experiment experiment_of(const Question& question) {
  pipeline::Draft draft;
  draft.source = kPlace;
  draft.run = said({{"engine", question.engine}});
  draft.fabric = said(question.settings);
  draft.fabric["name"] = {question.fabric, kPlace};
  if (question.nodes > 0) draft.fabric["nodes"] = {fmt::format("{}", question.nodes), kPlace};

  pipeline::Draft::Block block{.place = kPlace, .keys = said(question.keys), .parameters = said(question.parameters)};
  block.keys.merge(said(
      {{"kind", question.kind}, {"bytes", fmt::format("{} B", question.bytes)}, {"algorithm", question.algorithm}}));
  draft.collectives.push_back(std::move(block));
  return pipeline::interpret(draft);
}

std::optional<double> Answer::told(std::string_view name) const {
  const auto found = std::ranges::find(facts, name, &Fact::name);
  return found == facts.end() ? std::nullopt : std::optional(std::get<double>(found->value));
}

double Answer::fact(std::string_view name) const {
  const std::optional<double> number = told(name);
  assert(number && "the fabric tells it");
  return *number;
}

const Answer& Runs::operator()(const Question& question) {
  if (const auto known = answers_.find(question); known != answers_.end()) return known->second;

  const pipeline::Experiment experiment = experiment_of(question);
  pipeline::RunOptions options = options_;
  options.compare = false;  // only the answer is wanted
  pipeline::Result result = plan::answer(experiment, experiment.collectives.front(), options);
  return answers_
      .emplace(question, Answer{.seconds = result.time_s,
                                .bound = result.bound_s,
                                .injected = result.injected.value,
                                .steps = static_cast<double>(result.steps),
                                .wavelengths = static_cast<double>(result.wavelengths_used),
                                .facts = std::move(result.facts)})
      .first->second;
}

pipeline::IterationResult iterated(const JobQuestion& question, const pipeline::RunOptions& options) {
  pipeline::Draft draft;
  draft.source = kPlace;
  draft.fabric = said(question.fabric);
  draft.fabric.try_emplace("endpoint", Setting{"free", kPlace});  // published iterations tell of no adding
  pipeline::JobBlock block{.place = kPlace, .keys = said(question.keys), .tables = {}};
  for (const auto& [name, table] : question.tables) block.tables[name] = said(table);
  draft.jobs.push_back(std::move(block));
  return plan::answer_jobs(pipeline::interpret(draft), options).front();
}

}  // namespace helio::studies
