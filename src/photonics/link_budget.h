// SPDX-License-Identifier: Apache-2.0
// The link budget of a lightpath on a WDM ring: does its light arrive?
//
//   laser ─▷ modulator ─▷ coupler ─▷ ─┬─ ─ ─┬─ ─ ─┬─ ▷ coupler ─▷ drop filter ─▷ receiver
//                                   ○○○○  ○○○○  ○○○○
//                                   node  node  node      one hop: the rings of a node, and the way to the next
//
//   loss   = modulator + 2 couplers + drop + hops · (rings passed per node · through loss + waveguide or fibre loss)
//   margin = laser − loss − crosstalk penalty − other margin − receiver sensitivity          closes when ≥ 0
//   h_max  = ⌊(laser − sensitivity − all that does not depend on hops) / loss per hop⌋
//
// This is the form of the WRHT spec, 2.6, which follows from the geometry; WRHT's own equation and constants are not
// known to us. A path of more than h_max hops closes with regenerators, which receive, retime and send again:
// ⌈hops / h_max⌉ − 1 of them cut it into pieces that close.
//
// Every default is a generic literature value and leans towards closing, so that a "no" can be relied on. Citations
// stand in budget_parameters.cpp, and docs/photonics.md says how sure we are of each.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "base/fact.h"
#include "base/quantity.h"
#include "base/time.h"

namespace helio::photonics {

inline constexpr FactKind kMarginFact = {"margin_db", "dB", "of the received power over what is needed",
                                         FactKind::Limit::kSmallest};
inline constexpr FactKind kLinkBudgetFact = {"link_budget", "", "the budget of the worst lightpath in words"};

enum class CrosstalkModel {
  kGiven,  // the penalty is a parameter
  kEye,    // the worst eye of all other wavelengths (bit_error.h)
  kNoise,  // the same light as noise against the SNR that the target BER needs
};

struct LinkBudget {
  Power laser{10e-3};                 // per wavelength, before the modulator: 10 dBm
  Decibel modulator_loss{2};          // insertion loss
  Decibel coupler_loss{1};            // each of two per path
  Decibel drop_loss{1};               // of the filter before the receiver
  Decibel through_loss{0.005};        // of a ring that is tuned to another wavelength
  std::optional<int> rings_per_node;  // passed in each hop; not set: one for each wavelength
  Decibel hop_loss{0.002};            // waveguide or fibre between two nodes
  Power sensitivity{10e-6};           // what the receiver needs for the target BER: -20 dBm
  CrosstalkModel crosstalk_model = CrosstalkModel::kGiven;
  Decibel crosstalk_penalty{1};       // kGiven
  Decibel crosstalk_suppression{40};  // kEye, kNoise: of every other wavelength, on average
  double target_ber = 1e-9;           // kNoise
  Decibel other_margin{0};            // ageing, temperature, dispersion, repair
  Time regenerator_delay = Time::nanoseconds(10);
  Energy regenerator_energy{3e-12};  // per bit
};

inline constexpr int kUnbounded = std::numeric_limits<int>::max();

// What the ends of a path cost, one hop, and a whole path. Requires here and below: hops ≥ 0, wavelengths ≥ 1.
Decibel end_loss(const LinkBudget& budget);
Decibel loss_per_hop(const LinkBudget& budget, int wavelengths);
Decibel loss(const LinkBudget& budget, int hops, int wavelengths);
// Crosstalk and other margin; infinite when crosstalk drowns the signal at any power.
Decibel penalties(const LinkBudget& budget, int wavelengths);
// What is left above the sensitivity; negative: what is missing.
Decibel margin(const LinkBudget& budget, int hops, int wavelengths);

bool closes(const LinkBudget& budget, int hops, int wavelengths);
// h_max: 0 when not even one hop closes, kUnbounded when hops cost nothing.
int largest_hops(const LinkBudget& budget, int wavelengths);

struct Verdict {
  int hops = 0;
  Decibel loss, margin;
  bool closes_passively = false;
  int largest_hops = 0;             // may be kUnbounded
  std::optional<int> regenerators;  // on a path of `hops`; 0: closes without; not set: no number of them would do
  Time added_delay;                 // by these regenerators, for a path ...
  Energy added_energy;              // ... and for each bit on it
  std::string sentence;             // all of this in words
};

// Zero hops are no lightpath: nothing is lost.
Verdict judge(const LinkBudget& budget, int longest_hops, int wavelengths);

// The largest N up to `most` whose longest path closes; 1 when two nodes do not, since one needs no light.
// Requires: `longest_path`, the hops at N nodes, does not fall with N. It is asked some 2 log₂(answer) times.
int largest_ring(const LinkBudget& budget, int wavelengths, const std::function<int(int nodes)>& longest_path,
                 int most);

}  // namespace helio::photonics
