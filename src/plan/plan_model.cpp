// SPDX-License-Identifier: Apache-2.0
#include "plan/plan_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <exception>
#include <map>
#include <set>
#include <thread>
#include <tuple>
#include <variant>

#include "base/budget.h"
#include "base/error.h"
#include "base/split.h"
#include "base/units.h"
#include "pipeline/assembly.h"
#include "pipeline/iteration.h"
#include "pipeline/job.h"
#include "placement/strategy.h"
#include "plan/iteration_bound.h"
#include "plan/job_choice.h"
#include "workload/zoo.h"

namespace helio::plan {
namespace {

using pipeline::Candidate;
using pipeline::ModelPlan;
using pipeline::PlannedRun;
using placement::Strategy;

constexpr const char* kRecompute[] = {"none", "selective", "full"};

// A way of spreading the model, with what it needs of an NPU. `order` is one of the space's.
struct Way {
  Strategy strategy;
  std::uint32_t order = 0;
  double memory = 0;
};
struct Judged {
  double bound = 0;
  std::uint32_t fabric = 0, way = 0;
  bool operator<(const Judged& other) const {
    return std::tie(bound, fabric, way) < std::tie(other.bound, other.fabric, other.way);
  }
};

template <class T>
std::vector<T> or_usual(const std::vector<T>& given, std::vector<T> usual) {
  return given.empty() ? std::move(usual) : given;
}

std::vector<int> divisors(std::uint64_t n, std::uint64_t most) {
  std::vector<int> all;
  for (std::uint64_t d = 1; d <= std::min(n, most); ++d)
    if (n % d == 0) all.push_back(static_cast<int>(d));
  return all;
}

// The job's model and NPU, as pipeline/iteration.cpp reads them.
struct Subject {
  workload::Workload workload;
  placement::Machine machine;
  Strategy base;  // everything that is not searched
};
Subject subject_of(const pipeline::Experiment& experiment, std::uint64_t npus) {
  const pipeline::Job& job = experiment.jobs.front();
  const auto& entry = placement::npus().at(job.npu.name, job.npu.place);
  const Parameters npu = placement::npus().resolve(entry, job.npu.settings);
  Settings settings = job.strategy;
  settings["npus"] = {fmt::format("{}", npus), job.place};
  return {workload::load(pipeline::model_source(job, experiment.source), job.model_settings, job.model.place),
          {entry.factory(npu),
           placement::constants_from(Parameters("compute model", placement::compute_parameters(), job.compute))},
          placement::strategy_from(Parameters("job", placement::strategy_parameters(), settings), npus)};
}

Settings settings_of(const Strategy& s, const std::string& order, Settings base) {
  const auto set = [&](const char* name, std::string text) { base[name] = {std::move(text), "plan"}; };
  set("tp", fmt::format("{}", s.tp));
  set("pp", fmt::format("{}", s.pp));
  set("dp", fmt::format("{}", s.dp));
  set("ep", fmt::format("{}", s.ep));
  set("micro_batch", fmt::format("{}", s.micro_batch));
  set("micro_batches", fmt::format("{}", s.micro_batches));
  set("sequence_parallel", s.sequence_parallel ? "true" : "false");
  set("zero", fmt::format("{}", s.zero));
  set("recompute", kRecompute[static_cast<int>(s.recompute)]);
  set("rank_order", order);
  if (s.chunks > 1) {
    set("schedule", "interleaved");
    set("chunks", fmt::format("{}", s.chunks));
  }
  return base;
}

std::string in_words(const Strategy& s, const std::string& order) {
  std::string words = fmt::format("tp={} pp={} dp={}", s.tp, s.pp, s.dp);
  if (s.ep > 1) words += fmt::format(" ep={}", s.ep);
  words += fmt::format(" micro_batch={:g}x{}", s.micro_batch, s.micro_batches);
  if (s.chunks > 1) words += fmt::format(" chunks={}", s.chunks);
  if (s.sequence_parallel) words += " sequence_parallel";
  if (s.zero > 0) words += fmt::format(" zero={}", s.zero);
  if (s.recompute != placement::Recompute::kNone)
    words += fmt::format(" recompute={}", kRecompute[static_cast<int>(s.recompute)]);
  return words + " order=" + order;
}

// All ways to spread the model, those that divide it.
class Ways {
 public:
  Ways(const PlanQuestion& question, const Subject& subject, std::uint64_t npus)
      : question_(question), subject_(subject), npus_(npus) {
    const StrategySpace& space = question.space;
    const workload::Workload& model = subject.workload;
    std::uint64_t experts = 0;
    for (const workload::Layer& layer : model.layers) experts = std::max(experts, layer.experts);
    tp = or_usual(space.tp, model.attention_heads > 0 ? divisors(model.attention_heads, 64) : std::vector<int>{1});
    pp = or_usual(space.pp, divisors(npus, std::min<std::uint64_t>(model.depth(), 128)));
    ep = or_usual(space.ep, experts > 0 ? divisors(experts, 64) : std::vector<int>{1});
    chunks = or_usual(space.chunks, {1, 2, 3, 4, 6, 8});
    zero = or_usual(space.zero, {0, 1, 2, 3});
    micro_batch = or_usual(space.micro_batch, {1, 2, 4, 8});
    sequence_parallel = or_usual(space.sequence_parallel, {0, 1});
    orders = or_usual(space.rank_order, std::vector<std::string>{"tp,dp,pp", "tp,pp,dp"});
    for (const std::string& name : or_usual(space.recompute, std::vector<std::string>{"none", "selective", "full"}))
      recompute.push_back(static_cast<placement::Recompute>(std::ranges::find(kRecompute, name) - kRecompute));
  }

