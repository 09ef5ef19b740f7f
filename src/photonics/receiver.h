// SPDX-License-Identifier: Apache-2.0
// The receiver at the end of a lightpath: what power it needs, from its noise, the rate and the format, and how often it errs.
//
//   direct detection, M levels (nrz 2, pam4 4) of mean power u, extinction r:
//
//      upper ───────  T = 2r/(r+1) u          noise       thermal: s, the same on every level
//              eye    D = 2d u                            beating: 2 e P u on a level of power P, since every weak field of the same
//      lower ───────  T - D                               wavelength beats with the signal; d = (r-1)/((r+1)(M-1))
//
//      Q = E D / (sqrt(s² + 2eTu) + sqrt(s² + 2e(T-D)u))             E: what is left of the eye (bit_error.h)
//      u = s / sqrt((E d/Q + e Q/E)² - 2e · 2r/(r+1))                solved for the power; infinite where the beating alone is too much
//      e = in-band crosstalk, co-polarised (Goldstein et al., IEEE Photon. Technol. Lett. 1995: networks must be designed for it)
//          + (B/12.5 GHz)/OSNR, the ASE within the receiver's bandwidth B
//      BER = 2(M-1)/(M log2 M) · tail(Q);    s = noise · sqrt(B)/responsivity · penalty;    B = `bandwidth` symbol rates
//
//   qpsk, coherent, two polarisations (a quarter of the rate in symbols): in-band light is noise, SNR = E²/(e + (sensitivity/u)/q²),
//      e = crosstalk + (symbol rate/12.5 GHz)/OSNR;  BER = tail(sqrt SNR);  u = sensitivity/(E² - e q²). Its sensitivity is given.
//
// With r infinite and E = 1 the penalty of nrz is -10 log10(1 - e Q²) at the best threshold; one in the middle bears 6 dB less (up to 5 dB
// were found: Moura et al., Globecom 1996). pam4 bears 8.7 dB less than that; 9 dB were measured (Opt. Lett. 44, 5965, 2019).
// docs/photonics.md holds sensitivities against published receivers.
#pragma once

#include <optional>
#include <string>

#include "base/quantity.h"

namespace helio::photonics {

enum class Format { kNrz, kPam4, kQpsk };
Format format_named(const std::string& name);  // "nrz", "pam4", "qpsk"

struct Receiver {
  BitRate rate{40e9};
  Format format = Format::kNrz;
  Decibel extinction{6};       // of the transmitter's levels, nrz and pam4
  double noise = 17.25e-12;    // A/sqrt(Hz) at the input
  double responsivity = 0.78;  // A/W
  double bandwidth = 0.7;      // in symbol rates
  Decibel penalty{4};          // of real receivers beyond their noise
  double target_ber = 1e-12;   // before error correction, if there is one
  std::optional<Power> given;  // the sensitivity, whatever the noise
};

// What else reaches the receiver.
struct Disturbance {
  double beating = 0;           // in-band crosstalk, in powers of the signal
  double eye = 1;               // what filters and a strong interferer leave of the eye
  std::optional<Decibel> osnr;  // in 0.1 nm; not set: no amplifiers
};

// The part of it all that a path does not change, for those who ask often.
struct Threshold {
  explicit Threshold(const Receiver& receiver);
  // How much more power it takes; infinite: none helps.
  Decibel penalty(double beating, double eye) const;
  // All that beats: crosstalk, and the noise of amplifiers within the band.
  double beating(double crosstalk, Decibel osnr) const;

  bool coherent;
  double q;      // for the target
  double open;   // half of the undisturbed eye over q, in mean powers
  double upper;  // level, in mean powers
  double band;   // in which noise counts, in that in which OSNR is told
};

double symbol_rate(const Receiver& receiver);  // per second
// The mean power that it needs undisturbed. Requires: qpsk has it given.
Power sensitivity(const Receiver& receiver);
Decibel penalty_of(const Receiver& receiver, const Disturbance& disturbance);
double bit_error_rate(const Receiver& receiver, Power received, const Disturbance& disturbance);
// Of levels in a signal of mean power 1: the highest, and the next one below.
struct Levels {
  double upper, lower;
};
Levels top_levels(const Receiver& receiver);
int level_count(const Receiver& receiver);  // of each dimension that is told apart

}  // namespace helio::photonics
