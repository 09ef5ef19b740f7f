// SPDX-License-Identifier: Apache-2.0
#include "plan/job_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "base/budget.h"
#include "base/error.h"
#include "base/units.h"
#include "pipeline/job_schedules.h"
#include "plan/auto.h"
#include "plan/chain_pieces.h"
#include "plan/wdm_planned.h"

namespace helio::plan {
namespace {

using pipeline::Choice;
using pipeline::ChosenFabric;
using pipeline::ClassChoice;
using pipeline::Collective;
using pipeline::Experiment;
using pipeline::IterationResult;
using pipeline::JobChoices;
using pipeline::PlacedJob;
using pipeline::Result;
using pipeline::RunOptions;
using placement::Activity;
using schedule::CollectiveRequest;

constexpr double kWorthIt = 1 - kAsGood;  // of the usual time, to take something else
constexpr double kAlikeSizes = 1.25;      // sizes nearer to each other are searched once
constexpr double kOfRun = 0.6;            // what a run may take of what is left, so that another can follow
constexpr double kOfBudget = 0.4;         // what the search may take of what is left
constexpr double kAsLongAgain = 1.25;     // of the last run: what must be left for another

// Requests that are alike: one class, kind and size.
struct Alike {
  std::string search;            // who is asked
  CollectiveRequest together;    // with groups of all of them that have nodes of their own
  std::vector<std::size_t> all;  // requests of the job
};
using Family = std::map<double, Alike>;  // by bytes

// What was found for one of them: nothing is what is usual.
struct Found {
  std::optional<Choice> choice;
  ClassChoice told;
};

std::vector<Family> families_of(const PlacedJob& job) {
  std::map<std::tuple<Activity, schedule::Kind, schedule::Position, schedule::Position>, Family> by_kind;
  std::map<std::pair<Alike*, std::uint32_t>, bool> taken;
  for (std::size_t r = 0; r < job.program.requests.size(); ++r) {
    const placement::Request& asked = job.program.requests[r];
    const CollectiveRequest& request = asked.request;
    const auto activity = static_cast<std::size_t>(asked.activity);
    if (request.ranks() < 2 || job.transport.search[activity].empty()) continue;
    Alike& alike = by_kind[{asked.activity, request.kind, request.ranks(), request.root}][request.bytes.value];
    if (alike.all.empty()) {
      alike.search = job.transport.search[activity];
      alike.together = request;
      alike.together.groups.clear();
    }
    alike.all.push_back(r);
    if (alike.together.groups.size() * static_cast<std::size_t>(request.ranks()) >= kMostRanksTogether) continue;
    const bool meets = std::ranges::any_of(request.groups, [&](const std::vector<NodeId>& group) {
      return std::ranges::any_of(group, [&](NodeId node) { return taken.contains({&alike, node.value}); });
    });
    if (meets) continue;
    for (const std::vector<NodeId>& group : request.groups) {
      for (const NodeId node : group) taken[{&alike, node.value}] = true;
      alike.together.groups.push_back(group);
    }
  }
  std::vector<Family> families;
  for (auto& [key, family] : by_kind) families.push_back(std::move(family));
  return families;
}

// Sizes that are searched: of those that are nearly the same the largest; all of these, or kMostSizes from the smallest to the largest.
std::vector<double> sizes_of(const Family& family) {
  std::vector<double> sizes, some;
  double first = 0;
  for (const auto& [bytes, alike] : family)
    if (!sizes.empty() && bytes < kAlikeSizes * first)
      sizes.back() = bytes;
    else
      sizes.push_back(first = bytes);
  if (sizes.size() <= kMostSizes) return sizes;
  for (std::size_t i = 0; i < kMostSizes; ++i) some.push_back(sizes[i * (sizes.size() - 1) / (kMostSizes - 1)]);
  return some;
}

bool is_whole(const CollectiveRequest& request, std::uint64_t nodes) {
  if (request.groups.size() != 1 || request.groups.front().size() != nodes) return false;
  return std::ranges::is_sorted(request.groups.front());
}

// One search after the other, remembered.
class JobSearch {
 public:
  JobSearch(const ChosenFabric& fabric, const Experiment& experiment, const RunOptions& options)
      : fabric_(fabric), experiment_(experiment), schedules_(fabric.capabilities()) {
    options_ = within(kJobSearchLimits, options);
    options_.compare = false;
    options_.beat.reset();
  }

