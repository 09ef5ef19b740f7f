// SPDX-License-Identifier: Apache-2.0
#include "plan/auto.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <optional>
#include <tuple>

#include "base/budget.h"
#include "base/error.h"
#include "pipeline/fact_kinds.h"
#include "plan/chain_pieces.h"
#include "plan/fewer_gateways.h"
#include "plan/level_choice.h"
#include "plan/wdm_planned.h"
#include "schedule/algorithm.h"
#include "schedule/fitted/fitted.h"
#include "schedule/levels/by_level.h"

namespace helio::plan {
namespace {

using pipeline::Alternative;
using pipeline::Beaten;
using pipeline::ChosenFabric;
using pipeline::Collective;
using pipeline::Experiment;
using pipeline::Result;
using pipeline::RunOptions;

// What became of one algorithm: a result, or why there is none.
struct Trial {
  std::string algorithm;
  std::uint32_t pieces = 1;  // that the vector went in
  std::uint32_t stripe = 1;  // wavelengths that a move takes
  std::optional<Result> result;
  std::string verdict, reason;     // without a result
  std::optional<Error> error;      // infeasible
  std::optional<Beaten> beaten;    // sure to take longer than another
  std::optional<BudgetSpent> cut;  // the budget ended first; with a result: before more pieces were tried
  double seconds = 0;              // of the processor
};

Collective by(const std::string& algorithm, std::uint32_t pieces, Collective collective, std::uint32_t stripe = 1) {
  collective.algorithm.name = algorithm;
  if (pieces > 1) collective.algorithm.settings["pieces"] = {fmt::format("{}", pieces), std::string(kAuto)};
  if (stripe > 1) collective.algorithm.settings["stripe"] = {fmt::format("{}", stripe), std::string(kAuto)};
  return collective;
}

Result run_one(const ChosenFabric& fabric, const Experiment& experiment, const Collective& collective,
               RunOptions options) {
  if (chooses_levels(fabric, collective)) return run_with_levels(fabric, experiment, collective, options);
  if (collective.algorithm.name != kWdmPlanned) return run_in_pieces(fabric, experiment, collective, options);
  options.compare = false;
  return plan_wdm(experiment, collective, options);
}

// What became of `work(trial)`, which may leave a result there; whatever it throws that is no mistake becomes the reason.
template <class Work>
Trial settled(const std::string& algorithm, std::uint32_t pieces, const Work& work) {
  Trial trial{.algorithm = algorithm, .pieces = pieces, .verdict = "infeasible"};
  const double start = processor_seconds();
  try {
    work(trial);
  } catch (const Beaten& beaten) {
    trial.verdict = "beaten";
    trial.beaten = beaten;
  } catch (const BudgetSpent& spent) {
    trial.verdict = "cut";
    trial.reason = "the budget ended before it was tried to the end";
    trial.cut = spent;
  } catch (const WorkLimitError& error) {
    trial.verdict = "skipped";
    trial.reason = error.message() + ", the limit of the search";
  } catch (const std::bad_alloc&) {
    trial.verdict = "skipped";
    trial.reason = "it needs more memory than there is";
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInfeasible) throw;
    trial.reason = error.message();
    trial.error = error;
  }
  trial.seconds = processor_seconds() - start;
  return trial;
}

Trial try_one(const std::string& algorithm, std::uint32_t pieces, const ChosenFabric& fabric,
              const Experiment& experiment, const Collective& asked, const RunOptions& options,
              std::uint32_t stripe = 1) {
  return settled(algorithm, pieces, [&](Trial& trial) {
    Collective collective = by(algorithm, pieces, asked, stripe);
    trial.stripe = stripe;
    collective.verify = false;
    Result result = run_one(fabric, experiment, collective, options);
    // A remedy that put another algorithm in its place answers for that one, which is tried by itself
    if (schedule::algorithms().find(result.algorithm) && result.algorithm != algorithm)
      trial.reason = result.attempts.front().reason;
    else
      trial.result = std::move(result);
  });
}

bool better(const Trial& a, const Trial& b) {
  if (a.result.has_value() != b.result.has_value()) return a.result.has_value();
  if (!a.result) return std::tie(a.verdict, a.algorithm) < std::tie(b.verdict, b.algorithm);
  return std::tie(a.result->time, a.result->steps, a.algorithm) <
         std::tie(b.result->time, b.result->steps, b.algorithm);
}

// Whether pieces that follow each other may take less than the whole at once: stages on different links, time to be saved,
// rounds that the engine leaps over (step order, our engine) and that need no wavelengths of their own.
bool pieces_may_gain(const Trial& whole, const Experiment& experiment) {
  if (!whole.result || std::ranges::count(kInStages, whole.algorithm) == 0) return false;
  const Result& result = *whole.result;
  return result.sync == schedule::Order::kStep && experiment.engine.value != "simgrid" &&
         result.wavelengths_used == 0 && result.steps > 1 && result.bound_ratio > 1 + 1e-9 &&
         result.ranks <= kMostRanksInPieces;
}

// The whole, or the number of pieces that takes least. R stages and K pieces take about (K + R - 1)(a + t/K), which falls and
// then rises with K, so that the first that takes longer than the one before is the last to be tried; a piece of a rank is at
// least a byte.
Trial in_pieces(Trial whole, const ChosenFabric& fabric, const Experiment& experiment, const Collective& asked,
                const RunOptions& options) {
  if (!pieces_may_gain(whole, experiment)) return whole;
  RunOptions searching = within(kPieceLimits, options);
  searching.beat.reset();
  const double most = whole.result->bytes.value / static_cast<double>(whole.result->ranks);
  std::optional<Trial> best;
  for (const std::uint32_t pieces : kPieces) {
    if (pieces > most) break;
    if (best) searching.beat = best->result->time;
    Trial trial = try_one(whole.algorithm, pieces, fabric, experiment, asked, searching);
    if (trial.cut) whole.cut = trial.cut;
    if (!trial.result || (best && !better(trial, *best))) break;
    best = std::move(trial);
  }
  if (!best || !better(*best, whole)) return whole;
  best->cut = whole.cut;
  return *std::move(best);
}

bool can_stripe(const std::string& algorithm) {
  const auto* entry = schedule::algorithms().find(algorithm);
  return entry && std::ranges::any_of(entry->description.parameters,
                                      [](const Parameter& parameter) { return parameter.name == "stripe"; });
}

// On one wavelength for each move, or on as many as take least: all, half of them, a quarter, … as long as each is faster.
Trial in_stripes(Trial narrow, const ChosenFabric& fabric, const Experiment& experiment, const Collective& asked,
                 RunOptions options) {
  const auto all = static_cast<std::uint32_t>(fabric.capabilities().wavelengths);
  std::optional<Trial> best;
  for (std::uint32_t stripe = all; stripe > 1; stripe /= 2) {
    if (best) options.beat = best->result->time;
    Trial trial = try_one(narrow.algorithm, 1, fabric, experiment, asked, options, stripe);
    if (trial.cut) narrow.cut = trial.cut;
    if (!trial.result && !best) continue;  // as wide as this it does not fit, or takes longer
    if (!trial.result || (best && !better(trial, *best))) break;
    best = std::move(trial);
  }
  return best && better(*best, narrow) ? *std::move(best) : narrow;
}

Alternative alternative(const Trial& trial, const Result& winner) {
  if (trial.beaten)
    return {trial.algorithm, trial.verdict,
            trial.beaten->started
                ? "takes longer; not run to the end"
                : fmt::format("takes at least {:.4g} times as long, by what it puts on links; not run",
                              trial.beaten->least_s / winner.time_s),
            std::nullopt, 0};
  if (!trial.result) return {trial.algorithm, trial.verdict, trial.reason, std::nullopt, 0};
  const Result& result = *trial.result;
  Alternative other{trial.algorithm, "equal", "", result.time, result.steps};
  if (result.time != winner.time) {
    other.verdict = "slower";
    const double ratio = result.time_s / winner.time_s;
    other.reason = ratio < 2 ? fmt::format("takes {:.3g} % longer", 100 * (ratio - 1))
                             : fmt::format("takes {:.4g} times as long", ratio);
  } else if (result.steps != winner.steps) {
    other.reason = fmt::format("as fast, in {} steps more", result.steps - winner.steps);
  } else {
    other.reason = "as fast, in as many steps; the order of names decides";
  }
  if (trial.pieces > 1) other.reason += fmt::format(", in {} pieces", trial.pieces);
  return other;
}

// Nothing could be done: the reason that all share, or each one's own.
[[noreturn]] void give_up(const std::vector<Trial>& trials, const Collective& asked) {
  const Trial& first = trials.front();
  const bool alike = std::ranges::all_of(trials, [&](const Trial& trial) { return trial.reason == first.reason; });
  if (alike && first.error) throw *first.error;
  std::vector<std::string> reasons;
  for (const Trial& trial : trials) reasons.push_back(fmt::format("{}: {}", trial.algorithm, trial.reason));
  throw Error(ErrorKind::kInfeasible,
              fmt::format("auto finds no algorithm for this {}: {}", schedule::name_of(asked.kind),
                          alike ? first.reason : fmt::format("{}", fmt::join(reasons, "; "))),
              asked.algorithm.place, "ask for fewer nodes, or name an algorithm: a named one has no limits");
}

// A setting of an algorithm that is not chosen yet.
void check_settings(const Collective& asked) {
  if (asked.algorithm.settings.empty()) return;
  const auto& [name, setting] = *asked.algorithm.settings.begin();
  throw Error(setting.place.starts_with("--") ? ErrorKind::kUsage : ErrorKind::kInput,
              fmt::format("'{}' is a parameter of one algorithm, and auto tries all of them with their defaults", name),
              setting.place, "name the algorithm that it belongs to, or leave the parameter out");
}

// One search: who is tried, in which order, and how long it may take.
class Search {
 public:
  // `among`: asked for by another search, which wants nothing but the fastest.
  Search(ChosenFabric fabric, const Experiment& experiment, const Collective& asked, const RunOptions& options,
         bool among = false)
      : experiment_(experiment),
        asked_(asked),
        options_(within(kSearchLimits, options)),
        again_(asked.verify || options.trace || options.picture),
        among_(among),
        fabric_(std::move(fabric)),
        best_(options.beat) {}

