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
//
// What closes the eye. Both are shares of the eye that stay open, 1: all of it.
//
//   filters     Gaussian, 3 dB (power) width b each; their pulse responses widen by sigma_t = sqrt(ln 2)/(pi b), squares add. A
//               symbol of length T keeps p = erf(T / (2 sqrt2 sigma_t)) of itself and takes 1 - p of its neighbours: p - (M-1)(1-p)
//               of the eye between two of M levels. For M = 2 on the field p^2 - (1-p)^2, which is the same 2p - 1.
//   one         an interferer of the same wavelength, power x of the signal's, beats with it: 2 sqrt(x P P'), in phase with the
//               upper level and out of phase with the lower. Of levels T > L it leaves 1 - 2 sqrt(x T)/(sqrt T - sqrt L); with a dark
//               lower level 1 - 2 sqrt x (Ramaswami et al., 5.6: intrachannel).
#pragma once

#include <span>

#include "base/quantity.h"

namespace helio::photonics {

// The linear SNR for a bit error rate. Requires: 0 < ber ≤ ½.
double snr_needed(double ber);

// X of `interferers` channels, each suppressed by `suppression`. Requires: interferers ≥ 0.
double incoherent_crosstalk(int interferers, Decibel suppression);
// The two penalties. Requires: crosstalk, snr ≥ 0.
Decibel eye_penalty(double crosstalk);
Decibel noise_penalty(double crosstalk, double snr);

// The part of a normal distribution beyond q, and the q beyond which so much lies. Requires: 0 < tail <= 1/2.
double gaussian_tail(double q);
double q_for(double tail);

// Eyes as above. Requires: bandwidths, rate > 0; levels >= 2. Not positive: the eye is closed.
double filtered_eye(std::span<const double> bandwidths_hz, double symbols_per_second, int levels);
double beaten_eye(double crosstalk, double upper, double lower);

// 10 log₁₀ of a ratio of powers, and back.
Decibel in_decibels(double ratio);
double ratio_of(Decibel level);

}  // namespace helio::photonics
