// SPDX-License-Identifier: Apache-2.0
// The optical switches that an exchange asks for, as tables over all that can reach them (papers/optinc.md 2.2, 2.5, 2.6).
//
//     constructed   exact networks by construction: carries from below where N is a power of two, else symbols from the top
//     from files    one network for each level, with the errors it makes
//     on a chip     the same networks (without files those that are built for chips) as one calibrated chip computes them
//     noise         each table is the network asked once at every point, with white noise after each layer's matrix: `noise_draws`
//                   tables, of which every element and step asks one. Averages over training are those of as many chips
//     error_rate    right averages, except at points drawn until uniform codes meet one at this rate; there the average is off by
//                   an amount drawn from those of the network itself. Of a level whose network is never wrong nothing is drawn
#pragma once

#include <string>

#include "emulate/code_averager.h"
#include "train/exchange/gradient_exchange.h"

namespace helio::train {

struct Switches {
  emulate::CodeAverager averager;
  std::string words;  // "trained network n4b8.json (wrong on 12 of 28561 points)"
};

// What `quantised` and `optinc` average with. Throws Error(kInput) for ports that do not multiply to the servers and for networks that
// are not made for their level, naming the file and both sizes; Error(kInfeasible) where noise or errors need a table that is too large.
Switches switches_of(const ExchangeSpec& spec, int servers);

}  // namespace helio::train
