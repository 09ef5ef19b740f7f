// SPDX-License-Identifier: Apache-2.0
// Why nothing is faster on a network, as data that can be drawn: the tightest cut of what spreads or reduces (tightest_cut.h), or the links
// whose prices prove the bound of an exchange (exchange.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schedule/capabilities.h"
#include "schedule/request.h"

namespace helio::schedule {

struct Certificate {
  Network network;
  std::vector<bool> near;   // by vertex: the side that bytes leave, or enter where they reduce; of an exchange nobody
  std::vector<bool> binds;  // by arc: it crosses so, or its price is not much less than the highest
  BitRate rate;             // of those that bind together
  std::string words;
};

// Of an all-reduce that of what spreads. None where the fabric shows no links.
std::optional<Certificate> certificate_of(const CollectiveRequest& request, const Capabilities& capabilities);

}  // namespace helio::schedule
