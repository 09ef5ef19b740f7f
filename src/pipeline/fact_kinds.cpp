// SPDX-License-Identifier: Apache-2.0
#include "pipeline/fact_kinds.h"

#include <algorithm>

#include "fabric/fabric.h"
#include "schedule/algorithm.h"

namespace helio::pipeline {

const std::vector<FactKind>& fact_kinds() {
  static const std::vector<FactKind> all = [] {
    std::vector<FactKind> kinds;
    const auto add = [&](const std::vector<FactKind>& more) {
      for (const FactKind& kind : more)
        if (std::ranges::find(kinds, kind.name, &FactKind::name) == kinds.end()) kinds.push_back(kind);
    };
    for (const auto& entry : schedule::algorithms().entries()) add(entry.description.facts);
    add({kPlanFact, kSearchFact, kControlMessagesFact, kControlMessagesLostFact, kAddingFact, kValueErrorFact});
    for (const auto& entry : fabric::fabrics().entries()) add(entry.description.facts);
    return kinds;
  }();
  return all;
}

}  // namespace helio::pipeline
