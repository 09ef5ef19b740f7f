// SPDX-License-Identifier: Apache-2.0
#include "plan/level_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>

#include "base/budget.h"
#include "base/error.h"
#include "base/units.h"
#include "fabric/composite/levels.h"
#include "pipeline/job_schedules.h"
#include "plan/auto.h"
#include "plan/chain_pieces.h"
#include "plan/wdm_planned.h"
#include "schedule/algorithm.h"
#include "schedule/fitted/fitted.h"
#include "schedule/levels/by_level.h"
#include "schedule/levels/level_split.h"

namespace helio::plan {
namespace {

using pipeline::ChosenFabric;
using pipeline::Collective;
using pipeline::Experiment;
using pipeline::Result;
using pipeline::RunOptions;
using schedule::Kind;

constexpr const char *kLevels = "levels", *kWaves = "waves", *kHolders = "holders", *kAboveFirst = "above_first";
constexpr double kShares = 64;             // of the vector, as by-level divides it
constexpr std::uint64_t kMostFitted = 64;  // units of a level that schedules are fitted to, wave for wave

// What level k of `levels` does of it.
Kind kind_on(Kind kind, std::size_t k, std::size_t levels) {
  return kind == Kind::kAllReduce && k + 1 < levels ? Kind::kReduceScatter : kind;
}

// What one instance of a level has to do for groups of nodes: groups of units, and how many groups of nodes each stands for.
struct LevelShare {
  std::vector<std::vector<NodeId>> groups;  // empty: one of all units
  double merged = 1;
};

// Of the instance that the first group lies in. Nothing where a group has one unit there.
std::optional<LevelShare> share_of(const schedule::Capabilities::Part& part,
                                   const std::vector<std::vector<NodeId>>& groups) {
  const std::uint64_t units = part.capabilities.nodes, whole = part.unit * units;
  std::map<std::vector<NodeId>, double> found;
  for (const std::vector<NodeId>& group : groups) {
    if (group.front().value / whole != groups.front().front().value / whole) continue;
    std::vector<NodeId> numbers;
    for (const NodeId node : group) {
      const NodeId number{static_cast<std::uint32_t>(node.value / part.unit % units)};
      if (node.value / whole == group.front().value / whole && std::ranges::count(numbers, number) == 0)
        numbers.push_back(number);
    }
    ++found[std::move(numbers)];
  }
  LevelShare share;
  std::vector<bool> taken(units, false);
  for (const auto& [numbers, times] : found) {
    if (std::ranges::any_of(numbers, [&](NodeId number) { return taken[number.value]; })) continue;
    for (const NodeId number : numbers) taken[number.value] = true;
    share.groups.push_back(numbers);
    share.merged = std::max(share.merged, times);
  }
  const std::size_t ranks = share.groups.front().size();
  std::erase_if(share.groups, [&](const auto& group) { return group.size() != ranks; });
  if (ranks < 2) return std::nullopt;
  if (ranks == units && std::ranges::is_sorted(share.groups.front(), {}, &NodeId::value)) share.groups.clear();
  return share;
}

// Levels that join anything: above one that holds all nodes there is nothing to do.
std::size_t levels_spanned(const ChosenFabric& fabric) {
  const schedule::Capabilities& can = fabric.capabilities();
  std::size_t levels = 1;
  while (levels < can.parts.size() && can.parts[levels - 1].instances.size() > 1) ++levels;
  return levels;
}

// By level: what a search on its fabric alone finds.
std::vector<std::string> found_alone(const ChosenFabric& fabric, const Collective& collective,
                                     const RunOptions& options) {
  const std::vector<fabric::LevelChoice> all = fabric::choices_from(fabric.parameters());
  const schedule::Capabilities& capabilities = fabric.capabilities();
  const std::vector<std::vector<NodeId>>& groups = collective.groups.value;
  const std::size_t spanned =
      groups.empty() ? levels_spanned(fabric)
                     : schedule::levels_spanned({collective.kind, collective.bytes.value, groups, 0}, capabilities);
  const std::span<const fabric::LevelChoice> levels = std::span(all).first(spanned);
  std::vector<std::string> words;
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const std::optional<LevelShare> share = groups.empty() ? LevelShare() : share_of(capabilities.parts[k], groups);
    if (!share) {
      words.emplace_back(kAuto);
      continue;
    }
    Experiment alone;
    alone.source = fabric.place();
    alone.fabric = {levels[k].fabric, fabric.place(), levels[k].settings};
    Collective one;
    one.name = levels[k].name;
    one.kind = kind_on(collective.kind, k, levels.size());
    one.bytes = {collective.bytes.value * share->merged, collective.bytes.place};
    one.groups = {share->groups, collective.groups.place};
    one.algorithm = {std::string(kAuto), collective.algorithm.place, {}};
    if (can_plan_wdm(alone, one)) one.algorithm.name = kWdmPlanned;
    RunOptions quick = within(kSmallLimits, options);
    quick.beat.reset();
    quick.compare = false;
    try {
      std::optional<Budget> part;
      if (const double left = Budget::seconds_left(); std::isfinite(left))
        part.emplace(BudgetLimits{.seconds = left / 4, .bytes = Budget::limits().bytes});
      const std::optional<Result> best = groups.empty() || one.algorithm.name == kWdmPlanned
                                             ? answer(alone, one, quick)
                                             : fastest(ChosenFabric(alone.fabric), alone, one, quick);
      const pipeline::Choice choice = best ? choice_of(*best) : pipeline::Choice();
      words.push_back(choice.name.empty() ? std::string(kAuto) : pipeline::in_one_text(choice));
    } catch (const BudgetSpent&) {
      words.emplace_back(kAuto);
    } catch (const std::bad_alloc&) {
      words.emplace_back(kAuto);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInfeasible) throw;
      words.emplace_back(kAuto);
    }
  }
  return words;
}