  const ChosenFabric& fabric() const { return fabric_; }

  // All trials, the best first.
  std::vector<Trial> run() {
    // What takes little is run, whoever wins: readers want its time. On composites by-level goes first, since it mostly wins
    std::vector<Candidate> large;
    for (const std::string& algorithm : everyone()) {
      const Candidate candidate = look_at(algorithm);
      if (candidate.settled)
        keep(*candidate.settled);
      else if (among_ || !candidate.small || !tried_as_small(algorithm))
        large.push_back(candidate);
    }

    // The others by what they take at least, as long as they can win
    std::ranges::stable_sort(large, {}, [](const Candidate& candidate) {
      return std::pair(candidate.algorithm == schedule::kFitted, candidate.least_s);
    });
    for (const Candidate& candidate : large) {
      RunOptions beating = options_;
      if (candidate.algorithm == schedule::kFitted && moves_one_tree()) beating.limits.moves = kMostTranslates;
      beating.beat = in_other_pieces(candidate.algorithm) ? std::nullopt : best_;
      Trial trial = settled(candidate.algorithm, 1, [&](Trial&) {
        if (best_ && !in_other_stripes(candidate.algorithm))
          pipeline::check_can_beat(*best_, beating.beat ? candidate.least_s : candidate.least_in_pieces_s);
      });
      if (!trial.beaten && (nothing_to_gain() || (candidate.algorithm == schedule::kFitted &&
                                                  best_ratio_ < (among_ ? kNearAmongMany : kNearForFitted))))
        trial.verdict = "skipped", trial.reason = fmt::format("no algorithm can be {:.2g} % faster", percent_to_gain());
      else if (!trial.beaten)
        trial = tried(candidate.algorithm, beating, &candidate == &large.back());
      keep(std::move(trial));
    }
    std::stable_sort(trials_.begin(), trials_.end(), better);
    return std::move(trials_);
  }

