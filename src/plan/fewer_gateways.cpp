// SPDX-License-Identifier: Apache-2.0
#include "plan/fewer_gateways.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string>
#include <utility>

#include "base/budget.h"
#include "base/error.h"
#include "fabric/composite/level_facts.h"
#include "fabric/composite/levels.h"
#include "plan/auto.h"

namespace helio::plan {
namespace {

using pipeline::Collective;
using pipeline::Experiment;
using pipeline::Result;
using Gateways = std::vector<std::uint32_t>;

constexpr std::size_t kAllSubsets = 3;     // gateways of which every choice is tried
constexpr std::size_t kMostVariants = 64;  // of all levels together

// What may be used of them, all of them first.
std::vector<Gateways> choices_of(const Gateways& gateways) {
  std::vector<Gateways> choices{gateways};
  if (gateways.size() > kAllSubsets) {
    while (choices.back().size() > 1) {
      Gateways half;
      for (std::size_t i = 0; i < choices.back().size(); i += 2) half.push_back(choices.back()[i]);
      choices.push_back(std::move(half));
    }
    return choices;
  }
  for (std::uint32_t mask = (1u << gateways.size()) - 2; mask > 0; --mask) {
    Gateways some;
    for (std::size_t i = 0; i < gateways.size(); ++i)
      if ((mask >> i & 1) != 0) some.push_back(gateways[i]);
    choices.push_back(std::move(some));
  }
  return choices;
}

std::string in_words(const Gateways& gateways) {
  return fmt::format("{}{}", fmt::join(gateways, "+"), gateways.size() == 1 ? "+" : "");
}

}  // namespace

std::vector<Experiment> with_fewer_gateways(const Experiment& experiment) {
  if (experiment.fabric.name != "composite") return {};
  const pipeline::ChosenFabric fabric(experiment.fabric);
  std::vector<fabric::LevelChoice> written = fabric::choices_from(fabric.parameters());
  const std::vector<fabric::Level> levels = fabric::levels_from(fabric.parameters());
  std::vector<std::vector<fabric::LevelChoice>> variants{written};
  for (std::size_t k = 1; k < levels.size(); ++k) {
    if (levels[k].all) continue;
    const std::vector<Gateways> choices = choices_of(levels[k].gateways);
    if (variants.size() * choices.size() > kMostVariants) continue;
    std::vector<std::vector<fabric::LevelChoice>> next;
    for (const Gateways& choice : choices)
      for (std::vector<fabric::LevelChoice> variant : variants) {
        if (choice.size() < levels[k].gateways.size()) variant[k].joint["gateways"] = {in_words(choice), ""};
        next.push_back(std::move(variant));
      }
    variants = std::move(next);
  }
  std::vector<Experiment> experiments;
  for (std::size_t v = 1; v < variants.size(); ++v) {
    Experiment& with = experiments.emplace_back(experiment);
    with.fabric.settings["levels"] = {fabric::in_words(variants[v]), experiment.fabric.place};
  }
  return experiments;
}

Result fastest_gateways(Result all, const Experiment& experiment, const Collective& collective,
                        const std::function<Result(const Experiment&, const Collective&)>& ask) {
  if (all.bound_ratio < good_enough(all.nodes)) return all;
  Collective quick = collective;
  quick.verify = false;
  std::optional<Experiment> best;
  Result result;
  double seconds = all.time_s;
  for (const Experiment& fewer : with_fewer_gateways(experiment)) {
    if (const double left = Budget::seconds_left(); std::isfinite(left) && left <= 0) break;
    try {
      Result found = ask(fewer, quick);
      if (found.time_s >= seconds * (1 - 1e-12)) continue;
      seconds = found.time_s;
      result = std::move(found);
      best = fewer;
    } catch (const BudgetSpent&) {
      break;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInfeasible) throw;
    }
  }
  if (!best) return all;
  if (collective.verify) result = ask(*best, collective);
  // The bound is that of the machine that was asked for
  result.bound = std::move(all.bound);
  result.bound_s = all.bound_s;
  result.bound_ratio = result.bound_s > 0 ? result.time_s / result.bound_s : 1;
  result.facts.push_back({fabric::kFewerGatewaysFact, best->fabric.settings.at("levels").text});
  return result;
}

}  // namespace helio::plan
