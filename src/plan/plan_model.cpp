// SPDX-License-Identifier: Apache-2.0
#include "plan/plan_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <variant>

#include "base/budget.h"
#include "base/error.h"
#include "base/units.h"
#include "pipeline/assembly.h"
#include "pipeline/iteration.h"
#include "pipeline/job.h"
#include "placement/strategy.h"
#include "plan/at_once.h"
#include "plan/iteration_bound.h"
#include "plan/job_choice.h"
#include "workload/zoo.h"

namespace helio::plan {
namespace {

using pipeline::Candidate;
using pipeline::ModelPlan;
using pipeline::PlannedRun;
using placement::Strategy;

struct Judged {
  double bound = 0;
  std::uint32_t fabric = 0, way = 0;
  bool operator<(const Judged& other) const {
    return std::tie(bound, fabric, way) < std::tie(other.bound, other.fabric, other.way);
  }
};

// The job's model and NPU, as pipeline/iteration.cpp reads them.
struct Subject {
  workload::Workload workload;
  placement::Machine machine;
  Strategy base;  // everything that is not searched
};
Subject subject_of(const pipeline::Experiment& experiment, std::uint64_t npus) {
  const pipeline::Job& job = experiment.jobs.front();
  Settings settings = job.strategy;
  settings["npus"] = {fmt::format("{}", npus), job.place};
  Subject subject{workload::load(pipeline::model_source(job, experiment.source), job.model_settings, job.model.place),
                  pipeline::machine_of(job),
                  placement::strategy_from(Parameters("job", placement::strategy_parameters(), settings), npus)};
  const auto not_searched = [&](const char* key) {
    return Error(ErrorKind::kInput, fmt::format("a plan does not search through jobs with {}", key),
                 settings.at(key).place, "Leave it out, or ask simulate.");
  };
  if (subject.base.streaming) throw not_searched("execution");
  if (!subject.base.ranks.empty()) throw not_searched("ranks");
  if (!(subject.machine.npu.peak(subject.base.precision) > 0))
    throw Error(
        ErrorKind::kInfeasible,
        fmt::format("{} has no {} matrix units", subject.machine.npu.name, placement::name_of(subject.base.precision)),
        job.npu.place, "Choose another precision.");
  return subject;
}

// A fabric on the footing, with what it can do and what it is made of.
struct Entrant {
  const Contender* contender = nullptr;
  Candidate candidate;
  std::optional<pipeline::ChosenFabric> fabric;
};

std::string above(const char* what, double least, double limit) {
  return fmt::format("{} of {:.4g}, and {:.4g} are allowed", what, least, limit);
}

std::vector<Entrant> entrants_of(const PlanQuestion& question, const fabric::Footing& footing, ModelPlan& plan) {
  std::vector<Entrant> entrants;
  for (const Contender& contender : question.fabrics.contenders) {
    CompareQuestion alone = question.fabrics;
    Contender idle = contender;
    idle.experiment.jobs.clear();  // only what it is
    pipeline::Comparison scratch{.title = {}, .nodes = plan.npus, .footing = footing};
    Entrant entrant{&contender, judged(idle, alone, footing, {}, scratch), {}};
    Candidate& what = entrant.candidate;
    std::vector<std::string> over;
    if (what.feasible) {
      entrant.fabric.emplace(what.fabric);
      const NetworkLimits& limits = question.limits;
      if (limits.watts && what.watts.high > *limits.watts)
        over.push_back(above("watts", what.watts.high, *limits.watts));
      if (limits.cost && what.cost.high > *limits.cost) over.push_back(above("a cost", what.cost.high, *limits.cost));
      if (limits.parts && what.parts > *limits.parts) over.push_back(above("parts", what.parts, *limits.parts));
      if (!over.empty()) what.reason = fmt::format("above the budget: {}", fmt::join(over, "; "));
    }
    if (what.feasible && over.empty())
      entrants.push_back(std::move(entrant));
    else
      plan.left_out.push_back(std::move(what));
  }
  if (!entrants.empty()) return entrants;

  // Nobody: the nearest budget, and what binds
  std::string nearest;
  double least = 0;
  for (const Candidate& one : plan.left_out) {
    if (!one.feasible) continue;
    const NetworkLimits& limits = question.limits;
    double factor = 1;
    if (limits.watts) factor = std::max(factor, one.watts.high / *limits.watts);
    if (limits.cost) factor = std::max(factor, one.cost.high / *limits.cost);
    if (limits.parts) factor = std::max(factor, one.parts / *limits.parts);
    if (!nearest.empty() && factor >= least) continue;
    least = factor;
    nearest = fmt::format("'{}' is {}", one.title, one.reason.text());
  }
  if (nearest.empty())
    throw Error(ErrorKind::kInfeasible, fmt::format("none of {} fabrics can be built so", plan.left_out.size()),
                plan.left_out.front().fabric.place, plan.left_out.front().reason);
  throw Error(ErrorKind::kInfeasible, "no fabric meets the budget", question.limits_place,
              fmt::format("The nearest takes {:.4g} times as much: {}.", least, nearest));
}

// What a fabric must carry, as a number: alike for strategies of which it carries all or none.
int exchanged(const Strategy& s) {
  return (s.tp > 1 ? 1 : 0) + (s.pp > 1 ? 2 : 0) + (s.ep > 1 ? 4 : 0) + (s.sequence_parallel ? 8 : 0) +
         (s.cp > 1 ? 16 : 0) + (s.replicas() > 1 ? 32 * (1 + (s.zero > 0 ? 1 : 0) + (s.zero > 2 ? 1 : 0)) : 0);
}

// One candidate in the engine.
struct NotRun {
  std::string reason;
  bool unknown = false;  // it may be fast: its budget ended first
};
using Outcome = std::variant<PlannedRun, NotRun>;

bool dominates(const Candidate& a, const Candidate& b) {
  const bool no_worse =
      a.time_s <= b.time_s && a.watts.middle() <= b.watts.middle() && a.cost.middle() <= b.cost.middle();
  return no_worse && (a.time_s < b.time_s || a.watts.middle() < b.watts.middle() || a.cost.middle() < b.cost.middle());
}

class Search {
 public:
  using Begin = std::function<void(std::size_t, std::size_t, const std::string&)>;
  Search(const PlanQuestion& question, const pipeline::RunOptions& options, const Begin& begin)
      : question_(question),
        options_(options),
        begin_(begin),
        footing_(settled(question.fabrics)),
        subject_(subject_of(question.fabrics.contenders.front().experiment, nodes_of(question))),
        ways_(question.space, subject_.workload, subject_.base, nodes_of(question), question.batch) {
    options_.progress = {};
    plan_.footing = footing_;
    plan_.batch = question.batch;
    plan_.npus = nodes_of(question);
    plan_.model = subject_.workload.title;
    plan_.npu = subject_.machine.npu.name;
    entrants_ = entrants_of(question, footing_, plan_);
  }

