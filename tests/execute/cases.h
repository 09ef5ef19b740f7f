// SPDX-License-Identifier: Apache-2.0
// Every algorithm and kind on so many ranks, on a fabric that can do everything.
#pragma once

#include <functional>

#include "base/error.h"
#include "schedule/algorithm.h"
#include "schedule/verify.h"

namespace helio::execute {

inline schedule::Capabilities everything(std::uint64_t nodes) {
  schedule::Capabilities can{.fabric = "any", .nodes = nodes, .reduces = true, .multicasts = true};
  can.link_rate = can.injection = can.ejection = BitRate{1e9};
  can.wavelengths = 8;
  return can;
}

// Those that refuse are left out. The root is the last rank but one.
inline void for_each_schedule(schedule::Position ranks, const std::function<void(const schedule::Schedule&)>& visit) {
  for (const schedule::AlgorithmEntry& entry : schedule::algorithms().entries())
    for (const schedule::Kind kind : entry.factory.kinds) {
      schedule::Schedule made;
      try {
        made = schedule::build(entry.description.name,
                               schedule::request_on_all(kind, Bytes{1e6}, ranks, ranks > 1 ? ranks - 2 : 0),
                               everything(static_cast<std::uint64_t>(ranks)));
      } catch (const Error&) {
        continue;
      }
      visit(made);
    }
}

}  // namespace helio::execute
