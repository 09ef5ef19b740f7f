// SPDX-License-Identifier: Apache-2.0
// What a training step saves when a ring all-reduce gives way to OptINC (papers/optinc.md 2.7), and to what that is due.
//
//     ring, w bits   ├──── compute ────┤├──────────── w/B · r ────────────┤
//     ring, B bits   ├──── compute ────┤├──── r ────┤╌╌╌ quantisation ╌╌╌╌╌     what any network saves that sends B bits
//     OptINC         ├──── compute ────┤├─ o ─┤╌╌╌╌╌╌     averaging in flight: r − o, all that the optics add
//
// A step is compute and then communication, without overlap. The share f is that of communication in the step of a ring.
// Quantisation comes first in the account, because it needs no optics: OptINC is credited with r − o and no more.
#pragma once

#include "studies/optinc/runs.h"

namespace helio::studies::optinc_study {

// Seconds of one exchange of ResNet-50's gradients, simulated.
struct Exchange {
  double optinc = 0;
  double ring = 0;        // of w bits
  double ring_equal = 0;  // of B bits, as OptINC sends

  // Of a step with so much compute. All are shares of the step with the ring of w bits.
  double saved(double compute) const { return (ring - optinc) / (compute + ring); }
  double by_quantisation(double compute) const { return (ring - ring_equal) / (compute + ring); }
  double by_averaging(double compute) const { return (ring_equal - optinc) / (compute + ring); }
  // The share of communication in the ring's step with which `saving` is saved, and the compute that leaves it.
  double share_for(double saving) const { return saving / (1 - optinc / ring); }
  double compute_for(double saving) const { return (ring - optinc) / saving - ring; }
};
Exchange exchange(Runs& runs, int servers, int ring_bits);

// Compute with which communication has this share in the step of a ring of B bits.
double compute_at_share(Runs& runs, int servers, double share);

inline constexpr double kLeastSaved = 0.17, kMostSaved = 0.25;  // kSaved17 and kSaved25 as shares

}  // namespace helio::studies::optinc_study
