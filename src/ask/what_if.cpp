// SPDX-License-Identifier: Apache-2.0
#include "ask/what_if.h"

#include <fmt/format.h>

#include <optional>

#include "base/error.h"
#include "base/units.h"
#include "fabric/fabric.h"
#include "plan/auto.h"
#include "plan/job_choice.h"

namespace helio::ask {
namespace {

using pipeline::Experiment;

// One thing changed, and how a sentence about it begins.
struct Change {
  std::string words;
  Experiment experiment;
};

Experiment with(Experiment experiment, const std::string& name, const std::string& value) {
  experiment.fabric.settings[name] = {value, "a changed question"};
  return experiment;
}

// Every parameter of the fabric as it was used.
std::optional<std::string> used(const std::vector<pipeline::Configuration>& configuration, const std::string& name) {
  for (const pipeline::Configuration& owner : configuration)
    if (owner.owner == "fabric")
      for (const auto& [parameter, value] : owner.values)
        if (parameter == name) return value;
  return std::nullopt;
}

std::vector<Change> changes(const Experiment& experiment, const std::vector<pipeline::Configuration>& configuration) {
  std::vector<Change> found;
  const auto* entry = fabric::fabrics().find(experiment.fabric.name);
  if (!entry) return found;
  for (const Parameter& parameter : entry->description.parameters) {
    const std::optional<std::string> value = used(configuration, parameter.name);
    if (parameter.name == "retune_rule" && value == "every-step")
      found.push_back({"With retune_rule = changed", with(experiment, parameter.name, "changed")});
    if (parameter.type != ParameterType::kRate || !value) continue;
    try {
      const BitRate rate = parse_rate(*value);
      if (rate.value <= 0) continue;
      const BitRate twice{2 * rate.value};
      found.push_back({fmt::format("With fabric.{} doubled to {}", parameter.name, format(twice)),
                       with(experiment, parameter.name, fmt::format("{} b/s", twice.value))});
    } catch (const Error&) {  // unset, or no rate: nothing to double
    }
  }
  return found;
}

// A question that cannot be answered, past a limit of the fabric for example, is no answer to explain with.
template <class Ask>
void ask(const Ask& question) {
  try {
    question();
  } catch (const Error&) {
  }
}

constexpr double kWorthSaying = 0.005;

bool is_worth_saying(double now, double then) { return now > 0 && std::abs(then - now) > kWorthSaying * now; }

}  // namespace

std::vector<report::WhatIf> what_if(const Experiment& experiment, const pipeline::Collective& collective,
                                    const pipeline::Result& result, const pipeline::RunOptions& options) {
  std::vector<report::WhatIf> answers;
  pipeline::RunOptions quiet = options;
  quiet.trace = quiet.picture = false;
  quiet.compare = false;
  for (const Change& change : changes(experiment, result.configuration))
    ask([&] {
      const pipeline::Result other = plan::answer(change.experiment, collective, quiet);
      if (is_worth_saying(result.time_s, other.time_s))
        answers.push_back(
            {change.words, other.time_s, other.critical, other.algorithm == result.algorithm ? "" : other.algorithm});
    });
  if (result.asked_algorithm.empty() && result.ranks * result.groups <= kMostRanksToSearch &&
      collective.algorithm.name != plan::kAuto)
    ask([&] {
      pipeline::Collective any = collective;
      any.algorithm = {std::string(plan::kAuto), "a changed question", {}};
      const pipeline::Result other = plan::answer(experiment, any, quiet);
      if (other.time_s < result.time_s * (1 - kWorthSaying))
        answers.push_back({"By the fastest algorithm that was found", other.time_s, other.critical, other.algorithm});
    });
  return answers;
}

std::vector<std::vector<report::WhatIf>> what_if(const Experiment& experiment,
                                                 const std::vector<pipeline::IterationResult>& jobs,
                                                 const pipeline::RunOptions& options) {
  std::vector<std::vector<report::WhatIf>> answers(jobs.size());
  if (jobs.empty()) return answers;
  pipeline::RunOptions quiet = options;
  quiet.trace = quiet.picture = false;
  for (const Change& change : changes(experiment, jobs.front().configuration))
    ask([&] {
      const std::vector<pipeline::IterationResult> others = plan::answer_jobs(change.experiment, quiet);
      for (std::size_t i = 0; i < jobs.size(); ++i)
        if (is_worth_saying(jobs[i].time_s, others[i].time_s)) answers[i].push_back({change.words, others[i].time_s});
    });
  return answers;
}

}  // namespace helio::ask
