// SPDX-License-Identifier: Apache-2.0
// `helio fred route`: flows through one FRED switch, routed and proven by pushing numbers through it, or refused with a proof.
#pragma once

#include <string>

namespace helio::apps {

struct FredRouteOptions {
  long long ports = 0, middle = 3;
  std::string groups;  // "0,3,6;1,4,9": each an all-reduce flow
  std::string flows;   // a file: [{"inputs":[…],"outputs":[…]}…]
  std::string svg;     // a file to draw the configured switch into; "": no drawing
};

// What is printed. Writes the drawing when the flows are routed, and says so when there is none because they are not. Throws
// Error(kInput) for ports that do not exist, are used twice, files that say something else, and switches too large to draw.
std::string fred_route(const FredRouteOptions& options, bool json);

}  // namespace helio::apps