 private:
  struct Candidate {
    std::string algorithm;
    double least_s = 0, least_in_pieces_s = 0;
    bool small = true;
    std::optional<Trial> settled;
  };

  std::vector<std::string> everyone() const {
    std::vector<std::string> names;
    for (const schedule::AlgorithmEntry& entry : schedule::algorithms().entries())
      if (std::ranges::count(entry.factory.kinds, asked_.kind) > 0 &&
          (entry.description.name != schedule::kByLevel || fabric_.name() == "composite") &&
          (entry.description.name != schedule::kFitted || can_be_fitted()))
        names.push_back(entry.description.name);
    if (can_plan_wdm(experiment_, asked_)) names.emplace_back(kWdmPlanned);
    std::stable_partition(names.begin(), names.end(),
                          [](const std::string& name) { return name == schedule::kByLevel; });
    return names;
  }

  // Whether a fitted schedule is the trees of one root, which are found at once, and their translates.
  bool moves_one_tree() const {
    return asked_.groups.value.empty() && !asked_.strategy.value &&
           schedule::may_look_the_same(asked_.kind, fabric_.capabilities());
  }

  // Whether the fabric shows its links, and they are few enough for a search.
  bool can_be_fitted() const {
    const schedule::Capabilities& capabilities = fabric_.capabilities();
    if (!capabilities.network || capabilities.nodes < 2) return false;
    if (moves_one_tree()) return capabilities.nodes * (capabilities.nodes - 1) <= kMostTranslates / 2;
    if (capabilities.nodes > kMostNodesFitted) return false;
    const schedule::Network network = capabilities.network();
    const std::uint64_t looks = capabilities.nodes * network.arcs.size();
    if (network.vertices == network.nodes) return looks <= kMostLooksFitted;
    return looks <= (schedule::has_root(asked_.kind) ? kMostLooksOfARoot : kMostLooksOverSwitches);
  }

