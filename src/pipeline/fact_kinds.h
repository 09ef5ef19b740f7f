// SPDX-License-Identifier: Apache-2.0
// Every fact that a result may tell: those of the catalogues' entries, and those that only who runs a collective knows. The tables of
// `helio describe keys` and of the reference are made of them, without running anything.
#pragma once

#include <vector>

#include "base/fact.h"

namespace helio::pipeline {

inline constexpr FactKind kPlanFact = {"plan", "", "wdm-planned: what won, among how many, in words"};
inline constexpr FactKind kSearchFact = {"search", "", "auto: only where the budget cut it, what was left untried"};
inline constexpr FactKind kControlMessagesFact = {"control_messages", "", "that the controllers sent"};
inline constexpr FactKind kControlMessagesLostFact = {"control_messages_lost", "", "of them lost"};
inline constexpr FactKind kAddingFact = {
    "adding_s", "s",
    "where an NPU is named and its memory may hold up: what adding at endpoints adds to "
    "time_s"};
inline constexpr FactKind kValueErrorFact = {
    "value_error", "1", "where averaging switches or compressing ports change values: the largest error, as emulated"};

// Each name once: algorithms in the order of their catalogue, who runs them, fabrics.
const std::vector<FactKind>& fact_kinds();

}  // namespace helio::pipeline
