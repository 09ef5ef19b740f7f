// SPDX-License-Identifier: Apache-2.0
// Facts that more than one room or algorithm tells under one name. What only one tells stands beside it.
#pragma once

#include "base/fact.h"

namespace helio::schedule {

inline constexpr FactKind kGroupFact = {
    "group", "", "wrht: ranks of a group on the lowest level; wdm-planned: ranks that send to each other at first"};
inline constexpr FactKind kStripeFact = {"stripe", "", "wavelengths side by side that carry one message"};
inline constexpr FactKind kChunksFact = {"chunks", "", "pieces that follow each other along a chain or a tree"};
inline constexpr FactKind kLevelsFact = {"levels", "", "of the tree, the circulants or the cascade"};

}  // namespace helio::schedule
