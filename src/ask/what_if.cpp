// SPDX-License-Identifier: Apache-2.0
#include "ask/what_if.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/error.h"
#include "base/units.h"
#include "fabric/fabric.h"
#include "pipeline/rack_groups.h"
#include "plan/auto.h"
#include "plan/job_choice.h"
#include "report/text/text.h"

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

// A parameter of the fabric, or of the job, as it was used.
std::optional<std::string> used(const std::vector<pipeline::Configuration>& configuration, std::string_view of,
                                std::string_view name) {
  for (const pipeline::Configuration& owner : configuration)
    if (owner.owner == of)
      for (const auto& [parameter, value] : owner.values)
        if (parameter == name) return value;
  return std::nullopt;
}

constexpr std::string_view kWaits[] = {"latency", "network_latency", "step_overhead", "launch", "retune", "tune"};

std::vector<Change> changes(const Experiment& experiment, const std::vector<pipeline::Configuration>& configuration) {
  std::vector<Change> found;
  const auto* entry = fabric::fabrics().find(experiment.fabric.name);
  if (!entry) return found;
  for (const Parameter& parameter : entry->description.parameters) {
    const std::optional<std::string> value = used(configuration, "fabric", parameter.name);
    if (parameter.name == "retune_rule" && value == "every-step")
      found.push_back({"With retune_rule = changed", with(experiment, parameter.name, "changed")});
    if (!value) continue;
    try {
      if (parameter.name == "wavelengths") {
        const long long twice = 2 * parse_integer(*value);
        found.push_back({fmt::format("With fabric.wavelengths doubled to {}", twice),
                         with(experiment, parameter.name, std::to_string(twice))});
      }
      const bool waits = std::ranges::find(kWaits, parameter.name) != std::end(kWaits);
      if (const Time wait = waits ? parse_time(*value) : Time(); !wait.is_zero()) {
        const Time half = Time::zeptoseconds(wait.count() / 2);
        found.push_back({fmt::format("With fabric.{} halved to {}", parameter.name, format(half)),
                         with(experiment, parameter.name, fmt::format("{} s", half.to_seconds()))});
      }
      if (parameter.type != ParameterType::kRate) continue;
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

// A fat-tree whose racks hold whole groups of the job that shares layers most.
void add_racks(const Experiment& experiment, const std::vector<pipeline::IterationResult>& jobs,
               std::vector<Change>& found) {
  for (const pipeline::IterationResult& job : jobs) {
    const std::string tp = used(job.configuration, "job", "tp").value_or("1");
    if (const auto k = pipeline::k_for_groups(experiment.fabric, parse_integer(tp)))
      return found.push_back(
          {fmt::format("With fabric.k = {}, racks of {} that hold whole groups of {}", *k, *k / 2, tp),
           with(experiment, "k", std::to_string(*k))});
  }
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
constexpr std::size_t kNames = 12;  // characters, as of results

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
  std::vector<Change> tried = changes(experiment, jobs.front().configuration);
  add_racks(experiment, jobs, tried);
  for (const Change& change : tried)
    ask([&] {
      const std::vector<pipeline::IterationResult> others = plan::answer_jobs(change.experiment, quiet);
      for (std::size_t i = 0; i < jobs.size(); ++i)
        if (is_worth_saying(jobs[i].time_s, others[i].time_s)) answers[i].push_back({change.words, others[i].time_s});
    });
  return answers;
}

std::string what_if_text(const Experiment& experiment, const std::vector<pipeline::Result>& results,
                         const std::vector<pipeline::IterationResult>& jobs, const pipeline::RunOptions& options,
                         const report::Look& look) {
  if (results.size() + jobs.size() != 1) return "";
  const double now = results.empty() ? jobs.front().time_s : results.front().time_s;
  std::vector<report::WhatIf> asked =
      results.empty() ? what_if(experiment, jobs, options).front()
                      : what_if(experiment, experiment.collectives.front(), results.front(), options);
  std::erase_if(asked, [&](const report::WhatIf& other) { return other.time_s > now; });
  std::ranges::stable_sort(asked, {}, &report::WhatIf::time_s);
  constexpr std::size_t kMostTold = 3;
  if (asked.size() > kMostTold) asked.resize(kMostTold);
  std::string text, name = "what if";
  for (const report::WhatIf& other : asked) {
    text += report::line_of(
        look, name,
        fmt::format("{} it would take {}, {:.3g} % less{}", other.change, format(Time::seconds(other.time_s)),
                    100 * (1 - other.time_s / now), other.algorithm.empty() ? "" : ", by " + other.algorithm),
        kNames);
    name.clear();
  }
  return text.empty()
             ? report::line_of(look, name, "no faster link and no shorter wait would help by half a percent", kNames)
             : text;
}

}  // namespace helio::ask
