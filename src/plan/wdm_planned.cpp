// SPDX-License-Identifier: Apache-2.0
#include "plan/wdm_planned.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "base/error.h"
#include "base/units.h"
#include "fabric/fabric.h"
#include "photonics/budget_parameters.h"
#include "photonics/link_budget.h"
#include "pipeline/fact_kinds.h"
#include "plan/wdm_cost.h"
#include "schedule/algorithm.h"
#include "schedule/fact_kinds.h"

namespace helio::plan {
namespace {

using pipeline::Alternative;
using pipeline::ChosenFabric;
using pipeline::Collective;
using pipeline::Experiment;
using pipeline::Result;
using pipeline::RunOptions;

// How many of the best closed forms the engine is asked about: they agree to rounding, so the first nearly always wins.
constexpr std::size_t kTried = 3;
// Closed forms that are only lower bounds, and schedules that the ring refuses, may take more.
constexpr std::size_t kMostTried = 60;
// With more wavelengths on all segments than this, what is not the answer is told by its closed form and not run: nobody is asked to
// confirm what the engine confirmed already, and comparisons take as long as the answer.
constexpr std::uint64_t kLargeRing = 1u << 20;

bool is_large(const WdmMachine& machine) { return machine.nodes * machine.wavelengths > kLargeRing; }

constexpr std::string_view kUnproven = "none";  // Result::verify_method where nobody asked

Error no(std::string what, const std::string& place, Advice advice) {
  return Error(ErrorKind::kInfeasible, std::move(what), place, std::move(advice));
}

void check(const Experiment& experiment, const Collective& asked) {
  const std::string& place = asked.algorithm.place;
  if (experiment.fabric.name != "wdm-ring")
    throw no(fmt::format("wdm-planned plans light on a ring, and '{}' is none", experiment.fabric.name), place,
             "Use " + advised("fabric", "wdm-ring") + ", or " + advised("algorithm", "auto") + ".");
  if (asked.kind != schedule::Kind::kAllReduce) {
    std::vector<std::string> able;
    for (const auto& entry : schedule::algorithms().entries())
      if (std::ranges::count(entry.factory.kinds, asked.kind) > 0) able.push_back(entry.description.name);
    throw no(fmt::format("algorithm 'wdm-planned' has no {}", schedule::name_of(asked.kind)), place,
             fmt::format("those that have it: {}", fmt::join(able, ", ")));
  }
  if (!asked.groups.value.empty())
    throw no("wdm-planned plans for all nodes of the ring together", asked.groups.place,
             "Leave groups out, or name an algorithm.");
  if (!asked.algorithm.settings.empty()) {
    const auto& [name, setting] = *asked.algorithm.settings.begin();
    throw Error(setting.place.starts_with("--") ? ErrorKind::kUsage : ErrorKind::kInput,
                fmt::format("wdm-planned chooses '{}' itself", name), setting.place,
                "Leave it out, or name the algorithm that it belongs to.");
  }
}

WdmMachine machine_of(const Parameters& fabric) {
  WdmMachine m;
  m.nodes = static_cast<std::uint64_t>(fabric.integer("nodes"));
  m.wavelengths = static_cast<std::uint64_t>(fabric.integer("wavelengths") * fabric.integer("fibres"));
  m.rate = fabric.rate("rate").value / 8;
  m.retune = fabric.time("retune").to_seconds();
  m.overhead = fabric.time("step_overhead").to_seconds();
  m.latency = fabric.time("latency").to_seconds();
  m.every_step = fabric.text("retune_rule") == "every-step";
  m.tunes_ahead = fabric.boolean("retune_ahead");
  m.multicasts = fabric.boolean("multicast");
  m.drive = fabric.has("drive") ? static_cast<std::uint64_t>(fabric.integer("drive")) : 2 * m.wavelengths;
  return m;
}

// The ring's fabric with its budget kept, or not, by whatever is lowered.
pipeline::Choice with_budget(pipeline::Choice fabric, bool kept) {
  fabric.settings["enforce_budget"] = {kept ? "true" : "false", "wdm-planned"};
  return fabric;
}

// Which lightpaths close: by themselves, or with the help that the ring has.
class Reach {
 public:
  explicit Reach(const Parameters& fabric)
      : budget_(photonics::budget_from(fabric, fabric.rate("rate"))),
        wavelengths_(static_cast<int>(fabric.integer("wavelengths"))),
        passive_(photonics::sure_hops(budget_, wavelengths_)),
        amplified_(fabric.boolean("amplifiers")),
        regenerated_(fabric.boolean("regenerators")) {}

