// SPDX-License-Identifier: Apache-2.0
// What the rings of light, and rotors, tell about a collective.
#pragma once

#include <vector>

#include "base/fact.h"
#include "photonics/link_budget.h"

namespace helio::fabric {

namespace sip_ring_facts {

inline constexpr FactKind kDuty = {"duty", "1", "sip-ring: share of the time that its light is not dark"};
inline constexpr FactKind kFewestWavelengths = {"fewest_wavelengths_of_a_pair", "",
                                                "sip-ring: the pair that got the fewest", FactKind::Limit::kSmallest};
inline constexpr FactKind kTurns = {"turns", "", "sip-ring: allotments of wavelengths, one after the other"};

inline std::vector<FactKind> kinds() {
  std::vector<FactKind> all = {kDuty, kFewestWavelengths, kTurns};
  for (const FactKind& kind : photonics::fact_kinds_of_rings()) all.push_back(kind);
  return all;
}

}  // namespace sip_ring_facts

namespace rotor_facts {

inline constexpr FactKind kCycle = {"cycle_s", "s", "rotor: until each pair of nodes has had its slot"};
inline constexpr FactKind kLit = {"lit_share", "1", "rotor: share of a slot that is not dark"};

inline std::vector<FactKind> kinds() { return {kCycle, kLit}; }

}  // namespace rotor_facts
}  // namespace helio::fabric
