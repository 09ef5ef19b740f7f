// SPDX-License-Identifier: Apache-2.0
// At which value of a parameter somebody else wins: looked for on both sides of the value that was asked, by real runs of the two.
//
//      rival │ winner … winner │ winner … │ rival            steps of kSwitchingStep away from what was asked, as far as kSwitchingFar;
//            ▲        ▲ asked             ▲                 between the last step and the one before it by bisection
//
// Nearest first: what lies beyond the first change is not looked at.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/compared/comparison.h"

namespace helio::plan {

inline constexpr double kSwitchingNear = 1.02;  // a value is found to so much
inline constexpr double kSwitchingStep = 4, kSwitchingFar = 64;

// Whether the winner is still ahead of the rival at a value; none: neither can.
using StillAhead = std::function<std::optional<bool>(double value)>;

// Between two values of which one is ahead of the other at the low one and not at the high one. `whole`: only multiples of it; 0: any.
double change_between(double low, double high, const StillAhead& ahead_at_low, double whole = 0);

struct Sought {
  std::string parameter;
  double at = 0;     // what was asked, above 0
  double whole = 0;  // only multiples of it; 0: any
  std::string winner, rival;
  std::function<std::string(double)> in_words;  // of a value
};
// Adds to `switching` what was found, and to `steady` what was not.
void seek_switches(const Sought& sought, const StillAhead& ahead, std::vector<pipeline::Switching>& switching,
                   std::vector<std::string>& steady);

}  // namespace helio::plan
