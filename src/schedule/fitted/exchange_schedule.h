// SPDX-License-Identifier: Apache-2.0
// All-to-all along the ways of an exchange (exchange.h): one round, in which all parts of all pairs set out at once.
//
//     from a to b, 4 units    3 of them by c ═══▶    1 by d ───▶       each at a rate in proportion to its units
//
// On a link with the load L each part then has at least its bytes / L, so all end within the load of the busiest link and a latency. That
// is the fabric's to arrange: parts of unequal size are queues that share links as they are used (Lowering::share_links), of equal size
// flows that share them evenly.
//
// Short messages go by ways of the least latency: which of the two ends earlier is told by a bound on when the last part arrives.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "schedule/capabilities.h"
#include "schedule/fitted/exchange.h"
#include "schedule/request.h"
#include "schedule/schedule.h"

namespace helio::schedule {

// Adds the round, its ways and its chunks to a schedule that has none, and returns the exchange that it carries and the one that is
// spread as thinly as can be, whose prices prove the bound. `units`: parts of what one member has for another are whole numbers of.
struct LaidOut {
  std::shared_ptr<const Exchange> carried, spread;
};
LaidOut add_exchange(Schedule& schedule, const CollectiveRequest& request, const Network& network, Time step_overhead,
                     std::optional<std::uint32_t> units);

}  // namespace helio::schedule