  ModelPlan answer() {
    judge();
    prove();
    if (question_.beside) families();
    if (question_.beside) splits();
    if (plan_.runs.empty())
      throw Error(ErrorKind::kInfeasible,
                  fmt::format("none of the {} candidates that were tried can be carried", plan_.refused),
                  question_.space_place, plan_.refusals.front());
    conclude();
    return std::move(plan_);
  }

 private:
  static std::uint64_t nodes_of(const PlanQuestion& question) {
    const pipeline::Experiment& first = question.fabrics.contenders.front().experiment;
    return static_cast<std::uint64_t>(parse_integer(first.fabric.settings.at("nodes").text));
  }

  // Every candidate: what it needs, and what it takes at least.
  void judge() {
    const double processor = processor_seconds();
    IterationBound bounds(subject_.workload, subject_.machine);
    std::vector<FabricBounds> fabrics;
    for (const Entrant& entrant : entrants_) fabrics.emplace_back(entrant.fabric->capabilities());
    const bool once = subject_.machine.constants.dispatch_once > 0;
    std::vector<ExchangeBounds> exchanges;  // of the degrees at hand: by order, then by fabric
    std::vector<std::uint32_t> orders;
    double nearest = 0;  // memory of the smallest that does not fit
    std::uint64_t tried = 0;
    ways_.each(
        [&](const Strategy& degrees) {
          exchanges.clear();
          orders.clear();
          for (std::uint32_t o = 0; o < ways_.orders().size(); ++o) {
            if (ways_.same_as_before(o, degrees)) continue;
            orders.push_back(o);
            const Strategy ordered = ways_.ordered(degrees, o);
            for (std::uint32_t f = 0; f < entrants_.size(); ++f) {
              exchanges.push_back(fabrics[f].of(ordered));
              if (once)
                exchanges.back().expert_groups = pipeline::expert_groups(ordered, entrants_[f].fabric->capabilities());
            }
          }
        },
        [&](const Strategy& strategy) {
          ++tried;
          const double memory = bounds.memory(strategy);
          plan_.judged += entrants_.size() * orders.size();
          if (memory > subject_.machine.npu.memory.value) {
            plan_.no_memory += entrants_.size() * orders.size();
            if (nearest == 0 || memory < nearest) nearest = memory;
            return;
          }
          std::size_t at = 0;
          for (const std::uint32_t o : orders) {
            for (std::uint32_t f = 0; f < entrants_.size(); ++f)
              all_.push_back({bounds.seconds(strategy, exchanges[at++]), f, static_cast<std::uint32_t>(kept_.size())});
            kept_.push_back({strategy, o, memory});
          }
        });
    if (tried == 0)
      throw Error(ErrorKind::kInput,
                  fmt::format("no way to spread {} over {} NPUs with a batch of {:g} is in the space", plan_.model,
                              plan_.npus, question_.batch),
                  question_.space_place, "Allow other degrees, a batch that they divide, or another number of NPUs.");
    if (all_.empty())
      throw Error(
          ErrorKind::kInfeasible,
          fmt::format("{} does not fit: of {} ways to spread it none is below {} of an NPU, the smallest has {}",
                      plan_.model, tried, format(subject_.machine.npu.memory), format(Bytes{nearest})),
          question_.fabrics.contenders.front().experiment.jobs.front().npu.place,
          "Take more NPUs, or those with more memory.");
    std::sort(all_.begin(), all_.end());
    taken_.assign(all_.size(), false);
    plan_.judging_s = processor_seconds() - processor;
  }