  // Calls `take` with every set of degrees, and `within` with every way that has them.
  template <class Take, class Within>
  void each(const Take& take, const Within& within) const {
    const workload::Workload& model = subject_.workload;
    for (const int t : tp)
      for (const int p : pp)
        for (const int e : ep) {
          const auto cell = static_cast<std::uint64_t>(t) * static_cast<std::uint64_t>(p);
          if (npus_ % cell != 0 || static_cast<std::uint64_t>(p) > model.depth()) continue;
          if (t > 1 && (model.attention_heads == 0 || model.attention_heads % static_cast<std::uint64_t>(t) != 0))
            continue;
          Strategy s = subject_.base;
          s.tp = t, s.pp = p, s.ep = e;
          s.dp = static_cast<int>(npus_ / cell);
          if (s.dp % e != 0) continue;
          take(s);
          for (const double m : micro_batch) spread(s, m, within);
        }
  }

  // Whether an earlier order puts the ranks on the same nodes: dimensions of one do not matter.
  bool same_as_before(std::size_t order, const Strategy& s) const {
    const auto effective = [&](const std::string& text) {
      std::string left;
      for (const std::string& name : split(text, ','))
        if ((name == "tp" ? s.tp : name == "dp" ? s.dp : s.pp) > 1) left += name;
      return left;
    };
    for (std::size_t k = 0; k < order; ++k)
      if (effective(orders[k]) == effective(orders[order])) return true;
    return false;
  }

  std::vector<int> tp, pp, ep, chunks, zero, sequence_parallel;
  std::vector<double> micro_batch;
  std::vector<placement::Recompute> recompute;
  std::vector<std::string> orders;

 private:
  template <class Within>
  void spread(Strategy s, double m, const Within& within) const {
    const double each = question_.batch / m / s.dp;
    if (each < 1 || each != std::floor(each) || each > 1e6) return;
    s.micro_batch = m;
    s.micro_batches = static_cast<std::uint64_t>(each);
    for (const int v : chunks) {
      if (v > 1 && (s.pp == 1 || s.micro_batches % static_cast<std::uint64_t>(s.pp) != 0 ||
                    static_cast<std::uint64_t>(v) * static_cast<std::uint64_t>(s.pp) > subject_.workload.depth()))
        continue;
      s.chunks = v;
      s.order = v > 1 ? placement::PipelineOrder::kInterleaved : subject_.base.order;
      for (const int q : sequence_parallel) {
        if (q && s.tp == 1) continue;
        s.sequence_parallel = q != 0;
        for (const placement::Recompute r : recompute) {
          s.recompute = r;
          for (const int z : zero) {
            if (z > 0 && s.dp == 1) continue;
            s.zero = z;
            within(s);
          }
        }
      }
    }
  }

  const PlanQuestion& question_;
  const Subject& subject_;
  std::uint64_t npus_;
};

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
         (s.dp > 1 ? 16 * (1 + (s.zero > 0 ? 1 : 0) + (s.zero > 2 ? 1 : 0)) : 0);
}

// One candidate in the engine.
struct NotRun {
  std::string reason;
  bool unknown = false;  // it may be fast: its budget ended first
};
using Outcome = std::variant<PlannedRun, NotRun>;
Outcome run_one(const Entrant& entrant, const Way& way, const std::string& order, double bound,
                const pipeline::RunOptions& options) {
  pipeline::Experiment experiment = entrant.contender->experiment;
  experiment.fabric = entrant.candidate.fabric;
  experiment.jobs.front().strategy = settings_of(way.strategy, order, experiment.jobs.front().strategy);
  try {
    const std::vector<pipeline::IterationResult> jobs = answer_jobs(experiment, options);
    const pipeline::IterationResult& job = jobs.front();
    PlannedRun run{
        .candidate = entrant.candidate, .strategy = in_words(way.strategy, order), .memory_bytes = way.memory};
    add_jobs(run.candidate, jobs);
    run.candidate.bound_s = bound;
    run.samples_per_s = job.samples_per_s;
    run.cut = job.search.find("budget") != std::string::npos;  // better algorithms may have been left out
    return run;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInfeasible) throw;
    return NotRun{error.message()};
  } catch (const BudgetSpent& spent) {
    return NotRun{fmt::format("the budget of a run ({:g} s) ended first", spent.limits.seconds), true};
  }
}

