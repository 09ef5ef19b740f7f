// SPDX-License-Identifier: Apache-2.0
// The networks that several chapters speak of: the reported layers, the constructed ones of papers/optinc.md 2.5, the sturdiest of
// ours, and what a search finds.
#pragma once

#include <string>
#include <vector>

#include "photonics/onn_search.h"

namespace helio::studies::optinc_study {

// [secondary]; that they belong to N = 4, B = 8 is ours.
inline const std::vector<int> kReportedLayers = {4, 64, 128, 256, 128, 64, 4};
inline constexpr int kLayers = 6;

inline constexpr auto kRelu = photonics::ActivationKind::kRelu;
inline constexpr auto kSaturating = photonics::ActivationKind::kSaturating;
inline constexpr auto kLsb = photonics::Direction::kLsb;
inline constexpr auto kMsb = photonics::Direction::kMsb;

// 8-bit codes, PAM4, half-up. Steps of ReLU pairs have slope 1 there unless said, saturating ones 2 or 4.
photonics::Onn constructed(photonics::Direction direction, photonics::ActivationKind activation, double slope,
                           int servers = 4);

// Carries from below, every wire made anew by saturating steps in every layer: noise never adds up. Four servers. The cheapest of four
// regenerated networks that were tried (lsb, msb, each with thermometer inputs or without, slope 4), which tolerate noise alike.
photonics::Onn sturdiest();

// The family of photonics/onn_search.h for four servers, each member proven on all 28,561 points. Cheapest first; made once.
const std::vector<photonics::Candidate>& searched();

}  // namespace helio::studies::optinc_study