  // In the order of their bounds, until nothing that is left can be faster.
  void prove() {
    plan_.ended = "proven";
    for (std::size_t rounds = 0;; ++rounds) {
      pass_over();
      if (at_ == all_.size() || (best_ > 0 && best_ <= all_[at_].bound)) return;
      if (over()) return;
      std::vector<std::size_t> round;
      const std::size_t most = std::min({kLargestRound, kFirstRound << (rounds / 2), left_for_proof()});
      for (; at_ < all_.size() && round.size() < most; pass_over()) {
        round.push_back(at_);
        taken_[at_] = true;
      }
      run(round);
    }
  }

  // Of each fabric that has none, the least bound that it carries.
  void families() {
    for (int k = 0; k < kRoundsOfFamilies; ++k) {
      std::set<std::uint32_t> without;
      for (std::uint32_t f = 0; f < entrants_.size(); ++f) without.insert(f);
      for (const PlannedRun& one : plan_.runs) without.erase(static_cast<std::uint32_t>(one.fabric));
      take_first([&](const Judged& one) { return without.erase(one.fabric) > 0; }, [&] { return without.empty(); });
    }
  }

  // Of the splits with the least bounds, those that did not run.
  void splits() {
    std::set<std::tuple<int, int, int>> seen, ran;
    for (const PlannedRun& one : plan_.runs) ran.insert({one.tp, one.pp, one.cp});
    take_first(
        [&](const Judged& one) {
          const auto split = split_of(one);
          return seen.size() < kSplits && seen.insert(split).second && !ran.contains(split);
        },
        [&] { return seen.size() >= kSplits; });
  }

