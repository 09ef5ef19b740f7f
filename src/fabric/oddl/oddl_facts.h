// SPDX-License-Identifier: Apache-2.0
// What ODDL tells about a collective, beside what its light tells (photonics/amplified_path.h).
#pragma once

#include <vector>

#include "fabric/fact_kinds.h"
#include "photonics/amplified_path.h"

namespace helio::fabric::oddl_facts {

inline constexpr FactKind kChannels = {"channels", "", "oddl: that the slice takes in a group"};
inline constexpr FactKind kPlanes = {"planes", "", "oddl: that the slice takes"};
inline constexpr FactKind kSetup = {"setup_s", "s", "oddl: of a lone circuit: tune, lock and guard"};
inline constexpr FactKind kWss = {"wss_s", "s", "oddl: that one WSS change takes"};
inline constexpr FactKind kWssChanges = {"wss_changes", "", "oddl: inside the collective"};
inline constexpr FactKind kIsolation = {"isolation", "", "oddl: physical, or masked by what is shared"};

inline std::vector<FactKind> kinds() {
  std::vector<FactKind> kinds = {kChannels, kPlanes, kSetup, kWss, kWssChanges, kIsolation, kModelFact};
  for (const FactKind& kind : photonics::fact_kinds_of_amplified_paths()) kinds.push_back(kind);
  return kinds;
}

}  // namespace helio::fabric::oddl_facts
