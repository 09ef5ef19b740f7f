// SPDX-License-Identifier: Apache-2.0
#include "plan/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>

#include "base/budget.h"
#include "base/error.h"
#include "base/units.h"
#include "pipeline/assembly.h"
#include "pipeline/fact_kinds.h"
#include "pipeline/iteration.h"
#include "plan/auto.h"
#include "plan/dials.h"
#include "plan/job_choice.h"
#include "plan/switching.h"

namespace helio::plan {
namespace {

using pipeline::Candidate;
using pipeline::ChosenFabric;
using pipeline::Collective;
using pipeline::Comparison;
using pipeline::Experiment;
using pipeline::IterationResult;
using pipeline::Result;

void note_error(Candidate& candidate, const Facts& facts) {
  for (const Fact& fact : facts)
    if (fact.name == pipeline::kValueErrorFact.name)
      candidate.value_error = std::max(candidate.value_error.value_or(0), std::get<double>(fact.value));
}

void note_energy(Candidate& candidate, const pipeline::NetworkEnergy& energy) {
  candidate.energy += {energy.low.value, energy.high.value};
}

void add_collective(Candidate& candidate, const ChosenFabric& fabric, const Collective& collective,
                    const Result& result, const fabric::Footing& footing, double& ideal_s) {
  candidate.algorithm += (candidate.algorithm.empty() ? "" : ", ") + result.algorithm;
  candidate.time_s += result.time_s;
  candidate.exposed_s += result.time_s;
  candidate.bound_s += result.bound_s;
  candidate.label = result.label;
  note_error(candidate, result.facts);
  note_energy(candidate, result.energy);
  if (!collective.groups.value.empty() || collective.strategy.value || !footing.injection) {
    candidate.why += (candidate.why.empty() ? "" : "; ") + result.bottleneck;
    return;
  }
  const auto request = schedule::request_on_all(collective.kind, collective.bytes.value,
                                                static_cast<schedule::Position>(fabric.capabilities().nodes),
                                                static_cast<schedule::Position>(collective.root.value));
  const pipeline::Explained why = explained(fabric.capabilities(), request, *footing.injection, result);
  candidate.factors = why.factors;
  candidate.why += (candidate.why.empty() ? "" : "; ") + in_words(why.factors);
  ideal_s += why.ideal_s;
}

// How it is spread, as far as it says so.
std::string degrees_of(const pipeline::Job& job) {
  std::string words;
  for (const char* name : {"tp", "pp", "cp", "dp", "ep", "micro_batch", "zero", "recompute", "rank_order"})
    if (const auto found = job.strategy.find(name); found != job.strategy.end())
      words += fmt::format("{}{}={}", words.empty() ? "" : " ", name, found->second.text);
  return words;
}

// Whether an error is what a network has to say, and no wrong word of who asks.
bool is_answer(const Error& error, const CompareQuestion& question) {
  return error.kind() == ErrorKind::kInfeasible || error.place() == fabric::kFootingPlace ||
         (!question.nodes_place.empty() && error.place() == question.nodes_place);
}

}  // namespace

void add_jobs(Candidate& candidate, const std::vector<IterationResult>& jobs) {
  const IterationResult& slowest = *std::ranges::max_element(jobs, {}, &IterationResult::time_s);
  candidate.time_s += slowest.time_s;
  candidate.bound_s += slowest.bound_s;
  std::vector<std::string> words;
  for (int a = 0; a < placement::kActivities; ++a) {
    const auto activity = static_cast<placement::Activity>(a);
    const double seconds = slowest.exposed_s[static_cast<std::size_t>(a)];
    if (activity != placement::Activity::kCompute) candidate.exposed_s += seconds;
    if (seconds > 0)
      words.push_back(fmt::format("{} {}", placement::name_of(activity), format(Time::seconds(seconds))));
  }
  candidate.why += fmt::format("{}{}", candidate.why.empty() ? "" : "; ", fmt::join(words, ", "));
  candidate.label = slowest.label;
  std::vector<std::string> carried;
  for (const auto& [activity, algorithm] : slowest.algorithms) carried.push_back(activity + " " + algorithm);
  candidate.algorithm += fmt::format("{}{}", candidate.algorithm.empty() ? "" : ", ", fmt::join(carried, ", "));
  for (const IterationResult& job : jobs) {
    note_error(candidate, job.facts);
    note_energy(candidate, job.network_energy);
  }
}

fabric::Footing settled(const CompareQuestion& question) {
  assert(!question.contenders.empty() && "somebody must answer");
  fabric::Footing footing = question.footing;
  if (footing.injection || question.as_it_is) return footing;
  std::optional<Error> why;
  for (const Contender& contender : question.contenders) try {
      const ChosenFabric first(contender.experiment.fabric);
      footing.injection = first.capabilities().injection / first.capabilities().lit_share;
      return footing;
    } catch (const Error& error) {
      if (!is_answer(error, question)) throw;
      if (!why) why = error;
    }
  throw *why;
}

Candidate judged(const Contender& contender, const CompareQuestion& question, const fabric::Footing& footing,
                 const pipeline::RunOptions& options, Comparison& comparison) {
  Experiment experiment = contender.experiment;
  Candidate candidate{.title = contender.title, .fabric = experiment.fabric};
  try {
    // On the footing, and what that set
    experiment.fabric.settings =
        on_footing(experiment.fabric.name, std::move(experiment.fabric.settings), footing, experiment.fabric.place);
    candidate.fabric = experiment.fabric;
    for (const auto& [name, setting] : experiment.fabric.settings) {
      const auto before = contender.experiment.fabric.settings.find(name);
      if (before == contender.experiment.fabric.settings.end() || before->second.text != setting.text)
        candidate.set.emplace_back(name, setting.text);
    }
    const ChosenFabric fabric(experiment.fabric);
    candidate.configuration = fabric.configuration().values;
    const std::uint64_t nodes = fabric.capabilities().nodes;
    if (comparison.nodes == 0) comparison.nodes = nodes;
    if (comparison.nodes != nodes)
      throw Error(ErrorKind::kInput,
                  fmt::format("'{}' has {} nodes, and others have {}", contender.title, nodes, comparison.nodes),
                  experiment.fabric.place, "Give all fabrics the same nodes, with " + advised("nodes") + ".");

    // What it is made of
    const fabric::Priced bill = fabric::bill(fabric.fabric(), experiment.parts);
    candidate.watts = bill.watts;
    candidate.cost = bill.cost;
    for (const fabric::Priced::Line& line : bill.lines) candidate.parts += line.what.count;
    candidate.bill = bill.lines;

    // What it answers
    double ideal_s = 0;
    for (const Collective& collective : experiment.collectives) {
      Budget::renew();
      add_collective(candidate, fabric, collective, answer(experiment, collective, options), footing, ideal_s);
    }
    if (experiment.collectives.size() > 1) candidate.factors.clear();
    if (experiment.collectives.size() == 1 && experiment.jobs.empty()) comparison.ideal_s = ideal_s;
    Budget::renew();
    for (const pipeline::Job& job : experiment.jobs)
      candidate.strategy += (candidate.strategy.empty() ? "" : "; ") + degrees_of(job);
    if (!experiment.jobs.empty()) add_jobs(candidate, answer_jobs(experiment, options));
    candidate.feasible = true;
  } catch (const Error& error) {
    if (!is_answer(error, question)) throw;
    candidate.reason = error.message() + ". " + error.advice();
  } catch (const BudgetSpent& spent) {
    candidate.reason = fmt::format("the budget of {}ended before its answer",
                                   spent.limits.seconds > 0 ? fmt::format("{:g} s ", spent.limits.seconds) : "") +
                       (" (" + advised("budget") + ")");
  }
  return candidate;
}

namespace {

void seek_switching(const CompareQuestion& question, const pipeline::RunOptions& options, Comparison& comparison) {
  if (!comparison.runner_up || (question.switching && question.switching->empty())) return;
  const Experiment& first = question.contenders.front().experiment;
  if (!question.switching && (comparison.nodes > kMostNodesTurned || !first.jobs.empty())) {
    comparison.steady.push_back(first.jobs.empty()
                                    ? fmt::format("not looked for unasked on more than {} nodes", kMostNodesTurned)
                                    : "not looked for unasked in jobs");
    return;
  }
  pipeline::RunOptions quick = options;
  quick.values = false;
  quick.progress = {};
  const auto candidate = [&](std::size_t i) { return &comparison.candidates[i]; };
  for (std::size_t rival = 0; rival < comparison.candidates.size(); ++rival) {
    if (rival == *comparison.winner || !candidate(rival)->feasible) continue;
    if (!question.switching && rival != *comparison.runner_up) continue;
    for (const Dial& dial : dials_of(first, comparison.footing, {candidate(*comparison.winner), candidate(rival)},
                                     question.switching ? *question.switching : std::vector<std::string>{})) {
      const auto seconds = [&](std::size_t who, double value) -> std::optional<double> {
        Contender turned = question.contenders[who];
        fabric::Footing footing = comparison.footing;
        dial.turn(turned.experiment, footing, value);
        Comparison scratch{.title = {}, .footing = footing};
        try {
          const Candidate found = judged(turned, question, footing, quick, scratch);
          return found.feasible ? std::optional(found.time_s) : std::nullopt;
        } catch (const Error&) {  // a value that the fabric does not have
          return {};
        }
      };
      seek_switches(
          {.parameter = dial.name,
           .at = dial.at,
           .winner = candidate(*comparison.winner)->title,
           .rival = candidate(rival)->title,
           .in_words = dial.in_words},
          [&](double value) -> std::optional<bool> {
            const auto a = seconds(*comparison.winner, value), b = seconds(rival, value);
            if (!a && !b) return {};
            return !a || !b ? a.has_value() : *a <= *b;
          },
          comparison.switching, comparison.steady);
    }
  }
}

}  // namespace

Comparison compare(const CompareQuestion& question, const pipeline::RunOptions& options,
                   const std::function<void(std::size_t, const std::string&)>& begin) {
  Comparison comparison{
      .title = question.title, .nodes = 0, .footing = settled(question), .most_error = question.most_error};
  for (std::size_t i = 0; i < question.contenders.size(); ++i) {
    if (begin) begin(i, question.contenders[i].title);
    comparison.candidates.push_back(judged(question.contenders[i], question, comparison.footing, options, comparison));
  }
  rank(comparison);
  seek_switching(question, options, comparison);
  return comparison;
}

}  // namespace helio::plan