  // Runs the first ones, by their bounds, that are wanted.
  void take_first(const std::function<bool(const Judged&)>& wanted, const std::function<bool()>& enough) {
    std::vector<std::size_t> some;
    for (std::size_t i = 0; i < all_.size() && !enough(); ++i) {
      if (taken_[i] || skipped(all_[i]) || !wanted(all_[i])) continue;
      some.push_back(i);
      if (question_.most_runs > 0 && plan_.ran + plan_.refused + some.size() >= question_.most_runs) break;
    }
    if (some.empty() || (question_.most_runs > 0 && plan_.ran + plan_.refused >= question_.most_runs)) return;
    if (late() || (question_.interrupted && question_.interrupted())) return;
    for (const std::size_t i : some) taken_[i] = true;
    run(some);
  }

  void pass_over() {
    for (; at_ < all_.size() && (taken_[at_] || skipped(all_[at_])); ++at_)
      if (!taken_[at_]) ++plan_.skipped;
  }

  // Of the limit of runs, but what is kept for those beside.
  std::size_t left_for_proof() const {
    if (question_.most_runs == 0) return all_.size();
    const std::uint64_t kept = question_.beside ? std::min<std::uint64_t>(question_.most_runs / 3, kSplits) : 0;
    const std::uint64_t done = plan_.ran + plan_.refused + kept;
    return done < question_.most_runs ? question_.most_runs - done : 0;
  }
  bool late() const {
    const double clock = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    return question_.most_seconds > 0 && clock > question_.most_seconds && best_ > 0;
  }
  bool over() {
    if (left_for_proof() == 0) plan_.ended = "runs";
    if (late()) plan_.ended = "time";
    if (question_.interrupted && question_.interrupted() && best_ > 0) plan_.ended = "interrupted";
    return plan_.ended != "proven";
  }

  std::tuple<int, int, int> split_of(const Judged& one) const {
    const Strategy& s = kept_[one.way].strategy;
    return {s.tp, s.pp, s.cp};
  }
  std::pair<std::uint32_t, int> alike(const Judged& one) const {
    return {one.fabric, exchanged(kept_[one.way].strategy)};
  }
  bool skipped(const Judged& one) const {
    const auto found = refused_.find(alike(one));
    return found != refused_.end() && found->second >= kMostRefusals;
  }

  // A round: its outcomes in its order, whatever the number of threads.
  void run(const std::vector<std::size_t>& round) {
    if (begin_)
      begin_(plan_.ran + plan_.refused, all_.size(),
             best_ > 0 ? at_ < all_.size() ? fmt::format("best {}, least bound left {}", format(Time::seconds(best_)),
                                                         format(Time::seconds(all_[at_].bound)))
                                           : fmt::format("best {}", format(Time::seconds(best_)))
                       : "first runs");
    std::vector<Outcome> found(round.size());
    at_once(round.size(), question_.threads, [&](std::size_t i) { found[i] = outcome_of(all_[round[i]]); });
    for (std::size_t i = 0; i < round.size(); ++i) note(all_[round[i]], found[i]);
  }

  Outcome outcome_of(const Judged& judged) const {
    const Entrant& entrant = entrants_[judged.fabric];
    const Way& way = kept_[judged.way];
    pipeline::Experiment experiment = entrant.contender->experiment;
    experiment.fabric = entrant.candidate.fabric;
    experiment.jobs.front().strategy = ways_.settings_of(way, experiment.jobs.front().strategy);
    try {
      const std::vector<pipeline::IterationResult> jobs = answer_jobs(experiment, options_);
      const pipeline::IterationResult& job = jobs.front();
      const Strategy& s = way.strategy;
      PlannedRun run{.candidate = entrant.candidate,
                     .memory_bytes = way.memory,
                     .samples_per_s = job.samples_per_s,
                     .cut = job.search.find("budget") != std::string::npos,  // better algorithms may have been left out
                     .tp = s.tp,
                     .pp = s.pp,
                     .cp = s.cp,
                     .ep = s.ep,
                     .dp = s.dp,
                     .fabric = judged.fabric,
                     .job = experiment.jobs.front().strategy,
                     .batch_step = s.micro_batch * s.dp * (s.chunks > 1 ? s.pp : 1),
                     .events = job.events};
      run.candidate.strategy = ways_.in_words(way);
      add_jobs(run.candidate, jobs);
      run.candidate.bound_s = judged.bound;
      return run;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInfeasible) throw;
      return NotRun{error.message()};
    } catch (const BudgetSpent& spent) {
      return NotRun{fmt::format("the budget of a run ({:g} s) ended first", spent.limits.seconds), true};
    }
  }