// Whether the algorithms of levels can be asked for: nobody named them.
bool levels_are_open(const ChosenFabric& fabric, const Collective& collective) {
  return fabric.name() == "composite" && !collective.strategy.value &&
         !collective.algorithm.settings.contains(kLevels) && fabric.capabilities().parts.size() > 1 &&
         fabric.capabilities().parts.front().unit > 0;
}

// What a result was asked with.
Settings settings_of(const Result& result) {
  Settings settings;
  for (const pipeline::Configuration& configuration : result.configuration)
    if (configuration.owner == "algorithm")
      for (const auto& [name, value] : configuration.values) settings[name] = {value, "the search of levels"};
  return settings;
}

std::uint32_t waves_of(const Settings& settings) {
  return static_cast<std::uint32_t>(parse_integer(settings.at(kWaves).text));
}

// Runs one after the other and keeps the fastest.
class Search {
 public:
  static constexpr std::uint32_t kMostWaves = 256;

  Search(const ChosenFabric& fabric, const Experiment& experiment, const Collective& asked, const RunOptions& options)
      : fabric_(fabric), experiment_(experiment), asked_(asked), options_(within({}, options)) {
    asked_.verify = false;
    options_.values = false;
    if (!again(fabric, asked, options)) options_ = options;
  }

  // Whether the answer is more than a time, so that it is asked for once more.
  static bool again(const ChosenFabric& fabric, const Collective& asked, const RunOptions& options) {
    const bool loses = std::ranges::any_of(fabric.capabilities().parts, [](const schedule::Capabilities::Part& part) {
      return part.capabilities.averaging || part.capabilities.wire_format != schedule::WireFormat::kPlain;
    });
    return asked.verify || options.trace || options.picture || (options.values && loses);
  }

  // With these settings beside those that were asked for, in as many waves as are good: from what was best so far on, more as long as that is
  // faster, or else fewer.
  void consider(const Settings& settings) {
    if (asked_.algorithm.settings.contains(kWaves)) return static_cast<void>(faster(settings));
    vary_waves(settings, best_ ? waves_of(settings_of(*best_)) : 1);
  }
  void vary_waves(const Settings& settings, std::uint32_t first) {
    const double before = best_seconds();
    if (!faster(settings, first) && large()) return;  // others are tried in as many waves as were best
    double last = best_seconds();
    for (std::uint32_t waves = 2 * first; waves <= kMostWaves && faster(settings, waves);) {
      const std::uint32_t enough = large() ? enough_waves(waves, last) : 0;
      last = best_seconds();
      waves = std::max(2 * waves, enough);
    }
    if (best_seconds() < before && waves_of(settings_of(*best_)) > first) return;
    for (std::uint32_t waves = first / 2; waves >= 1 && faster(settings, waves);) waves /= 2;
  }

  // The same in so many waves, unless somebody said how many: whether it is clearly faster than all before.
  bool faster(Settings settings, std::uint32_t waves = 0) {
    if (waves > 0 && !asked_.algorithm.settings.contains(kWaves))
      settings[kWaves] = {fmt::format("{}", waves), "the search of levels"};
    const double before = best_seconds();
    run(settings);
    return best_seconds() < kWorthMore * before && !done();
  }

  // What the fastest so far was asked with; none: nothing was found.
  std::optional<Settings> best_settings() const { return best_ ? std::optional(settings_of(*best_)) : std::nullopt; }

  double best_seconds() const { return best_ ? best_->time_s : std::numeric_limits<double>::infinity(); }
  // Whether there is anything left to gain.
  bool done() const { return best_ && best_->bound_ratio < good_enough(nodes()); }

  // What was found. Throws the first reason where nothing was.
  Result take() {
    if (best_) return *std::move(best_);
    if (refusal_) throw *refusal_;
    throw std::logic_error("a search of levels that tried nothing");
  }

 private:
  std::uint64_t nodes() const { return fabric_.capabilities().nodes; }
  bool large() const { return nodes() > kManyNodes; }

  // As t = T + c / waves goes on from half as many waves, which took `half`, to so many, which took the best time: how many until c / waves is
  // no more than what is good enough.
  std::uint32_t enough_waves(std::uint32_t waves, double half) const {
    const double c = (half - best_seconds()) * waves, t = best_seconds() - c / waves;
    std::uint32_t enough = waves;
    while (enough < kMostWaves && c / enough > (good_enough(nodes()) - 1) * t) enough *= 2;
    return enough;
  }

