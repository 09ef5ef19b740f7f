// SPDX-License-Identifier: Apache-2.0
// Times on a WDM ring as algebra (papers/wrht.md 2.4, 2.5, 2.7): steps times (payload of a step / B + a).
//
// N nodes, d bytes, B bytes per second of a wavelength, a the retune delay before every step. H-Ring has no schedule here: how it
// splits the payload is fitted, and N/m is a real number.
#pragma once

#include <cstdint>

#include "studies/wrht/runs.h"

namespace helio::studies::wrht_study {

// Steps of WRHT by counting levels: n_0 = N, n_(l+1) = ceil(n_l / m); 2l, or 2l+1 where r = n_l, l >= 1, have an all-to-all in
// ceil(floor(r²/4)/2) <= w wavelengths.
std::uint64_t wrht_theta(std::uint64_t nodes, std::uint64_t wavelengths, std::uint64_t group, bool shortcut);

// Hops of WRHT's longest lightpath, with the shortcut. After l levels r = n_l are alive, m^l apart; the last step, a group or an
// all-to-all, spans floor(r/2) of these gaps: near N/2 whatever m is (papers/wrht.md 2.6). Of two that are alive the gap is
// counted, since the second may lead a short group.
std::uint64_t wrht_longest_hops(std::uint64_t nodes, std::uint64_t wavelengths, std::uint64_t group);

double wrht_seconds(std::uint64_t theta, double bytes, double rate);
double ring_seconds(std::uint64_t nodes, double bytes, double rate);
double binary_tree_seconds(std::uint64_t nodes, double bytes, double rate);

// 4(m-1) steps of d/m, then 2(N/m-1) of d m/N; m = 5. Where not every step retunes, 3 do: its rings in groups, between groups
// and in groups again each keep their lightpaths.
double h_ring_seconds(std::uint64_t nodes, double bytes, double rate, bool every_step = true);

// Recursive doubling in sub-rounds: round k loads every segment with 2^k lightpaths. Requires: nodes a power of two.
double doubling_seconds(std::uint64_t nodes, std::uint64_t wavelengths, double bytes, double rate);

}  // namespace helio::studies::wrht_study