  // Whether it may take less than its schedule as a whole tells.
  bool in_other_pieces(const std::string& algorithm) const {
    return std::ranges::count(kInStages, algorithm) > 0 || chooses_pieces(by(algorithm, 1, asked_)) ||
           searches_itself(algorithm);
  }

  // Whether what it takes by default tells nothing of what it may take.
  static bool searches_itself(const std::string& algorithm) {
    return algorithm == kWdmPlanned || algorithm == schedule::kByLevel;
  }
  bool in_other_stripes(const std::string& algorithm) const {
    return among_ && fabric_.capabilities().wavelengths > 1 && can_stripe(algorithm);
  }

  Candidate look_at(const std::string& algorithm) const {
    Candidate candidate{.algorithm = algorithm};
    if (algorithm == kWdmPlanned) return candidate;  // goes by closed forms of its own
    if (algorithm == schedule::kFitted) {  // its schedule is a search: not made before it is known what it may gain
      candidate.small = false;
      return candidate;
    }
    bool known = false;
    Trial trial = settled(algorithm, 1, [&](Trial&) {
      const pipeline::Prospect prospect = pipeline::prospect(fabric_, experiment_, by(algorithm, 1, asked_), options_);
      if (asked_.remedies.value.empty()) candidate.least_s = prospect.least_s;
      if (asked_.remedies.value.empty() && !searches_itself(algorithm))
        candidate.least_in_pieces_s = prospect.least_in_pieces_s;
      candidate.small = prospect.moves <= kSmallLimits.moves;
      known = true;
    });
    if (!known) candidate.settled = std::move(trial);
    return candidate;
  }

  bool tried_as_small(const std::string& algorithm) {
    RunOptions small = algorithm == kWdmPlanned ? options_ : within(kSmallLimits, options_);
    if (algorithm == schedule::kByLevel) {  // orders of levels have more moves than its default, and go as fast
      small.limits.moves = options_.limits.moves;
      small.limits.crossings = options_.limits.crossings;
    }
    Trial trial = tried(algorithm, small, false);
    if (trial.verdict == "skipped") return false;
    keep(std::move(trial));
    return true;
  }

  // Within a part of what is left of the budget, so that others get their turn and the winner can be asked for more.
  Trial tried(const std::string& algorithm, const RunOptions& options, bool last) {
    const double left = Budget::seconds_left() - (best_ && again_ ? kAgain * best_seconds_ : 0);
    const double part = last && !best_ ? left : kPart * left;
    if (!(part > 0))
      return {.algorithm = algorithm,
              .verdict = "cut",
              .reason = "the budget ended before it was tried",
              .cut = BudgetSpent{.limits = Budget::limits()}};
    std::optional<Budget> budget;
    if (std::isfinite(part)) budget.emplace(BudgetLimits{.seconds = part, .bytes = Budget::limits().bytes});
    Trial trial = try_one(algorithm, 1, fabric_, experiment_, asked_, options);
    if (in_other_stripes(algorithm)) trial = in_stripes(std::move(trial), fabric_, experiment_, asked_, options);
    return in_pieces(std::move(trial), fabric_, experiment_, asked_, options_);
  }

  // Whether the fastest of many nodes is so near to its bound that others are not worth the time that they take to be tried.
  bool nothing_to_gain() const {
    const std::uint64_t nodes = fabric_.capabilities().nodes;
    return nodes > kManyNodes && best_ratio_ < good_enough(nodes);
  }
  double percent_to_gain() const { return 100 * (1 - 1 / best_ratio_); }

  void keep(Trial trial) {
    if (trial.result && (!best_ || trial.result->time < *best_)) {
      best_ = trial.result->time;
      best_ratio_ = trial.result->bound_ratio;
      best_seconds_ = trial.seconds;
    }
    trials_.push_back(std::move(trial));
  }

