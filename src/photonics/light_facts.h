// SPDX-License-Identifier: Apache-2.0
// What every fabric of light tells about the worst path of a collective, under one set of names.
#pragma once

#include "base/fact.h"

namespace helio::photonics {

inline constexpr FactKind kMarginFact = {"margin_db", "dB", "of the received power over what is needed",
                                         FactKind::Limit::kSmallest};
inline constexpr FactKind kLinkBudgetFact = {"link_budget", "", "the budget of the worst lightpath in words"};
inline constexpr FactKind kOsnrFact = {"osnr_db", "dB", "signal over noise there, where the path is amplified",
                                       FactKind::Limit::kSmallest};
inline constexpr FactKind kBitErrorFact = {"bit_error_rate", "", "there, before error correction"};

}  // namespace helio::photonics
