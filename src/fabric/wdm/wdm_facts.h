// SPDX-License-Identifier: Apache-2.0
// What the rings of light tell about a collective.
#pragma once

#include <vector>

#include "base/fact.h"
#include "photonics/link_budget.h"

namespace helio::fabric {

namespace wdm_ring_facts {

inline constexpr FactKind kLongestPathHops = {"longest_path_hops", "", "wdm-ring: segments of the longest lightpath"};
inline constexpr FactKind kLoss = {"loss_db", "dB", "wdm-ring: along the longest lightpath"};
inline constexpr FactKind kClosesPassively = {
    "closes_passively", "", "wdm-ring: whether light arrives without regenerators", FactKind::Limit::kSmallest};
inline constexpr FactKind kRegeneratorsNeeded = {"regenerators_needed", "", "wdm-ring: on the longest lightpath"};
inline constexpr FactKind kRegeneratorsDelay = {"regenerators_delay_s", "s", "wdm-ring: what they add"};
inline constexpr FactKind kRegeneratorsEnergy = {"regenerators_energy_j_per_bit", "J/b", "wdm-ring: what they take"};

inline std::vector<FactKind> kinds() {
  return {kLongestPathHops,    kLoss,
          kClosesPassively,    photonics::kMarginFact,
          kRegeneratorsNeeded, kRegeneratorsDelay,
          kRegeneratorsEnergy, photonics::kLinkBudgetFact};
}

}  // namespace wdm_ring_facts

namespace sip_ring_facts {

inline constexpr FactKind kDuty = {"duty", "1", "sip-ring: share of the time that its light is not dark"};
inline constexpr FactKind kFewestWavelengths = {"fewest_wavelengths_of_a_pair", "",
                                                "sip-ring: the pair that got the fewest", FactKind::Limit::kSmallest};
inline constexpr FactKind kTurns = {"turns", "", "sip-ring: allotments of wavelengths, one after the other"};

inline std::vector<FactKind> kinds() { return {kDuty, kFewestWavelengths, kTurns}; }

}  // namespace sip_ring_facts
}  // namespace helio::fabric