  static constexpr double kPart = 0.75, kAgain = 3;  // of what is left; times its run that the winner may take again

  const Experiment& experiment_;
  const Collective& asked_;
  const RunOptions options_;
  const bool again_, among_;
  const ChosenFabric fabric_;
  std::vector<Trial> trials_;
  std::optional<Time> best_;
  double best_seconds_ = 0, best_ratio_ = std::numeric_limits<double>::infinity();
};

// Nothing was found in time: what the budget says, where it cut somebody.
void give_up_where_cut(const std::vector<Trial>& trials) {
  for (const Trial& trial : trials)
    if (trial.cut) {
      BudgetSpent spent = *trial.cut;
      spent.limits = Budget::limits();
      throw spent;
    }
}

Result search(const Experiment& experiment, const Collective& asked, const RunOptions& options) {
  check_settings(asked);
  Search search(ChosenFabric(experiment.fabric), experiment, asked, options);
  std::vector<Trial> trials = search.run();
  if (trials.empty() || !trials.front().result) {
    give_up_where_cut(trials);
    give_up(trials, asked);
  }

  // The winner again, when more is wanted of it than its time
  Result winner = *std::move(trials.front().result);
  if (asked.verify || options.trace || options.picture)
    winner = run_one(search.fabric(), experiment, by(trials.front().algorithm, trials.front().pieces, asked), options);
  winner.asked_algorithm = kAuto;
  winner.alternatives.clear();
  std::vector<std::string> untried;
  for (const Trial& trial : trials) {
    if (&trial != &trials.front()) winner.alternatives.push_back(alternative(trial, winner));
    if (trial.cut) untried.push_back(trial.result ? trial.algorithm + " in more pieces" : trial.algorithm);
  }
  if (!untried.empty())
    winner.facts.insert(
        winner.facts.begin(),
        Fact{pipeline::kSearchFact,
             fmt::format("cut by the budget: {} not tried to the end, and may be faster", fmt::join(untried, ", "))});
  return winner;
}

}  // namespace

std::optional<Result> fastest(const ChosenFabric& fabric, const Experiment& experiment, const Collective& collective,
                              const RunOptions& options) {
  check_settings(collective);
  RunOptions only = options;
  only.compare = false;
  std::vector<Trial> trials = Search(fabric, experiment, collective, only, true).run();
  if (trials.empty() || !trials.front().result) {
    give_up_where_cut(trials);
    return std::nullopt;
  }
  // Of those that are as good, the one with the least to simulate
  const double enough = trials.front().result->time_s * (1 + kAsGood);
  const auto others =
      std::ranges::find_if(trials, [&](const Trial& trial) { return !trial.result || trial.result->time_s > enough; });
  Result& best = *std::ranges::min_element(trials.begin(), others, {}, [](const Trial& trial) {
                    return trial.result->memory;
                  })->result;
  return options.beat && best.time >= *options.beat ? std::nullopt : std::optional(std::move(best));
}

pipeline::Choice choice_of(const Result& result) {
  pipeline::Choice choice;
  const auto* entry = schedule::algorithms().find(result.built_by);
  if (!entry) return choice;
  choice.name = result.built_by;
  for (const pipeline::Configuration& configuration : result.configuration)
    if (configuration.owner == "algorithm")
      for (const auto& [name, value] : configuration.values)
        for (const Parameter& parameter : entry->description.parameters)
          if (parameter.name == name && parameter.fallback != value)
            choice.settings[name] = {value, std::string(kAuto)};
  choice.place = kAuto;
  return choice;
}

bool was_cut(const Result& result) {
  return std::ranges::any_of(result.facts, [](const Fact& fact) { return fact.name == pipeline::kSearchFact.name; });
}

Result answer(const Experiment& experiment, const Collective& collective, const RunOptions& options) {
  if (collective.algorithm.name == kAuto)
    return fastest_gateways(
        search(experiment, collective, options), experiment, collective,
        [&](const Experiment& fewer, const Collective& asked) { return search(fewer, asked, options); });
  if (collective.algorithm.name == kWdmPlanned) return plan_wdm(experiment, collective, options);
  pipeline::check_engine(experiment);  // complains before anything is made
  return run_one(ChosenFabric(experiment.fabric), experiment, collective, options);
}

std::vector<Result> answer(const Experiment& experiment, const RunOptions& options) {
  std::vector<Result> results;
  for (const Collective& collective : experiment.collectives)
    results.push_back(answer(experiment, collective, options));
  return results;
}

}  // namespace helio::plan
