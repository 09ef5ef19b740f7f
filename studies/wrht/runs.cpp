// SPDX-License-Identifier: Apache-2.0
#include "studies/wrht/runs.h"

#include <fmt/format.h>

#include "pipeline/draft.h"
#include "plan/auto.h"

namespace helio::studies::wrht_study {
namespace {

const std::string kPlace = "studies/wrht";

pipeline::Draft draft_of(const Question& question) {
  pipeline::Draft draft;
  draft.source = kPlace;
  draft.run = {{"engine", {question.engine, kPlace}}};
  const auto set = [](Settings& settings, const char* name, std::string value) {
    settings[name] = {std::move(value), kPlace};
  };

  // The machine
  set(draft.fabric, "name", question.fabric);
  set(draft.fabric, "nodes", fmt::format("{}", question.nodes));
  set(draft.fabric, "rate", fmt::format("{} B/s", question.rate));
  set(draft.fabric, "step_overhead", fmt::format("{} s", question.step_overhead));
  if (question.fabric == "wdm-ring") {
    set(draft.fabric, "wavelengths", fmt::format("{}", question.wavelengths));
    set(draft.fabric, "retune", fmt::format("{} s", kRetune));
    set(draft.fabric, "retune_rule", question.every_step ? "every-step" : "changed");
    set(draft.fabric, "latency", "0 s");
  }
  if (question.fabric == "switch") set(draft.fabric, "latency", "0 s");
  if (question.fabric == "fat-tree") {
    set(draft.fabric, "k", "32");
    set(draft.fabric, "latency", "25 us");
    set(draft.fabric, "routing", "static");
  }

  // What is asked of it
  pipeline::Draft::Block block{.place = kPlace};
  set(block.keys, "kind", question.kind);
  set(block.keys, "bytes", fmt::format("{} B", question.bytes));
  set(block.keys, "algorithm", question.algorithm);
  set(block.keys, "sync", "step");
  if (question.stripe > 1) set(block.parameters, "stripe", fmt::format("{}", question.stripe));
  if (question.algorithm == "wrht") {
    set(block.parameters, "shortcut", question.shortcut ? "true" : "false");
    if (question.group > 0) set(block.parameters, "group", fmt::format("{}", question.group));
  }
  draft.collectives.push_back(std::move(block));
  return draft;
}

}  // namespace

Question on_fat_tree(std::string algorithm, std::uint64_t nodes, double bytes) {
  return {
      .algorithm = std::move(algorithm), .nodes = nodes, .bytes = bytes, .rate = kLiteralRate, .fabric = "fat-tree"};
}

const Answer& Runs::operator()(const Question& question) {
  if (const auto known = answers_.find(question); known != answers_.end()) return known->second;

  const pipeline::Experiment experiment = pipeline::interpret(draft_of(question));
  pipeline::RunOptions options = options_;
  options.compare = false;  // only the answer is wanted
  const pipeline::Result result = plan::answer(experiment, experiment.collectives.front(), options);
  Answer answer{result.time_s, static_cast<double>(result.steps), static_cast<double>(result.wavelengths_used), 0};
  for (const Fact& fact : result.facts)
    if (fact.name == "longest_path_hops") answer.longest_path_hops = std::get<double>(fact.value);
  return answers_.emplace(question, answer).first->second;
}

double Runs::crossing(Question one, Question other) {
  const double low = kGooglenet.bytes, high = kBeit.bytes;
  const auto gap = [&](double bytes) {
    one.bytes = other.bytes = bytes;
    return (*this)(one).seconds - (*this)(other).seconds;
  };
  const double at_low = gap(low), at_high = gap(high);
  return low - at_low * (high - low) / (at_high - at_low);
}

}  // namespace helio::studies::wrht_study
