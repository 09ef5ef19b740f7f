// SPDX-License-Identifier: Apache-2.0
// Collectives as formulas (papers/oddl.md 2.5), in seconds, bytes and bits per second.
//
//     ring               setup + 2(N-1) (step + S/(N rate))                    circuits stay: one set-up
//     halving/doubling   2 sum_k (step + setup + S/(2^(k+1) rate_k))           k = 0 … log2 N - 1: every step a new permutation
//     2-D                halving/doubling over n with S, then a ring over N/n with S/n
#pragma once

#include <span>

namespace helio::studies::oddl_study {

// papers/oddl.md 2.3: request and grant over `fibre` metres, then tune, lock and guard.
struct SetUp {
  double fibre = 50, tune = 100e-9;
  double round_trip() const;
  double dark() const;
  double seconds() const { return round_trip() + dark(); }
};

double ring_cost(double bytes, int nodes, double rate, double step, double setup = 0);
// `rates` of its log2(nodes) steps, the largest half first.
double halving_cost(double bytes, std::span<const double> rates, double step, double setup = 0);
double halving_cost(double bytes, int nodes, double rate, double step, double setup = 0);
double two_level_cost(double bytes, int nodes, int group, double rate, double step, double setup);

// What SiP-Ring's dark time leaves of its rate: 25 us of each interval plus 25 us (3.1).
inline constexpr double kSipDark = 25e-6;
inline double sip_duty(double interval) { return interval / (interval + kSipDark); }

}  // namespace helio::studies::oddl_study
