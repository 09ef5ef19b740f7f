// SPDX-License-Identifier: Apache-2.0
// `helio fred route`: flows through one FRED switch, routed and proven by pushing numbers through it, or refused with a proof.
#pragma once

#include <string>

namespace helio::apps {

struct FredRouteOptions {
  long long ports = 0, middle = 3;
  std::string groups;  // "0,3,6;1,4,9": each an all-reduce flow
  std::string flows;   // a file: [{"inputs":[…],"outputs":[…]}…]
};

// What is printed. Throws Error(kInput) for ports that do not exist, are used twice, and files that say something else.
std::string fred_route(const FredRouteOptions& options, bool json);

}  // namespace helio::apps
