// SPDX-License-Identifier: Apache-2.0
#include "studies/oddl/runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "pipeline/draft.h"
#include "plan/auto.h"

namespace helio::studies::oddl_study {
namespace {

const std::string kPlace = "studies/oddl";

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
      .emplace(question, Answer{.seconds = result.time_s, .bound = result.bound_s, .facts = std::move(result.facts)})
      .first->second;
}

std::string in_seconds(double seconds) { return fmt::format("{} s", seconds); }
std::string in_bits_per_second(double rate) { return fmt::format("{} b/s", rate); }

Question on_oddl(const std::string& algorithm, double step) {
  return {.fabric = "oddl",
          .settings = {{"rate", in_bits_per_second(kRate)}, {"step_overhead", in_seconds(step)}},
          .algorithm = algorithm};
}

Question on_switch(double rate, double step) {
  return {.fabric = "switch",
          .settings = {{"rate", in_bits_per_second(rate)}, {"latency", "0 s"}, {"step_overhead", in_seconds(step)}}};
}

Question on_tree(double step, int seed) {
  Question question = on_switch(kRate, step);
  question.fabric = "fat-tree";
  question.settings["k"] = "16";
  question.settings["seed"] = fmt::format("{}", seed);
  return question;
}

Question on_sip_ring(double interval, double step) {
  Question question{.fabric = "sip-ring",
                    .settings = {{"wavelengths", "4"}, {"rate", "25 Gb/s"}, {"step_overhead", in_seconds(step)}}};
  if (interval > 0)
    question.settings["interval"] = in_seconds(interval);
  else
    question.settings["retune"] = "0 s";
  return question;
}

}  // namespace helio::studies::oddl_study
