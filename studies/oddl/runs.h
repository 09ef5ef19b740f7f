// SPDX-License-Identifier: Apache-2.0
// The questions of the study.
#pragma once

#include <string>

#include "studies/asking.h"

namespace helio::studies::oddl_study {

// VGG19 in FP32 on 1024 nodes of 100 Gb/s (papers/oddl.md 4.3, 5).
inline constexpr int kNodes = 1024;
inline constexpr double kRate = 100e9;                // b/s
inline constexpr double kGradient = 4.0 * 143667240;  // bytes

std::string in_seconds(double seconds);  // "1e-06 s"
std::string in_bits_per_second(double rate);

// The networks of the comparison. Nothing takes time but bytes, steps, and what is dark.
Question on_oddl(const std::string& algorithm, double step);
Question on_switch(double rate, double step);        // a tree that loses a share of its rate, told by rate alone
Question on_tree(double step, int seed = 1);         // k = 16, ECMP, ranks in host order
Question on_sip_ring(double interval, double step);  // 4 wavelengths of 25 Gb/s; interval 0: no dark time

}  // namespace helio::studies::oddl_study
