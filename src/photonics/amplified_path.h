// SPDX-License-Identifier: Apache-2.0
// Light through passive parts and amplifiers: what arrives of one channel, and how clean (papers/oddl.md 2.6).
//
//   7 dBm ─▷ 32:1 combiner ─▷ EDFA ─▷ WSS ─▷ 32:1 combiner ─▷ EDFA ─▷ AWG ─▷ connectors ─▷ receiver
//                −16.6 dB     +20     −6.5       −16.6         +20     −5        −2           0.4 dBm, OSNR 38.1 dB
//
//   power      launched − losses + gains, channel by channel
//   OSNR       of one amplifier 58 + P_in − NF dB (P_in of one channel in dBm, in 0.1 nm at 1550 nm); stages add as Σ 1/OSNR
//   limit      an amplifier gives at most `most_output` over all `channels` lit: past it the gain of each falls alike (−2.1 dBm)
//   crosstalk  in-band: what parts let in of other signals on the same wavelength, Σ leak. 31 other WSS, each with a port that leaks
//              35 dB below its signal into this group's combiner, are 20.1 dB below together
//   filters    their widths, for the eye (bit_error.h)
//
// The receiver (receiver.h) says what power all this needs. Powers are computed with and without the limit; the verdict goes by the
// limited ones. The gain is taken as instantly settled: what bursts do to it is said in a warning, not modelled.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/catalogue.h"
#include "base/fact.h"
#include "base/quantity.h"
#include "photonics/receiver.h"

namespace helio::photonics {

struct PassivePart {
  std::string name;
  Decibel loss;
  double leak = 0;                       // of other signals on this wavelength that it lets in, in powers of the signal
  std::optional<double> bandwidth = {};  // Hz, 3 dB; not set: wide
};

struct Amplifier {
  std::string name;
  Decibel gain{20};  // of one channel while unsaturated
  Decibel noise_figure{5.5};
  std::optional<Power> most_output;  // of all channels together
};

struct AmplifiedPath {
  Power launched;                                           // of one channel
  std::vector<std::variant<PassivePart, Amplifier>> parts;  // in the order of the light
  int channels = 32;                                        // lit at once through each amplifier
  Receiver receiver;
  bool power_only = false;  // the receiver asks for power and for nothing else
};

struct Arrival {
  Power power;                  // of one channel
  std::optional<Decibel> osnr;  // not set: no amplifier, no noise of theirs
  std::vector<Decibel> gains;   // of the amplifiers, in order
  double crosstalk = 0;         // in-band, in powers of the signal
  double eye = 1;               // what the filters leave of it
};

// OSNR behind one amplifier. Requires: input > 0, of one channel.
Decibel stage_osnr(Power input, const Amplifier& amplifier);

// Requires: channels >= 1; launched > 0.
Arrival arrive(const AmplifiedPath& path, bool limited);

struct AmplifiedVerdict {
  Arrival unsaturated, limited;
  Decibel penalty;  // of noise, crosstalk and filters; infinite: no power helps
  Decibel margin;   // of the limited one above the sensitivity and the penalty; negative: what is missing
  double bit_error_rate = 0;
  bool judged = true;  // by its errors, too
  bool closes = false;
  std::string sentence;  // all of this in words
  std::string warning;   // about bursts; empty without amplifiers
};

AmplifiedVerdict judge(const AmplifiedPath& path);
// Throws Error(kInfeasible) with the reason when the light does not arrive; returns the verdict when it does.
AmplifiedVerdict require_arrival(const AmplifiedPath& path);
// For results: received_dbm, received_unsaturated_dbm, osnr_db, osnr_unsaturated_db, crosstalk_db, bit_error_rate, margin_db, link_budget,
// burst_warning.
Facts facts_of(const AmplifiedVerdict& verdict);
std::vector<FactKind> fact_kinds_of_amplified_paths();

// The path between two nodes of ODDL. A combiner of k inputs loses 10 log10 k and its excess.
struct OddlPath {
  Power launched{5.011872336272722e-3};  // 7 dBm
  Decibel combiner_excess{1.5};
  Decibel wss_loss{6.5};
  Decibel awg_loss{5};
  Decibel connector_loss{2};
  Decibel edfa_gain{20};
  Decibel edfa_noise_figure{5.5};
  std::optional<Power> edfa_most_output = Power{0.19952623149688797};  // 23 dBm; not set: no limit
  Decibel wss_isolation{35};                                           // of each of its ports
  double wss_bandwidth = 45e9, awg_bandwidth = 35e9;                   // Hz, of a channel of 50 GHz
  Receiver receiver = {
      .rate = BitRate{100e9}, .format = Format::kQpsk, .target_ber = 3.8e-3, .given = Power{10e-6}};  // -20 dBm
  bool power_only = false;
};
// `inputs` of the combiner of a group's transmitters, `groups` of the one before a group's demultiplexer. As many channels as
// transmitters are lit.
AmplifiedPath oddl_path(const OddlPath& path, int inputs, int groups);

// As parameters of a fabric, with unit, bounds, default and citation. `example` is a command line on that fabric, `two_groups` one on
// two of them.
std::vector<Parameter> oddl_path_parameters(const std::string& example, const std::string& two_groups);
// Requires: `parameters` were declared with the above, alone or among others.
OddlPath oddl_path_from(const Parameters& parameters, BitRate rate);

}  // namespace helio::photonics
