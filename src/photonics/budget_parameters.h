// SPDX-License-Identifier: Apache-2.0
// The link budget as parameters of a fabric, each with unit, bounds, default and citation.
#pragma once

#include <string>
#include <vector>

#include "base/catalogue.h"
#include "photonics/link_budget.h"

namespace helio::photonics {

// Those that `light` decides are optional: unset, its reading holds. `example` is a question about the fabric, whose parameters have the prefix "fabric.", with several wavelengths and a longest
// path that does not close passively: only there do regenerators matter.
std::vector<Parameter> budget_parameters(const std::string& example);

// Requires: `parameters` were declared with the above, alone or among others.
// `rate` of one wavelength. Throws Error(kInput) for what the reading makes idle.
LinkBudget budget_from(const Parameters& parameters, BitRate rate);

}  // namespace helio::photonics
