// SPDX-License-Identifier: Apache-2.0
// Why a collective takes as long as it does on a fabric, as factors between an ideal and what was simulated:
//
//     ideal    what ranks must send and receive, at the injection that all fabrics have; no delays, and no help from the network
//       x      sums and copies in the network        2(n-1)/n of the vector becomes once of it
//       x      codes, or compression                 fewer bytes on the wire
//       x      what of the rate is payload, or lit
//       x      the narrowest cut
//       x      delays: links, steps, setting up      from here on it is the lower bound (bound.h)
//       x      what the schedule takes beyond it     the simulated time
//
// Each factor is one bound over the bound before, with one more thing of the fabric in it: their product is time / ideal exactly. A
// composite's levels are one factor, since what one of them does cannot be told from the others.
#pragma once

#include <string>
#include <vector>

#include "base/quantity.h"
#include "pipeline/result.h"
#include "schedule/capabilities.h"
#include "schedule/request.h"

namespace helio::pipeline {

struct Factor {
  std::string what;
  double times = 1;  // below 1: it makes the collective faster
};

struct Explained {
  double ideal_s = 0;
  std::vector<Factor> factors;  // those that differ from 1
};

// `injection`: gross, that all are compared at. Requires: `result` answers `request` on a fabric with such capabilities.
Explained explained(const schedule::Capabilities& capabilities, const schedule::CollectiveRequest& request,
                    BitRate injection, const Result& result);

// "1.97x faster by sums and copies in the network; 1.04x slower by delays"; factors within 1 % are left out.
std::string in_words(const std::vector<Factor>& factors);

}  // namespace helio::pipeline
