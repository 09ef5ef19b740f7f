// SPDX-License-Identifier: Apache-2.0
// What FRED tells about a collective.
#pragma once

#include <vector>

#include "fabric/fact_kinds.h"

namespace helio::fabric::fred_facts {

inline constexpr FactKind kRadix = {"radix", "", "fred: ports of its switches, level by level"};
inline constexpr FactKind kMiddleSwitches = {"middle_switches", "", "fred: m of its switches"};
inline constexpr FactKind kPlaneShare = {"plane_share", "1",
                                         "fred of chiplets: the part of the planes that the worst phase can use",
                                         FactKind::Limit::kSmallest};
inline constexpr FactKind kPlacement = {"placement", "", "fred: where the groups lie after the remedy replace"};

inline std::vector<FactKind> kinds() {
  return {kRadix, kMiddleSwitches, kPlaneShare, kIoBroadcastShareFact, kPlacement};
}

}  // namespace helio::fabric::fred_facts
