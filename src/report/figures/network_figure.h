// SPDX-License-Identifier: Apache-2.0
// A network and what binds on it: the near side of the tightest cut and the links that leave it, or the links that prove the bound of an
// exchange (drawn by web/network.js).
#pragma once

#include <optional>

#include "report/figures/figure.h"
#include "schedule/fitted/certificate.h"

namespace helio::report {

// Nothing where the network is too large to be looked at.
std::optional<Figure> network_figure(const schedule::Certificate& why);

}  // namespace helio::report