  bool closes(std::uint64_t hops) {
    if (hops <= static_cast<std::uint64_t>(passive_) || (regenerated_ && passive_ > 0)) return true;
    if (!amplified_ || hops > photonics::kUnbounded) return false;
    const auto [found, fresh] = known_.try_emplace(hops, false);
    if (fresh) found->second = photonics::amplified(budget_, static_cast<int>(hops), wavelengths_).has_value();
    return found->second;
  }
  photonics::Verdict of(int hops) const { return photonics::judge(budget_, hops, wavelengths_, passive_); }

 private:
  photonics::LinkBudget budget_;
  int wavelengths_, passive_;
  bool amplified_, regenerated_;
  std::map<std::uint64_t, bool> known_;
};

Collective by(const Candidate& candidate, Collective collective, bool verify) {
  collective.algorithm.name = candidate.algorithm;
  collective.algorithm.settings = candidate.settings;
  collective.verify = verify;
  return collective;
}

// What the engine says; none where it refuses or would take too long, and then the first `refusal` that knows what
// helps is kept.
std::optional<Result> time_of(const Candidate& candidate, const ChosenFabric& ring, const Experiment& experiment,
                              const Collective& asked, bool verify, const RunOptions& options,
                              std::optional<Error>* refusal = nullptr) {
  try {
    return pipeline::run(ring, experiment, by(candidate, asked, verify), options);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInfeasible) throw;
    if (refusal && (!*refusal || (*refusal)->advice().empty())) *refusal = error;
    return std::nullopt;
  }
}

bool faster(const Candidate& a, const Candidate& b) {
  return std::tie(a.seconds, a.hops, a.steps) < std::tie(b.seconds, b.hops, b.steps);
}

// Of those that take as long as the fastest, to rounding. Requires: sorted.
void fewest_steps_first(std::vector<Candidate>& all) {
  const auto others = std::ranges::find_if(
      all, [&](const Candidate& candidate) { return candidate.seconds > all.front().seconds * (1 + 1e-9); });
  std::stable_sort(all.begin(), others, [](const Candidate& a, const Candidate& b) { return a.steps < b.steps; });
}

// Of the longest lightpath, as the engine found it or as far as the closed form knows.
std::uint64_t hops_of(const Candidate& candidate, const std::optional<Result>& ran) {
  if (ran)
    for (const Fact& fact : ran->facts)
      if (fact.name == photonics::kLongestPathFact.name)
        return static_cast<std::uint64_t>(std::get<double>(fact.value));
  return candidate.least_hops;
}

// The best few of the candidates, as the engine has them: those whose closed form is exact first; then whatever may still be faster. With
// `beat` only what is faster than that, and of a large ring an exact closed form is believed then. Requires: sorted.
struct Fastest {
  std::optional<Result> result;
  const Candidate* candidate = nullptr;
  std::optional<Error> refusal;  // of something, where there is no result
};
Fastest fastest_of(const std::vector<Candidate>& candidates, const ChosenFabric& ring, const Experiment& experiment,
                   const Collective& asked, const WdmMachine& machine, const RunOptions& options,
                   std::optional<double> beat = {}) {
  Fastest found;
  std::optional<double> to_beat = beat;
  for (const bool exact : {true, false}) {
    std::size_t tried = 0, confirmed = 0;
    for (const Candidate& candidate : candidates) {
      if (candidate.exact != exact) continue;
      if (to_beat && candidate.seconds > *to_beat * (1 + 1e-9)) break;
      if (tried++ >= kMostTried || (exact && confirmed >= (is_large(machine) ? 1 : kTried))) break;
      if (beat && exact && is_large(machine)) {
        ++confirmed;
        if (candidate.seconds >= *beat * (1 - 1e-9)) continue;
        found.candidate = &candidate;
        to_beat = candidate.seconds;
        continue;
      }
      const bool proven = asked.verify && !beat && !found.result;  // the first is hardly ever beaten
      std::optional<Result> ran = time_of(candidate, ring, experiment, asked, proven, options, &found.refusal);
      if (!ran) continue;
      ++confirmed;
      const bool first = !found.result && (!to_beat || ran->time_s < *to_beat * (1 - 1e-9));
      if (first ||
          (found.result && std::tie(ran->time, ran->steps) < std::tie(found.result->time, found.result->steps))) {
        to_beat = ran->time_s;
        found.result = std::move(ran);
        found.candidate = &candidate;
      }
    }
  }
  return found;
}

// The comparisons that a reader wants, the fastest of each kind; `kept` where the answer keeps the budget. Requires: `all` is sorted.
std::vector<Alternative> compared(const std::vector<Candidate>& all, const Result& winner, const ChosenFabric& ring,
                                  const Experiment& experiment, const Collective& asked, const Candidate* chosen,
                                  const WdmMachine& machine, Reach* kept, const RunOptions& options) {
  std::vector<std::pair<std::string, const Candidate*>> shown;
  const Candidate* as_published = nullptr;
  for (const Candidate& candidate : all) {
    if (candidate.algorithm == "wrht" && candidate.settings.at("stripe").text == "1" &&
        candidate.settings.at("group").text ==
            fmt::format("{}", std::min(2 * machine.wavelengths + 1, machine.nodes)) &&
        (as_published == nullptr || candidate.settings.at("shortcut").text == "true"))
      as_published = &candidate;
  }
  const Candidate* unlimited =
      kept ? fastest_of(all, ring, experiment, asked, machine, options, winner.time_s).candidate : nullptr;
  if (unlimited != nullptr) shown.emplace_back("whether it closes or not: ", unlimited);
  if (as_published != nullptr) shown.emplace_back("wrht as published: ", as_published);
  for (const char* name : {"wrht", "ring", "bidirectional-ring", "binary-tree", "circulant"}) {
    const Candidate* best = nullptr;
    for (const Candidate& candidate : all)
      if (candidate.algorithm == name && (best == nullptr || faster(candidate, *best))) best = &candidate;
    if (best != nullptr && best != unlimited) shown.emplace_back("", best);
  }
  std::vector<Alternative> alternatives;
  for (const auto& [title, which] : shown) {
    const Candidate& candidate = *which;
    std::optional<Result> ran;
    if (candidate.words() == chosen->words())
      ran = winner;
    else if (!is_large(machine))
      ran = time_of(candidate, ring, experiment, asked, false, options);
    Alternative other;
    other.algorithm = title + candidate.words();
    other.time = ran ? ran->time : Time::seconds(candidate.seconds);
    other.steps = ran ? ran->steps : candidate.steps;
    const double ratio = other.time->to_seconds() / winner.time_s;
    other.verdict = ratio > 1 + 1e-9 ? "slower" : ratio < 1 - 1e-9 ? "faster" : "equal";
    other.reason = fmt::format("takes {}{:.4g} times as long{}", ran || candidate.exact ? "" : "at least ", ratio,
                               ran ? "" : " (closed form, not run)");
    if (const std::uint64_t hops = hops_of(candidate, ran); kept && !kept->closes(hops)) {
      other.verdict = "infeasible";
      other.reason += fmt::format("; its light does not arrive: {} hops", hops);
    }
    alternatives.push_back(std::move(other));
  }
  std::stable_sort(alternatives.begin(), alternatives.end(),
                   [](const Alternative& a, const Alternative& b) { return *a.time < *b.time; });
  return alternatives;
}

}  // namespace