bool dominates(const Candidate& a, const Candidate& b) {
  const bool no_worse =
      a.time_s <= b.time_s && a.watts.middle() <= b.watts.middle() && a.cost.middle() <= b.cost.middle();
  return no_worse && (a.time_s < b.time_s || a.watts.middle() < b.watts.middle() || a.cost.middle() < b.cost.middle());
}

void conclude(ModelPlan& plan) {
  std::ranges::stable_sort(plan.runs, {}, [](const PlannedRun& run) { return run.candidate.time_s; });
  std::set<std::string> seen;
  for (std::size_t i = 0; i < plan.runs.size(); ++i)
    if (seen.insert(plan.runs[i].candidate.title).second) plan.best_of_family.push_back(i);
  for (const std::size_t i : plan.best_of_family)
    if (std::ranges::none_of(plan.best_of_family,
                             [&](std::size_t k) { return dominates(plan.runs[k].candidate, plan.runs[i].candidate); }))
      plan.front.push_back(i);
}

}  // namespace

ModelPlan plan_model(const PlanQuestion& question, const pipeline::RunOptions& options,
                     const std::function<void(std::size_t, std::size_t, const std::string&)>& begin) {
  const auto started = std::chrono::steady_clock::now();
  const double processor = processor_seconds();
  const fabric::Footing footing = settled(question.fabrics);
  const pipeline::Experiment& first = question.fabrics.contenders.front().experiment;
  ModelPlan plan;
  plan.footing = footing;
  plan.batch = question.batch;
  plan.npus = static_cast<std::uint64_t>(parse_integer(first.fabric.settings.at("nodes").text));
  const Subject subject = subject_of(first, plan.npus);
  plan.model = subject.workload.title;
  plan.npu = subject.machine.npu.name;
  const std::vector<Entrant> entrants = entrants_of(question, footing, plan);

  // Judge all
  const Ways ways(question, subject, plan.npus);
  IterationBound bounds(subject.workload, subject.machine);
  std::vector<Way> kept;
  std::vector<Judged> all;
  std::map<std::pair<std::uint32_t, std::uint32_t>, ExchangeBounds> exchanges;  // of the degrees at hand
  std::vector<std::uint32_t> orders;
  double nearest = 0;  // memory of the smallest that does not fit
  std::uint64_t tried = 0;
  ways.each(
      [&](const Strategy& degrees) {
        exchanges.clear();
        orders.clear();
        for (std::uint32_t o = 0; o < ways.orders.size(); ++o)
          if (!ways.same_as_before(o, degrees)) orders.push_back(o);
        for (std::uint32_t f = 0; f < entrants.size(); ++f)
          for (const std::uint32_t o : orders) {
            Strategy ordered = degrees;
            ordered.rank_order.clear();
            for (const std::string& name : split(ways.orders[o], ','))
              ordered.rank_order.push_back(name == "tp" ? 0 : name == "dp" ? 1 : 2);
            exchanges[{f, o}] = exchange_bounds(entrants[f].fabric->capabilities(), ordered);
          }
      },
      [&](const Strategy& strategy) {
        ++tried;
        const double memory = bounds.memory(strategy);
        plan.judged += entrants.size() * orders.size();
        if (memory > subject.machine.npu.memory.value) {
          plan.no_memory += entrants.size() * orders.size();
          if (nearest == 0 || memory < nearest) nearest = memory;
          return;
        }
        for (const std::uint32_t o : orders) {
          for (std::uint32_t f = 0; f < entrants.size(); ++f)
            all.push_back({bounds.seconds(strategy, exchanges[{f, o}]), f, static_cast<std::uint32_t>(kept.size())});
          kept.push_back({strategy, o, memory});
        }
      });
  if (tried == 0)
    throw Error(ErrorKind::kInput,
                fmt::format("no way to spread {} over {} NPUs with a batch of {:g} is in the space", plan.model,
                            plan.npus, question.batch),
                question.space_place, "Allow other degrees, a batch that they divide, or another number of NPUs.");
  if (all.empty())
    throw Error(ErrorKind::kInfeasible,
                fmt::format("{} does not fit: of {} ways to spread it none is below {} of an NPU, the smallest has {}",
                            plan.model, tried, format(subject.machine.npu.memory), format(Bytes{nearest})),
                first.jobs.front().npu.place, "Take more NPUs, or those with more memory.");
  std::sort(all.begin(), all.end());
  plan.judging_s = processor_seconds() - processor;

  // Run in their order
  double best = 0;
  std::size_t at = 0, rounds = 0;
  plan.ended = "proven";
  const unsigned threads = std::max(1u, question.threads > 0 ? question.threads : std::thread::hardware_concurrency());
  pipeline::RunOptions quiet = options;
  quiet.progress = {};
  const BudgetLimits limits = Budget::limits();
  double unknown = 0;                                    // the least bound of what was given up
  std::map<std::pair<std::uint32_t, int>, int> refused;  // by fabric and what is exchanged
  const auto alike = [&](const Judged& one) { return std::pair(one.fabric, exchanged(kept[one.way].strategy)); };
  const auto skipped = [&](const Judged& one) {
    const auto found = refused.find(alike(one));
    return found != refused.end() && found->second >= kMostRefusals;
  };
  while (true) {
    for (; at < all.size() && skipped(all[at]); ++at) ++plan.skipped;
    if (at == all.size()) break;
    if (best > 0 && best <= all[at].bound) break;
    const double clock = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    if (question.most_runs > 0 && plan.ran + plan.refused >= question.most_runs) plan.ended = "runs";
    if (question.most_seconds > 0 && clock > question.most_seconds && best > 0) plan.ended = "time";
    if (question.interrupted && question.interrupted() && best > 0) plan.ended = "interrupted";
    if (plan.ended != "proven") break;
    if (begin)
      begin(plan.ran + plan.refused, all.size(),
            best > 0 ? fmt::format("best {}, least bound left {}", format(Time::seconds(best)),
                                   format(Time::seconds(all[at].bound)))
                     : "first runs");

    // A round, each on the next free thread
    std::vector<Judged> round;
    const std::size_t most = std::min(kLargestRound, kFirstRound << (rounds++ / 2));
    for (; at < all.size() && round.size() < most; ++at)
      if (skipped(all[at]))
        ++plan.skipped;
      else
        round.push_back(all[at]);
    const std::size_t count = round.size();
    std::vector<Outcome> found(count);
    std::vector<std::exception_ptr> failed(count);
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t i = next++; i < count; i = next++) try {
          const Budget budget(limits);
          const Judged& one = round[i];
          found[i] = run_one(entrants[one.fabric], kept[one.way], ways.orders[kept[one.way].order], one.bound, quiet);
        } catch (...) {
          failed[i] = std::current_exception();
        }
    };
    std::vector<std::thread> pool;
    for (unsigned t = 1; t < std::min<std::size_t>(threads, count); ++t) pool.emplace_back(work);
    work();
    for (std::thread& thread : pool) thread.join();
    for (std::size_t i = 0; i < count; ++i) {
      if (failed[i]) std::rethrow_exception(failed[i]);
      const Judged& one = round[i];
      if (const NotRun* refusal = std::get_if<NotRun>(&found[i])) {
        ++plan.refused;
        const std::string where = fmt::format("{}, {}", entrants[one.fabric].candidate.title,
                                              in_words(kept[one.way].strategy, ways.orders[kept[one.way].order]));
        plan.refusals.push_back(fmt::format("{}: {}", where, refusal->reason));
        if (!refusal->unknown)
          ++refused[alike(one)];
        else if (unknown == 0 || one.bound < unknown)
          unknown = one.bound;
        continue;
      }
      ++plan.ran;
      refused[alike(one)] = -static_cast<int>(all.size());  // it can: what is refused later is another matter
      PlannedRun& run = std::get<PlannedRun>(found[i]);
      if (run.cut && (unknown == 0 || one.bound < unknown)) unknown = one.bound;
      if (best == 0 || run.candidate.time_s < best) best = run.candidate.time_s;
      plan.runs.push_back(std::move(run));
    }
  }
  if (plan.runs.empty())
    throw Error(ErrorKind::kInfeasible,
                fmt::format("none of the {} candidates that were tried can be carried", plan.refused),
                question.space_place, plan.refusals.front());
  if (at < all.size()) plan.least_left_s = all[at].bound;
  if (unknown > 0 && (at == all.size() || unknown < all[at].bound)) {
    plan.least_left_s = unknown;
    if (unknown < best && plan.ended == "proven") plan.ended = "budget";
  }
  if (plan.least_left_s > 0 && plan.least_left_s < best) plan.gap = 1 - plan.least_left_s / best;
  conclude(plan);
  return plan;
}

}  // namespace helio::plan
