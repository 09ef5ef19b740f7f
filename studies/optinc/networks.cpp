// SPDX-License-Identifier: Apache-2.0
#include "studies/optinc/networks.h"

namespace helio::studies::optinc_study {

using namespace photonics;

Onn constructed(Direction direction, ActivationKind activation, double slope, int servers) {
  return construct({.servers = servers}, {.direction = direction, .activation = activation, .slope = slope});
}

Onn sturdiest() {
  return pruned(construct({}, {.direction = kLsb, .activation = kSaturating, .slope = 4, .regenerate = true}));
}

const std::vector<Candidate>& searched() {
  static const std::vector<Candidate> found = search({});
  return found;
}

}  // namespace helio::studies::optinc_study