  // Whether the budget ended a search.
  bool cut() const { return cut_; }

  // What is found for a job: choices by request, and what is told of them.
  void search(const PlacedJob& job, std::vector<std::optional<Choice>>& choices, std::vector<ClassChoice>& told) {
    choices.assign(job.program.requests.size(), std::nullopt);
    for (const Family& family : families_of(job)) {
      std::vector<std::pair<double, Found>> found;
      for (const double bytes : sizes_of(family)) {
        const Alike& alike = family.at(bytes);
        const Activity activity = job.program.requests[alike.all.front()].activity;
        if (std::optional<Found> one = find(alike, activity, job)) {
          told.push_back(one->told);
          found.emplace_back(bytes, *std::move(one));
        }
      }
      if (found.empty()) continue;
      for (const auto& [bytes, alike] : family) {
        const auto nearest = std::ranges::min_element(
            found, {}, [&, size = bytes](const auto& one) { return std::abs(std::log(one.first / size)); });
        for (const std::size_t r : alike.all) choices[r] = nearest->second.choice;
      }
    }
  }

 private:
  Collective asked_for(const Alike& alike) const {
    Collective one;
    one.name = "a job's";
    one.kind = alike.together.kind;
    one.bytes = {alike.together.bytes, "a job's"};
    one.root = {alike.together.root, "a job's"};
    if (!is_whole(alike.together, fabric_.capabilities().nodes)) one.groups = {alike.together.groups, "a job's"};
    return one;
  }

  std::optional<Found> find(Alike alike, Activity activity, const PlacedJob& job) {
    if (cut_) return std::nullopt;
    const Choice usual = schedules_.usual_for(job.program.requests[alike.all.front()].request);
    try {
      std::optional<Result> as_usual = run(usual, alike);
      if (!as_usual) {  // perhaps not all at once
        Alike one = alike;
        one.together.groups = job.program.requests[alike.all.front()].request.groups;
        if ((as_usual = run(usual, one))) alike = std::move(one);
      }
      const bool planned = alike.search == kWdmPlanned;
      RunOptions beating = options_;
      if (as_usual && !planned) beating.beat = as_usual->time;
      Collective open = asked_for(alike);
      open.algorithm = {std::string(kAuto), "a job's", {}};
      const std::optional<Result> best = planned && can_plan_wdm(experiment_, open)
                                             ? std::optional(planned_result(open))
                                             : fastest(fabric_, experiment_, open, beating);
      if (!best && !as_usual) return std::nullopt;

      Found found;
      ClassChoice& told = found.told;
      told = {.activity = activity,
              .kind = alike.together.kind,
              .bytes = alike.together.bytes,
              .ranks = static_cast<std::uint64_t>(alike.together.ranks()),
              .groups = alike.together.groups.size(),
              .algorithm = in_one_text(usual),
              .usual = in_one_text(usual)};
      if (as_usual) told.time_s = as_usual->time_s, told.usual_time_s = as_usual->time_s;
      if (best && (planned || !as_usual || best->time_s < kWorthIt * as_usual->time_s)) {
        Choice choice = choice_of(*best);
        if (!choice.name.empty() && in_one_text(choice) != told.usual) {
          told.algorithm = in_one_text(choice);
          told.time_s = best->time_s;
          found.choice = std::move(choice);
        }
      }
      return found;
    } catch (const BudgetSpent&) {
      cut_ = true;
    } catch (const std::bad_alloc&) {
      cut_ = true;
    }
    return std::nullopt;
  }

  Result planned_result(Collective one) const {
    one.algorithm.name = kWdmPlanned;
    return plan_wdm(experiment_, one, options_);
  }

