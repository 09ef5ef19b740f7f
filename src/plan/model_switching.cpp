// SPDX-License-Identifier: Apache-2.0
#include "plan/model_switching.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "base/budget.h"
#include "base/error.h"
#include "base/units.h"
#include "plan/at_once.h"
#include "plan/dials.h"
#include "plan/job_choice.h"
#include "plan/switching.h"

namespace helio::plan {
namespace {

using pipeline::PlannedRun;

// Samples of an iteration: as many micro-batches more. `step`: what both can do multiples of; 0: there is none.
double common_step(const PlannedRun& a, const PlannedRun& b) {
  const auto whole = [](double value) { return value >= 1 && value == std::floor(value) && value < 1e9; };
  if (!whole(a.batch_step) || !whole(b.batch_step)) return 0;
  return static_cast<double>(
      std::lcm(static_cast<std::uint64_t>(a.batch_step), static_cast<std::uint64_t>(b.batch_step)));
}

Dial batch_dial(double at) {
  return {"batch", at,
          [](pipeline::Experiment& experiment, fabric::Footing&, double value) {
            Settings& job = experiment.jobs.front().strategy;
            const double each = value / parse_number(job.at("micro_batch").text) / parse_number(job.at("dp").text);
            job["micro_batches"] = {fmt::format("{:.0f}", each), "switching"};
          },
          [](double value) { return fmt::format("{:.0f}", value); }};
}

// Seconds that a run takes with a dial turned; none: it cannot be.
class Turned {
 public:
  Turned(const PlanQuestion& question, const pipeline::ModelPlan& plan, const pipeline::RunOptions& options)
      : question_(question), plan_(plan), options_(options) {
    options_.progress = {};
  }

  std::optional<bool> ahead(const Dial& dial, double value, std::size_t winner, std::size_t rival) {
    const std::array<std::size_t, 2> both = {winner, rival};
    std::array<std::optional<double>, 2> times;
    at_once(2, question_.threads, [&](std::size_t i) {
      const auto found = known_.find({dial.name, value, both[i]});
      times[i] = found != known_.end() ? found->second : time_of(dial, value, both[i]);
    });
    for (const std::size_t i : {0u, 1u}) known_[{dial.name, value, both[i]}] = times[i];
    if (!times[0] && !times[1]) return {};
    if (!times[0] || !times[1]) return times[0].has_value();
    return *times[0] <= *times[1];
  }

 private:
  std::optional<double> time_of(const Dial& dial, double value, std::size_t run) const {
    const PlannedRun& asked = plan_.runs[run];
    pipeline::Experiment experiment = question_.fabrics.contenders[asked.fabric].experiment;
    experiment.jobs.front().strategy = asked.job;
    fabric::Footing footing = plan_.footing;
    dial.turn(experiment, footing, value);
    try {
      experiment.fabric.settings = fabric::on_footing(experiment.fabric.name, std::move(experiment.fabric.settings),
                                                      footing, experiment.fabric.place);
      return answer_jobs(experiment, options_).front().time_s;
    } catch (const Error&) {  // no light arrives, a value that the fabric does not have
      return {};
    } catch (const BudgetSpent&) {
      return {};
    }
  }

  const PlanQuestion& question_;
  const pipeline::ModelPlan& plan_;
  pipeline::RunOptions options_;
  std::map<std::tuple<std::string, double, std::size_t>, std::optional<double>> known_;
};

}  // namespace

void seek_switching(const PlanQuestion& question, const std::vector<std::string>& names,
                    const pipeline::RunOptions& options, pipeline::ModelPlan& plan) {
  const pipeline::ModelPlan asked = plan;
  Turned turned(question, asked, options);
  const PlannedRun& winner = asked.runs.front();
  const bool with_batch = names.empty() || std::ranges::count(names, "batch") > 0;
  for (std::size_t k = 1; k < asked.best_of_family.size() && k <= kMostRivals; ++k) {
    const std::size_t at = asked.best_of_family[k];
    const PlannedRun& rival = asked.runs[at];
    std::vector<Dial> dials = dials_of(question.fabrics.contenders.front().experiment, asked.footing,
                                       {&winner.candidate, &rival.candidate}, names);
    const double step = common_step(winner, rival);
    if (with_batch && step > 0) dials.push_back(batch_dial(asked.batch));
    for (const Dial& dial : dials) {
      if (question.interrupted && question.interrupted()) return;
      seek_switches(
          {.parameter = dial.name,
           .at = dial.at,
           .whole = dial.name == "batch" ? step : 0,
           .winner = winner.candidate.title,
           .rival = rival.candidate.title,
           .in_words = dial.in_words},
          [&](double value) { return turned.ahead(dial, value, 0, at); }, plan.switching, plan.steady);
    }
  }
}

}  // namespace helio::plan