  void note(const Judged& one, Outcome& outcome) {
    const auto unknown = [&] {
      if (unknown_ == 0 || one.bound < unknown_) unknown_ = one.bound;
    };
    if (const NotRun* refusal = std::get_if<NotRun>(&outcome)) {
      ++plan_.refused;
      plan_.refusals.push_back(fmt::format("{}, {}: {}", entrants_[one.fabric].candidate.title,
                                           ways_.in_words(kept_[one.way]), refusal->reason));
      refusal->unknown ? unknown() : static_cast<void>(++refused_[alike(one)]);
      return;
    }
    ++plan_.ran;
    refused_[alike(one)] = -static_cast<int>(all_.size());  // it can: what is refused later is another matter
    PlannedRun& run = std::get<PlannedRun>(outcome);
    if (run.cut) unknown();
    if (best_ == 0 || run.candidate.time_s < best_) best_ = run.candidate.time_s;
    plan_.runs.push_back(std::move(run));
  }

  void conclude() {
    // What is left, of all and of each fabric
    pass_over();
    if (at_ < all_.size()) plan_.least_left_s = all_[at_].bound;
    if (unknown_ > 0 && (at_ == all_.size() || unknown_ < all_[at_].bound)) {
      plan_.least_left_s = unknown_;
      if (unknown_ < best_ && plan_.ended == "proven") plan_.ended = "budget";
    }
    if (plan_.least_left_s > 0 && plan_.least_left_s < best_) plan_.gap = 1 - plan_.least_left_s / best_;
    std::map<std::uint32_t, double> left;
    for (std::size_t i = all_.size(); i-- > 0;)
      if (!taken_[i] && !skipped(all_[i])) left[all_[i].fabric] = all_[i].bound;

    // The best, of fabrics and of splits
    std::ranges::stable_sort(plan_.runs, {}, [](const PlannedRun& run) { return run.candidate.time_s; });
    std::set<std::size_t> fabrics;
    std::set<std::tuple<int, int, int>> splits;
    for (std::size_t i = 0; i < plan_.runs.size(); ++i) {
      const PlannedRun& run = plan_.runs[i];
      if (splits.insert({run.tp, run.pp, run.cp}).second) plan_.splits.push_back(i);
      if (!fabrics.insert(run.fabric).second) continue;
      plan_.best_of_family.push_back(i);
      const auto bound = left.find(static_cast<std::uint32_t>(run.fabric));
      plan_.family_gap.push_back(bound == left.end() ? 0 : std::max(0.0, 1 - bound->second / run.candidate.time_s));
    }
    for (const std::size_t i : plan_.best_of_family)
      if (std::ranges::none_of(plan_.best_of_family, [&](std::size_t k) {
            return dominates(plan_.runs[k].candidate, plan_.runs[i].candidate);
          }))
        plan_.front.push_back(i);
    for (PlannedRun& run : plan_.runs)  // of those that were asked for
      run.fabric = static_cast<std::size_t>(entrants_[run.fabric].contender - question_.fabrics.contenders.data());
  }

  const PlanQuestion& question_;
  pipeline::RunOptions options_;
  const Begin& begin_;
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  fabric::Footing footing_;
  Subject subject_;
  Ways ways_;
  ModelPlan plan_;
  std::vector<Entrant> entrants_;
  std::vector<Way> kept_;
  std::vector<Judged> all_;                               // by their bounds
  std::vector<bool> taken_;                               // which of them ran, or were refused
  std::size_t at_ = 0;                                    // the first that is left
  double best_ = 0, unknown_ = 0;                         // the best time; the least bound of what was given up
  std::map<std::pair<std::uint32_t, int>, int> refused_;  // by fabric and what is exchanged
};

}  // namespace

ModelPlan plan_model(const PlanQuestion& question, const pipeline::RunOptions& options,
                     const std::function<void(std::size_t, std::size_t, const std::string&)>& begin) {
  return Search(question, options, begin).answer();
}

}  // namespace helio::plan
