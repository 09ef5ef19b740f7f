// SPDX-License-Identifier: Apache-2.0
// The link budget of a lightpath on a WDM ring: does its light arrive, and clean enough?
//
//   laser ─▷ modulator ─▷ coupler ─▷ ─┬─ ─ ─┬─ ─ ─┬─ ▷ coupler ─▷ drop filter ─▷ receiver
//                                   ○○○○  ○○○○  ○○○○
//                                   node  node  node      one hop: the rings of a node, and the way to the next
//
//   power  = min(laser, bus power / wavelengths): a waveguide bears only so much in all before two photons are absorbed at once
//   loss   = modulator + 2 couplers + drop + hops · (rings passed per node · through loss + waveguide or fibre loss)
//   margin = power − loss − penalties(hops) − sensitivity(rate, format)                      closes when ≥ 0
//   h_max  = the most hops that close
//
// Penalties: other wavelengths at the drop filter (as before); the drop filter's width; and what beats with the signal, because it has
// its wavelength: the residue of the path that used it before (it was dropped where this one begins, one hop from its own source), and
// the parked transmitters of the nodes that are passed, each `add_isolation` below a fresh signal while this one fades:
//   e = 10^(−add_isolation/10) · Σ g^k over k = 1 … hops − 1,   g = 10^(loss per hop/10)
// The receiver (receiver.h) tells what they cost.
//
// Beyond h_max: amplifiers, which restore the power on the bus and add noise, n of them between n + 1 equal pieces; or regenerators,
// which receive, retime and send again: ⌈hops / h_max⌉ − 1 of them.
//
// Parts differ. `Tolerances` draws rings of them: a path closes when `confidence` of the draws do, and h_max is meant so.
//
// The form of the loss is that of the WRHT spec, 2.6; WRHT's own equation and constants are not known to us. Citations stand in
// budget_parameters.cpp, and docs/photonics.md says how sure we are of each. `generous()` is the reading that leans towards closing.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/fact.h"
#include "base/quantity.h"
#include "base/time.h"
#include "photonics/amplified_path.h"
#include "photonics/light_facts.h"
#include "photonics/receiver.h"

namespace helio::photonics {

enum class CrosstalkModel {
  kGiven,  // the penalty is a parameter
  kEye,    // the worst eye of all other wavelengths (bit_error.h)
  kNoise,  // the same light as noise against the SNR that the target BER needs
};

// Normal deviations of the parts of a path.
struct Tolerances {
  Decibel part{0.5};  // of a laser line, the modulator, each coupler, the drop filter and the receiver
  double hop = 0.1;   // of the loss per hop, in parts of it, common to a path
  double confidence = 0.95;
  std::uint64_t seed = 1;
  int draws = 500;

