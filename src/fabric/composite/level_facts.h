// SPDX-License-Identifier: Apache-2.0
// What the levels of a composite tell (base/fact.h). The same fabric may stand at two levels: under a fact's own name stands what the
// highest level tells that has it, and `level_facts` lists what levels tell differently, by their names.
#pragma once

#include <vector>

#include "base/fact.h"
#include "fabric/composite/levels.h"

namespace helio::fabric {

inline constexpr FactKind kLevelFactsFact = {
    "level_facts", "", "composite: facts that several levels tell, and not alike: each with its level"};

inline constexpr FactKind kFewerGatewaysFact = {
    "fewer_gateways", "",
    "composite: levels as they were used, where auto left gateways unused because that is faster"};

// Of all levels together; `by_level`: what each tells, the lowest first.
Facts facts_of(const std::vector<Level>& levels, const std::vector<Facts>& by_level);

}  // namespace helio::fabric
