// SPDX-License-Identifier: Apache-2.0
#include "plan/chain_pieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/error.h"
#include "schedule/algorithm.h"
#include "schedule/fact_kinds.h"

namespace helio::plan {
namespace {

using pipeline::ChosenFabric;
using pipeline::Collective;
using pipeline::Experiment;
using pipeline::Result;
using pipeline::RunOptions;

constexpr const char* kChunks = "chunks";
constexpr double kMost = 65536;  // of the parameter

std::optional<double> pieces_of(const Result& result) {
  for (const Fact& fact : result.facts)
    if (fact.name == schedule::kChunksFact.name) return std::get<double>(fact.value);
  return std::nullopt;
}

// Asks once for each number.
class Search {
 public:
  Search(const ChosenFabric& fabric, const Experiment& experiment, const Collective& asked, Result closed_form)
      : fabric_(fabric),
        experiment_(experiment),
        asked_(asked),
        best_(std::move(closed_form)),
        pieces_(*pieces_of(best_)) {
    times_[pieces_] = best_.time;
  }

  double pieces() const { return pieces_; }
  Result take() { return std::move(best_); }

  // Whether it is faster than all before.
  bool consider(double pieces, const RunOptions& options) {
    pieces = std::clamp(std::round(pieces), 1.0, kMost);
    if (!times_.emplace(pieces, Time::max()).second) return false;
    Collective collective = asked_;
    collective.algorithm.settings[kChunks] = {fmt::format("{:.0f}", pieces), "the search for pieces"};
    try {
      RunOptions beating = options;
      beating.beat = best_.time;
      Result result = pipeline::run(fabric_, experiment_, collective, beating);
      times_[pieces] = result.time;
      if (result.time >= best_.time) return false;
      best_ = std::move(result);
      pieces_ = pieces;
      return true;
    } catch (const pipeline::Beaten&) {
      return false;
    } catch (const WorkLimitError&) {
      return false;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInfeasible) throw;
      return false;
    }
  }

 private:
  const ChosenFabric& fabric_;
  const Experiment& experiment_;
  const Collective& asked_;
  Result best_;
  double pieces_;
  std::map<double, Time> times_;
};

}  // namespace

bool chooses_pieces(const Collective& asked) {
  const auto* entry = schedule::algorithms().find(asked.algorithm.name);
  return entry && !asked.algorithm.settings.contains(kChunks) &&
         std::ranges::any_of(entry->description.parameters,
                             [](const Parameter& p) { return p.name == kChunks && p.optional; });
}

RunOptions within(const pipeline::WorkLimits& limits, RunOptions options) {
  const auto tighten = [](std::uint64_t& one, std::uint64_t other) {
    one = one == 0 || other == 0 ? std::max(one, other) : std::min(one, other);
  };
  options.trace = options.picture = false;
  tighten(options.limits.nodes, limits.nodes);
  tighten(options.limits.moves, limits.moves);
  tighten(options.limits.crossings, limits.crossings);
  tighten(options.limits.sharing, limits.sharing);
  tighten(options.limits.events, limits.events);
  return options;
}

Result run_in_pieces(const ChosenFabric& fabric, const Experiment& experiment, const Collective& asked,
                     const RunOptions& options) {
  RunOptions first = options;
  if (chooses_pieces(asked)) first.beat.reset();  // another number may take less
  Result closed_form = pipeline::run(fabric, experiment, asked, first);
  if (!chooses_pieces(asked) || !pieces_of(closed_form)) return closed_form;

  // Our engine chooses, without proofs and pictures, whoever answers in the end
  Experiment quick = experiment;
  quick.engine.value = "helio";
  Collective unproven = asked;
  unproven.verify = false;
  const bool ours = experiment.engine.value == quick.engine.value;
  Search search(fabric, quick, unproven,
                ours ? closed_form : pipeline::run(fabric, quick, unproven, within({}, options)));
  for (const double pieces : {1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0})
    search.consider(pieces, within(kFirstPiecesLimits, options));
  const RunOptions further = within(kFurtherPiecesLimits, options);
  for (const double factor : {2.0, 1.41, 1.19, 1.09})
    for (int steps = 0; steps < 12; ++steps) {
      const double from = search.pieces();
      if (!search.consider(from * factor, further) && !search.consider(from / factor, further)) break;
    }

  if (search.pieces() == *pieces_of(closed_form)) return closed_form;
  if (ours && !asked.verify && !options.trace && !options.picture) return search.take();
  Collective chosen = asked;
  chosen.algorithm.settings[kChunks] = {fmt::format("{:.0f}", search.pieces()), "the search for pieces"};
  return pipeline::run(fabric, experiment, chosen, options);
}

}  // namespace helio::plan
