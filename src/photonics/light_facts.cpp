// SPDX-License-Identifier: Apache-2.0
#include "photonics/light_facts.h"

#include <cmath>

#include "photonics/link_budget.h"

namespace helio::photonics {
namespace {

constexpr FactKind kSureMarginFact = {"sure_margin_db", "dB", "rings: the margin that `confidence` of all paths have",
                                      FactKind::Limit::kSmallest};
constexpr FactKind kReachFact = {"reach_hops", "", "rings: the most hops that close without help, with `confidence`",
                                 FactKind::Limit::kSmallest};
constexpr FactKind kAmplifiersFact = {"amplifiers_needed", "", "rings: on the longest lightpath, where they suffice"};
constexpr FactKind kRegeneratorsFact = {"regenerators_needed", "", "rings: on the longest lightpath"};
constexpr FactKind kRegeneratorsDelayFact = {"regenerators_delay_s", "s", "rings: what they add"};
constexpr FactKind kRegeneratorsEnergyFact = {"regenerators_energy_j_per_bit", "J/b", "rings: what they take"};

}  // namespace

std::vector<FactKind> fact_kinds_of_rings() {
  return {kLongestPathFact,
          kLossFact,
          kClosesPassivelyFact,
          kClosesAmplifiedFact,
          kMarginFact,
          kSureMarginFact,
          kReachFact,
          kBitErrorFact,
          kAmplifiersFact,
          kOsnrFact,
          kRegeneratorsFact,
          kRegeneratorsDelayFact,
          kRegeneratorsEnergyFact,
          kLinkBudgetFact};
}

Facts facts_of(const Verdict& verdict) {
  Facts facts = {{kLongestPathFact, static_cast<double>(verdict.hops)},
                 {kLossFact, verdict.loss.value},
                 {kClosesPassivelyFact, verdict.closes_passively},
                 {kClosesAmplifiedFact, verdict.closes_amplified}};
  if (std::isfinite(verdict.margin.value)) facts.push_back({kMarginFact, verdict.margin.value});
  if (std::isfinite(verdict.sure_margin.value)) facts.push_back({kSureMarginFact, verdict.sure_margin.value});
  if (verdict.largest_hops < kUnbounded) facts.push_back({kReachFact, static_cast<double>(verdict.largest_hops)});
  facts.push_back({kBitErrorFact, verdict.bit_error_rate});
  if (verdict.closes_amplified)
    facts.push_back({kAmplifiersFact, static_cast<double>(verdict.amplifiers ? verdict.amplifiers->amplifiers : 0)});
  if (verdict.amplifiers) facts.push_back({kOsnrFact, verdict.amplifiers->osnr.value});
  if (verdict.regenerators) {
    facts.push_back({kRegeneratorsFact, static_cast<double>(*verdict.regenerators)});
    facts.push_back({kRegeneratorsDelayFact, verdict.added_delay.to_seconds()});
    facts.push_back({kRegeneratorsEnergyFact, verdict.added_energy.value});
  }
  facts.push_back({kLinkBudgetFact, verdict.sentence});
  return facts;
}

}  // namespace helio::photonics