bool can_plan_wdm(const Experiment& experiment, const Collective& asked) {
  return experiment.fabric.name == "wdm-ring" && asked.kind == schedule::Kind::kAllReduce &&
         asked.groups.value.empty() && !asked.strategy.value;
}

Result plan_wdm(const Experiment& experiment, const Collective& asked, const RunOptions& options) {
  check(experiment, asked);
  const ChosenFabric any(experiment.fabric);
  const Parameters& fabric = any.parameters();
  const WdmMachine machine = machine_of(fabric);
  Reach reach(fabric);
  if (machine.nodes < 2) {
    Candidate alone;
    alone.algorithm = "ring";
    Result result = pipeline::run(any, experiment, by(alone, asked, asked.verify), options);
    result.algorithm = result.asked_algorithm = kWdmPlanned;
    result.facts = photonics::facts_of(reach.of(0));
    for (const auto& [kind, value] :
         {std::pair{schedule::kLevelsFact, 0.0}, {schedule::kStripeFact, 1.0}, {schedule::kGroupFact, 1.0}})
      result.facts.insert(result.facts.begin(), Fact{kind, value});
    return result;
  }
  // Unless said otherwise only what closes is an answer, where the light is physical
  const bool keeps =
      fabric.has("enforce_budget") ? fabric.boolean("enforce_budget") : fabric.text("light") != "generous";
  const ChosenFabric ring(keeps ? with_budget(experiment.fabric, true) : experiment.fabric);

  // Everything that there is, by its closed form
  if (options.progress) options.progress("planning");
  const double bytes = asked.bytes.value.value;
  std::vector<Candidate> all = circulant_candidates(machine, bytes);
  for (auto* more : {&wrht_candidates, &plain_candidates})
    for (Candidate& candidate : (*more)(machine, bytes)) all.push_back(std::move(candidate));
  std::stable_sort(all.begin(), all.end(), faster);
  if (is_large(machine)) fewest_steps_first(all);
  std::vector<Candidate> closing = all;
  if (keeps) std::erase_if(closing, [&](const Candidate& candidate) { return !reach.closes(candidate.least_hops); });
  if (closing.empty() || (keeps && !reach.closes(1)))
    throw no(fmt::format("nothing closes: {}", reach.of(1).sentence), asked.algorithm.place,
             "Spread the wavelengths over more fabric.fibres, lower the losses, or bear more bit errors "
             "(fabric.target_ber); "
             "fabric.enforce_budget=false plans all the same.");

  RunOptions quiet = options;
  quiet.trace = quiet.picture = false;
  auto [best, chosen, refusal] = fastest_of(closing, ring, experiment, asked, machine, options);
  if (!best) {
    const std::string why = refusal ? fmt::format(" ({})", refusal->message()) : "";
    throw no("none of the planned schedules can be carried by this ring" + why, asked.algorithm.place,
             refusal && !refusal->advice().empty() ? refusal->advice()
                                                   : "See what fabric.drive and fabric.wavelengths allow.");
  }

  if (asked.verify && best->verify_method == kUnproven)
    best = pipeline::run(ring, experiment, by(*chosen, asked, true), options);

  // In words
  Result result = *std::move(best);
  result.asked_algorithm = kWdmPlanned;
  result.algorithm = kWdmPlanned;
  const auto complete = [&](const FactKind& kind, double value) {
    if (std::ranges::none_of(result.facts, [&](const Fact& fact) { return fact.name == kind.name; }))
      result.facts.insert(result.facts.begin(), Fact{kind, value});
  };
  complete(schedule::kLevelsFact, 1);
  complete(schedule::kStripeFact, 1);
  complete(schedule::kGroupFact, chosen->algorithm == "circulant" ? std::stod(chosen->settings.at("radices").text)
                                                                  : static_cast<double>(machine.nodes));
  result.facts.insert(
      result.facts.begin(),
      Fact{pipeline::kPlanFact,
           fmt::format("{}: the fastest of {} schedules{}; {} steps, {} of retuning, {} of step overhead",
                       chosen->words(), closing.size(), keeps ? " that close" : "", result.steps,
                       format(result.critical.setup), format(result.critical.overhead))});
  if (options.compare)
    result.alternatives =
        compared(all, result, ChosenFabric(keeps ? with_budget(experiment.fabric, false) : experiment.fabric),
                 experiment, asked, chosen, machine, keeps ? &reach : nullptr, quiet);
  return result;
}

}  // namespace helio::plan
