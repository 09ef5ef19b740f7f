// SPDX-License-Identifier: Apache-2.0
#include "plan/auto.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <optional>
#include <tuple>

#include "base/error.h"
#include "plan/chain_pieces.h"
#include "plan/wdm_planned.h"
#include "schedule/algorithm.h"

namespace helio::plan {
namespace {

using pipeline::Alternative;
using pipeline::ChosenFabric;
using pipeline::Collective;
using pipeline::Experiment;
using pipeline::Result;
using pipeline::RunOptions;

// What became of one algorithm: a result, or why there is none.
struct Trial {
  std::string algorithm;
  std::uint32_t pieces = 1;  // that the vector went in
  std::optional<Result> result;
  std::string verdict, reason;  // without a result
  std::optional<Error> error;   // infeasible
};

Collective by(const std::string& algorithm, std::uint32_t pieces, Collective collective) {
  collective.algorithm.name = algorithm;
  if (pieces > 1) collective.algorithm.settings["pieces"] = {fmt::format("{}", pieces), std::string(kAuto)};
  return collective;
}

Trial try_one(const std::string& algorithm, std::uint32_t pieces, const ChosenFabric& fabric,
              const Experiment& experiment, const Collective& asked, const RunOptions& options) {
  Trial trial{
      .algorithm = algorithm, .pieces = pieces, .result = {}, .verdict = "infeasible", .reason = "", .error = {}};
  Collective collective = by(algorithm, pieces, asked);
  collective.verify = false;
  try {
    Result result = run_in_pieces(fabric, experiment, collective, options);
    // A remedy that put another algorithm in its place answers for that one, which is tried by itself
    if (schedule::algorithms().find(result.algorithm) && result.algorithm != algorithm)
      trial.reason = result.attempts.front().reason;
    else
      trial.result = std::move(result);
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
  return trial;
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
  const RunOptions searching = within(kPieceLimits, options);
  const double most = whole.result->bytes.value / static_cast<double>(whole.result->ranks);
  std::optional<Trial> best;
  for (const std::uint32_t pieces : kPieces) {
    if (pieces > most) break;
    Trial trial = try_one(whole.algorithm, pieces, fabric, experiment, asked, searching);
    if (!trial.result || (best && !better(trial, *best))) break;
    best = std::move(trial);
  }
  return best && better(*best, whole) ? *std::move(best) : std::move(whole);
}

Alternative alternative(const Trial& trial, const Result& winner) {
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

Result search(const Experiment& experiment, const Collective& asked, const RunOptions& options) {
  check_settings(asked);

  // Everyone with the kind, and some of them in pieces
  const RunOptions searching = within(kSearchLimits, options);
  const ChosenFabric fabric(experiment.fabric);
  std::vector<Trial> trials;
  for (const schedule::AlgorithmEntry& entry : schedule::algorithms().entries())
    if (std::ranges::count(entry.factory.kinds, asked.kind) > 0)
      trials.push_back(in_pieces(try_one(entry.description.name, 1, fabric, experiment, asked, searching), fabric,
                                 experiment, asked, searching));
  std::stable_sort(trials.begin(), trials.end(), better);
  if (trials.empty() || !trials.front().result) give_up(trials, asked);

  // The winner again, when more is wanted of it than its time
  Result winner = *std::move(trials.front().result);
  if (asked.verify || options.trace || options.picture)
    winner = run_in_pieces(fabric, experiment, by(trials.front().algorithm, trials.front().pieces, asked), options);
  winner.asked_algorithm = kAuto;
  for (std::size_t i = 1; i < trials.size(); ++i) winner.alternatives.push_back(alternative(trials[i], winner));
  return winner;
}

}  // namespace

Result answer(const Experiment& experiment, const Collective& collective, const RunOptions& options) {
  if (collective.algorithm.name == kAuto) return search(experiment, collective, options);
  if (collective.algorithm.name == kWdmPlanned) return plan_wdm(experiment, collective, options);
  pipeline::check_engine(experiment);  // complains before anything is made
  return run_in_pieces(ChosenFabric(experiment.fabric), experiment, collective, options);
}

std::vector<Result> answer(const Experiment& experiment, const RunOptions& options) {
  std::vector<Result> results;
  for (const Collective& collective : experiment.collectives)
    results.push_back(answer(experiment, collective, options));
  return results;
}

}  // namespace helio::plan