  std::optional<Result> run(const Choice& algorithm, const Alike& alike) const {
    Collective one = asked_for(alike);
    one.algorithm = algorithm;
    RunOptions free = options_;
    free.limits = {};
    try {
      return pipeline::run(fabric_, experiment_, one, free);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInfeasible) throw;
      return std::nullopt;
    }
  }

  const ChosenFabric& fabric_;
  const Experiment& experiment_;
  pipeline::JobSchedules schedules_;
  RunOptions options_;
  bool cut_ = false;
};

// One run of all jobs, or why there is none.
struct Run {
  std::vector<IterationResult> results;
  std::optional<Error> refusal;
  std::string reason;  // of no results, in words
  bool done() const { return !results.empty(); }
};

Run run_with(const Experiment& experiment, const RunOptions& options, const JobChoices& choices, bool may_give_up) {
  Run run;
  try {
    run.results = pipeline::run_jobs(experiment, options, choices);
  } catch (const pipeline::Beaten&) {
    run.reason = "take longer";
  } catch (const BudgetSpent&) {
    if (!may_give_up) throw;
    run.reason = "take longer to simulate than the budget allows";
  } catch (const std::bad_alloc&) {
    if (!may_give_up) throw;
    run.reason = "take more memory to simulate than there is";
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInfeasible) throw;
    run.refusal = error;
    run.reason = fmt::format("are refused ({})", error.message());
  }
  return run;
}

// No job slower, and one faster.
bool better(const Run& a, const Run& b) {
  if (!a.done() || !b.done()) return a.done();
  bool any = false;
  for (std::size_t j = 0; j < a.results.size(); ++j) {
    if (a.results[j].time > b.results[j].time) return false;
    any = any || a.results[j].time < b.results[j].time;
  }
  return any;
}

// Whether there is room for one more run like the last, which took so long.
bool affordable(double took) { return Budget::seconds_left() > kAsLongAgain * took; }

bool any_of(const JobChoices& choices) {
  return std::ranges::any_of(choices, [](const auto& job) {
    return std::ranges::any_of(job, [](const std::optional<Choice>& choice) { return choice.has_value(); });
  });
}

// The choices of some classes only.
JobChoices only(const JobChoices& all, const std::vector<PlacedJob>& jobs, const std::set<Activity>& classes) {
  JobChoices some = all;
  for (std::size_t j = 0; j < some.size(); ++j)
    for (std::size_t r = 0; r < some[j].size(); ++r)
      if (!classes.contains(jobs[j].program.requests[r].activity)) some[j][r].reset();
  return some;
}

std::set<Activity> classes_in(const JobChoices& all, const std::vector<PlacedJob>& jobs) {
  std::set<Activity> classes;
  for (std::size_t j = 0; j < all.size(); ++j)
    for (std::size_t r = 0; r < all[j].size(); ++r)
      if (all[j][r]) classes.insert(jobs[j].program.requests[r].activity);
  return classes;
}

std::string names_of(const std::set<Activity>& classes) {
  std::vector<std::string_view> names;
  for (const Activity activity : classes) names.push_back(placement::name_of(activity));
  return fmt::format("{}", fmt::join(names, ", "));
}

bool is_open(const Experiment& experiment) {
  return std::ranges::any_of(experiment.jobs, [](const pipeline::Job& job) {
    return job.algorithm.value == kAuto || std::ranges::any_of(job.algorithms, [](const auto& named) {
             return named.second.name == kAuto || named.second.name == kWdmPlanned;
           });
  });
}

// wdm-planned by name: light on a ring, and no way back to what is usual.
void check_planned(const Experiment& experiment) {
  for (const pipeline::Job& job : experiment.jobs)
    for (const auto& [name, choice] : job.algorithms)
      if (choice.name == kWdmPlanned && experiment.fabric.name != "wdm-ring")
        throw Error(ErrorKind::kInfeasible,
                    fmt::format("wdm-planned plans light on a ring, and '{}' is none", experiment.fabric.name),
                    choice.place, "Use " + advised("fabric", "wdm-ring") + ", or leave it out: auto chooses.");
}

}  // namespace