  static constexpr double kWorthMore = 0.998;  // of the time before, for twice as many waves to be tried

  // Keeps it where it is faster than all before.
  void run(const Settings& settings) {
    Collective one = asked_;
    for (const auto& [name, setting] : settings) one.algorithm.settings[name] = setting;
    try {
      // So that a slow one does not take all
      std::optional<Budget> part;
      if (const double left = Budget::seconds_left(); best_ && std::isfinite(left)) {
        if (left <= 0) return;
        part.emplace(BudgetLimits{.seconds = left / 2, .bytes = Budget::limits().bytes});
      }
      if (best_) options_.beat = best_->time;
      Result result = pipeline::run(fabric_, experiment_, one, options_);
      if (!best_ || result.time < best_->time) best_ = std::move(result);
    } catch (const pipeline::Beaten&) {
      if (!best_) throw;
    } catch (const BudgetSpent&) {
      if (!best_) throw;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInfeasible) throw;
      if (!refusal_) refusal_ = error;
    }
  }

  const ChosenFabric& fabric_;
  const Experiment& experiment_;
  Collective asked_;
  RunOptions options_;
  std::optional<Result> best_;
  std::optional<Error> refusal_;
};

}  // namespace

bool chooses_levels(const ChosenFabric& fabric, const Collective& collective) {
  return collective.algorithm.name == schedule::kByLevel &&
         (levels_are_open(fabric, collective) || !collective.algorithm.settings.contains("waves"));
}

// What else may be faster than the fastest so far, where nobody said: an all-reduce both ways around, so that no level waits for the other;
// broadcast and reduce by all nodes of a unit.
void turn_around(const ChosenFabric& fabric, const Collective& collective, Search& search) {
  const Settings& said = collective.algorithm.settings;
  if (schedule::has_root(collective.kind) && !said.contains(kHolders)) {
    Settings settings = *search.best_settings();
    settings[kHolders] = {"members", "the search of levels"};
    return search.consider(settings);
  }
  const std::vector<schedule::Capabilities::Part>& levels = fabric.capabilities().parts;
  const schedule::Capabilities& lowest = levels.front().capabilities;
  if (collective.kind != Kind::kAllReduce || said.contains(kAboveFirst) || lowest.reduces || lowest.multicasts) return;
  const auto units = static_cast<double>(levels.back().capabilities.nodes);
  if (units < 2 || levels.back().unit < 2) return;
  const double best =
      schedule::best_split(collective.bytes.value, {.units = units, .ranks = static_cast<double>(levels.back().unit)},
                           lowest, levels.back().capabilities)
          .above_first;
  // More waves than one order needs, since two must be filled; and less than the injection above lets through, as long as that is faster
  const Settings alone = *search.best_settings();
  const double before = search.best_seconds();
  for (const std::uint32_t times : {4u, 1u}) {
    const std::uint32_t waves = std::min(times * waves_of(alone), Search::kMostWaves);
    for (const double fewer : {1.0, 0.875, 0.75, 0.5}) {
      Settings settings = alone;
      settings[kAboveFirst] = {fmt::format("{}", std::round(best * fewer * kShares) / kShares), "the search of levels"};
      const double so_far = search.best_seconds();
      if (search.done() || (!search.faster(settings, waves) && so_far < before)) break;
    }
    if (search.best_seconds() < before) return search.consider(*search.best_settings());
  }
}

Result run_with_levels(const ChosenFabric& fabric, const Experiment& experiment, const Collective& collective,
                       const RunOptions& options) {
  Search search(fabric, experiment, collective, options);
  if (!levels_are_open(fabric, collective)) {
    search.consider({});
  } else {
    const std::vector<std::string> found = found_alone(fabric, collective, options),
                                   usual(found.size(), std::string(kAuto));
    std::vector<std::string> mixed = found;
    mixed.front() = kAuto;
    std::vector<std::string> tried, fitted = found;
    const std::vector<schedule::Capabilities::Part>& parts = fabric.capabilities().parts;
    for (std::size_t k = 0; k < fitted.size() && collective.groups.value.empty(); ++k)
      if (parts[k].capabilities.network && parts[k].capabilities.nodes <= kMostFitted) fitted[k] = schedule::kFitted;
    for (const std::vector<std::string>& words : {mixed, found, usual, fitted}) {
      const std::string text = fmt::format("{}", fmt::join(words, "/"));
      if (std::ranges::count(tried, text) > 0 || search.done()) continue;
      tried.push_back(text);
      search.consider({{kLevels, {text, "the search of levels"}}});
    }
  }
  if (levels_are_open(fabric, collective) && collective.groups.value.empty() && search.best_settings() &&
      !search.done())
    turn_around(fabric, collective, search);
  Result best = search.take();
  if (!Search::again(fabric, collective, options)) return best;

  // With all that is asked of it
  Collective chosen = collective;
  for (const auto& [name, setting] : settings_of(best)) chosen.algorithm.settings[name] = setting;
  return pipeline::run(fabric, experiment, chosen, options);
}

}  // namespace helio::plan
