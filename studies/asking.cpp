// SPDX-License-Identifier: Apache-2.0
#include "studies/asking.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "pipeline/draft.h"
#include "plan/auto.h"

namespace helio::studies {
namespace {

const std::string kPlace = "studies";

void set(Settings& settings, const std::string& name, std::string value) {
  settings[name] = {std::move(value), kPlace};
}

pipeline::Draft draft_of(const Question& question) {
  pipeline::Draft draft;
  draft.source = kPlace;

  set(draft.fabric, "name", question.fabric);
  set(draft.fabric, "nodes", fmt::format("{}", question.nodes));
  for (const auto& [name, value] : question.settings) set(draft.fabric, name, value);

  pipeline::Draft::Block block{.place = kPlace};
  set(block.keys, "kind", question.kind);
  set(block.keys, "bytes", fmt::format("{} B", question.bytes));
  set(block.keys, "algorithm", question.algorithm);
  if (!question.groups.empty()) set(block.keys, "groups", question.groups);
  draft.collectives.push_back(std::move(block));
  return draft;
}

}  // namespace

double Answer::fact(std::string_view name) const {
  const auto found = std::ranges::find(facts, name, &Fact::name);
  assert(found != facts.end() && "the fabric tells it");
  return std::get<double>(found->value);
}

const Answer& Runs::operator()(const Question& question) {
  if (const auto known = answers_.find(question); known != answers_.end()) return known->second;

  const pipeline::Experiment experiment = pipeline::interpret(draft_of(question));
  pipeline::RunOptions options = options_;
  options.compare = false;  // only the answer is wanted
  pipeline::Result result = plan::answer(experiment, experiment.collectives.front(), options);
  return answers_
      .emplace(question, Answer{.seconds = result.time_s,
                                .bound = result.bound_s,
                                .injected = result.injected.value,
                                .facts = std::move(result.facts)})
      .first->second;
}

}  // namespace helio::studies
