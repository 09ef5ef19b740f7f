// SPDX-License-Identifier: Apache-2.0
// Errors and crosstalk at a WDM receiver.
//
// Bit errors, in the form of the WRHT spec, 2.6 (recalled from on-chip optical network work, low confidence: other
// receivers have other curves):
//
//   BER = ½ exp(−SNR/4),   SNR = signal power / noise power, linear;   1e-9 needs 80.1 (19.0 dB)
//
// Crosstalk. What a drop filter takes of the other channels reaches the receiver too. They are not coherent with the
// signal, so their powers add: X = Σ Pᵢ/Pₛ. The power penalty is how much more signal makes up for it:
//
//   eye    −10 log₁₀(1 − X)            all interferers shine in a dark bit and none in a bright one: the worst eye
//                                      (Ramaswami, Sivarajan, Sasaki, Optical Networks, 3rd ed., 5.6: interchannel)
//   noise  −10 log₁₀(1 − X · SNR)      crosstalk is noise: Pₛ/(N + X·Pₛ) ≥ SNR where Pₛ/N = SNR sufficed [ours]
//
// A penalty is infinite where no power helps: the noise grows with the signal.
#pragma once

#include "base/quantity.h"

namespace helio::photonics {

// The linear SNR for a bit error rate. Requires: 0 < ber ≤ ½.
double snr_needed(double ber);

// X of `interferers` channels, each suppressed by `suppression`. Requires: interferers ≥ 0.
double incoherent_crosstalk(int interferers, Decibel suppression);
// The two penalties. Requires: crosstalk, snr ≥ 0.
Decibel eye_penalty(double crosstalk);
Decibel noise_penalty(double crosstalk, double snr);

// 10 log₁₀ of a ratio of powers, and back.
Decibel in_decibels(double ratio);
double ratio_of(Decibel level);

}  // namespace helio::photonics