std::vector<IterationResult> answer_jobs(const Experiment& experiment, const RunOptions& options) {
  if (!is_open(experiment)) return pipeline::run_jobs(experiment, options);
  check_planned(experiment);
  const double start = processor_seconds();

  // As usual
  const Run usual = run_with(experiment, options, {}, false);
  const double took = processor_seconds() - start;
  const auto told = [&](Run run, const std::string& words, const std::vector<std::vector<ClassChoice>>& choices) {
    for (std::size_t j = 0; j < run.results.size(); ++j) {
      run.results[j].search = words;
      if (j < choices.size()) run.results[j].choices = choices[j];
      if (usual.done()) run.results[j].usual_time_s = usual.results[j].time_s;
    }
    return std::move(run.results);
  };
  if (usual.done() && !affordable(2 * took))
    return told(usual, "not searched: the budget has no room for a second run; these are the usual algorithms", {});

  // What is faster by itself
  if (options.progress) options.progress("searching for algorithms");
  const ChosenFabric fabric(experiment.fabric);
  std::vector<PlacedJob> jobs = pipeline::place_jobs(experiment, fabric);
  for (PlacedJob& job : jobs) std::vector<placement::Body>().swap(job.program.bodies);
  JobChoices choices(jobs.size());
  std::vector<std::vector<ClassChoice>> found(jobs.size());
  std::string cut;
  {
    std::optional<Budget> part;
    if (const double left = Budget::seconds_left() - kAsLongAgain * took; std::isfinite(left))
      part.emplace(BudgetLimits{.seconds = std::max(1e-3, kOfBudget * left), .bytes = Budget::limits().bytes});
    JobSearch search(fabric, experiment, options);
    for (std::size_t j = 0; j < jobs.size(); ++j) search.search(jobs[j], choices[j], found[j]);
    if (search.cut()) cut = "; cut by the budget before all was searched";
  }
  if (!any_of(choices)) {
    if (!usual.done()) throw *usual.refusal;
    return told(usual, "the usual algorithms are the fastest of each class" + cut, found);
  }

  // Together
  const auto run_chosen = [&](const JobChoices& some, const Run& best) {
    RunOptions beating = options;
    if (best.done() && jobs.size() == 1)
      beating.beat = Time::seconds(best.results.front().time_s * static_cast<double>(jobs.front().iterations));
    std::optional<Budget> part;
    if (const double left = Budget::seconds_left(); best.done() && std::isfinite(left))
      part.emplace(BudgetLimits{.seconds = std::max(1e-3, kOfRun * left), .bytes = Budget::limits().bytes});
    return run_with(experiment, beating, some, best.done());
  };
  const Run chosen = run_chosen(choices, usual);
  if (better(chosen, usual))
    return told(chosen,
                (usual.done() ? fmt::format("the fastest of each class instead of the usual: {} instead of {}",
                                            format(chosen.results.front().time), format(usual.results.front().time))
                              : fmt::format("the fastest of each class, because the usual {}", usual.reason)) +
                    cut,
                found);
  if (!usual.done()) throw *usual.refusal;

  // Or class by class
  const std::set<Activity> classes = classes_in(choices, jobs);
  Run best = usual;
  std::set<Activity> taken;
  if (classes.size() > 1)
    for (const Activity activity : classes) {
      if (!affordable(took)) break;
      std::set<Activity> more = taken;
      more.insert(activity);
      Run run = run_chosen(only(choices, jobs, more), best);
      if (!better(run, best)) continue;
      best = std::move(run);
      taken = std::move(more);
    }
  const std::string why = chosen.done() ? "take longer together" : chosen.reason;
  if (taken.empty()) return told(usual, fmt::format("the usual algorithms: those found {}{}", why, cut), found);
  return told(best,
              fmt::format("of the fastest of each class only those of {}: all of them {}{}", names_of(taken), why, cut),
              found);
}

}  // namespace helio::plan