  bool none() const { return part.value == 0 && hop == 0; }
};

struct LinkBudget {
  Power laser{10e-3};                           // per wavelength, before the modulator: 10 dBm
  std::optional<Power> bus_power = Power{0.1};  // of all wavelengths together: 20 dBm
  Decibel modulator_loss{2};                    // insertion loss
  Decibel coupler_loss{1};                      // each of two per path
  Decibel drop_loss{1};                         // of the filter before the receiver
  Decibel through_loss{0.005};                  // of a ring that is tuned to another wavelength
  std::optional<int> rings_per_node;            // passed in each hop; not set: one for each wavelength
  Decibel hop_loss{0.002};                      // waveguide or fibre between two nodes
  Receiver receiver{.target_ber = 2.4e-4};      // with its rate; what RS(544,514) corrects
  CrosstalkModel crosstalk_model = CrosstalkModel::kEye;
  Decibel crosstalk_penalty{1};                        // kGiven
  Decibel crosstalk_suppression{40};                   // kEye, kNoise: of every other wavelength, on average
  std::optional<Decibel> drop_residue = Decibel{20};   // of a dropped wavelength, stays on the bus
  std::optional<Decibel> add_isolation = Decibel{40};  // of a parked transmitter
  std::optional<double> drop_bandwidth = 125e9;        // Hz, of the drop filter
  Decibel other_margin{0};                             // ageing, temperature, dispersion, repair
  Amplifier amplifier{"EDFA", Decibel{20}, Decibel{5.5}, Power{0.19952623149688797}};
  Tolerances tolerances;
  Time regenerator_delay = Time::nanoseconds(10);
  Energy regenerator_energy{3e-12};  // per bit
};

// The reading that leans towards closing: no limit on the bus, -20 dBm at any rate for 1e-9, 1 dB for all crosstalk, parts that never
// differ. A "no" under it can be relied on, a "yes" cannot.
LinkBudget generous();

inline constexpr int kUnbounded = std::numeric_limits<int>::max();

// What one wavelength has, what the ends of a path cost, one hop, and a whole path. Requires here and below: hops ≥ 0, wavelengths ≥ 1.
Power launched(const LinkBudget& budget, int wavelengths);
Decibel end_loss(const LinkBudget& budget);
Decibel loss_per_hop(const LinkBudget& budget, int wavelengths);
Decibel loss(const LinkBudget& budget, int hops, int wavelengths);
// What reaches the receiver of a path without amplifiers beside the signal, of its own wavelength.
Disturbance disturbance(const LinkBudget& budget, int hops, int wavelengths);
// Crosstalk, filter and other margin; infinite when crosstalk drowns the signal at any power.
Decibel penalties(const LinkBudget& budget, int hops, int wavelengths);
// What is left above the sensitivity; negative: what is missing. Of parts as they should be.
Decibel margin(const LinkBudget& budget, int hops, int wavelengths);
// The same that `confidence` of all draws have.
Decibel sure_margin(const LinkBudget& budget, int hops, int wavelengths);

bool closes(const LinkBudget& budget, int hops, int wavelengths);  // parts as they should be
// h_max: 0 when not even one hop closes, kUnbounded when hops cost nothing. Of parts as they should be, and of most draws.
int largest_hops(const LinkBudget& budget, int wavelengths);
int sure_hops(const LinkBudget& budget, int wavelengths);

// The fewest amplifiers with which a path closes, with what is held back for tolerances of its ends; none: none do.
struct AmplifiedRing {
  int amplifiers = 0;
  Decibel osnr, margin;
};
std::optional<AmplifiedRing> amplified(const LinkBudget& budget, int hops, int wavelengths);

struct Verdict {
  int hops = 0;
  Decibel loss, margin, sure_margin;
  double bit_error_rate = 0;  // of the path as it is
  bool closes_passively = false, closes_amplified = false;
  int largest_hops = 0;                     // with confidence; may be kUnbounded
  int nominal_hops = 0;                     // of parts as they should be
  std::optional<AmplifiedRing> amplifiers;  // where it takes them and they do
  std::optional<int> regenerators;  // on a path of `hops`; 0: closes without; not set: no number of them would do
  Time added_delay;                 // by these regenerators, for a path ...
  Energy added_energy;              // ... and for each bit on it
  std::string sentence;             // all of this in words
};

// Zero hops are no lightpath: nothing is lost. `sure` is sure_hops, for those who know it.
Verdict judge(const LinkBudget& budget, int longest_hops, int wavelengths, std::optional<int> sure = {});
// For results, of a path of any fabric that is a ring; longest_path_hops first.
Facts facts_of(const Verdict& verdict);
std::vector<FactKind> fact_kinds_of_rings();
inline constexpr FactKind kLongestPathFact = {"longest_path_hops", "", "rings: segments of the longest lightpath"};
inline constexpr FactKind kLossFact = {"loss_db", "dB", "rings: along the longest lightpath"};
inline constexpr FactKind kClosesPassivelyFact = {"closes_passively", "",
                                                  "rings: whether light arrives without amplifiers or regenerators",
                                                  FactKind::Limit::kSmallest};
inline constexpr FactKind kClosesAmplifiedFact = {
    "closes_amplified", "", "rings: whether it arrives with amplifiers, if it takes them", FactKind::Limit::kSmallest};

// The largest N up to `most` whose longest path closes; 1 when two nodes do not, since one needs no light.
// Requires: `longest_path`, the hops at N nodes, does not fall with N. It is asked some 2 log₂(answer) times.
int largest_ring(const LinkBudget& budget, int wavelengths, const std::function<int(int nodes)>& longest_path,
                 int most);

}  // namespace helio::photonics
