// SPDX-License-Identifier: Apache-2.0
// Flows through one FRED switch, routed and proven by pushing numbers through it, or refused with a proof (docs/fred.md).
#pragma once

#include <string>

#include "ask/front_end.h"
#include "report/json/fred_route.h"

namespace helio::ask {

struct FredQuestion {
  long long ports = 0, middle = 3;
  std::string groups = {};  // "0,3,6;1,4,9": each an all-reduce flow
  std::string flows = {};   // or a file: [{"inputs":[…],"outputs":[…]}…]
  std::string svg = {};     // a file to draw the configured switch into; "": no drawing
  Naming called = as_it_is;
};

using report::FredRoute;

// Draws when the flows are routed. Throws Error(kInput) for ports that do not exist, are used twice, files that say something else,
// and switches too large to draw.
FredRoute fred_route(const FredQuestion& question);

}  // namespace helio::ask
