// SPDX-License-Identifier: Apache-2.0
// The chapters of the study, in the order in which they are printed.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "studies/catalogue.h"
#include "studies/joined_wafers/runs.h"

namespace helio::studies::one_system_study {

// Injections at which every machine is asked, bits per second of a wafer.
inline constexpr double kRates[] = {0.32e12, 1.28e12, kInjection};

// Seconds of an iteration, each beside what no schedule can beat.
Rows iterations(Runs& runs);
// From which injection on the network between wafers holds nothing up any more, and from which on the wafer decides.
Rows crossings(Runs& runs);

std::vector<report::Chart> charts(Runs& runs);
std::vector<report::Figure> pictures(Runs& runs);
std::vector<std::string> reasons(Runs& runs);

// The least injection at which `holds`, to 2 %, found by bisection; `guess` is where it is looked for first. Requires: what holds at one
// injection holds at every larger one.
struct Bracket {
  double without = 0, with = 0;  // bits per second: the largest known not to, the least known to
};
template <class Holds>
Bracket least_injection(double guess, const Holds& holds) {
  constexpr double kStride = 1.3, kNear = 1.02;
  Bracket found{guess, guess};
  if (holds(guess))
    while (holds(found.without /= kStride)) found.with = found.without;
  else
    while (!holds(found.with *= kStride)) found.without = found.with;
  while (found.with > kNear * found.without) {
    const double middle = std::sqrt(found.with * found.without);
    (holds(middle) ? found.with : found.without) = middle;
  }
  return found;
}

// A network suffices when an iteration takes at most so much of what it takes behind a fat-tree with all the injection one could wish for.
inline constexpr double kSuffices = 1.01;
inline constexpr double kPlenty = 1e15;
double sufficient_seconds(Runs& runs, const System& system, const Model& model);
Bracket sufficient(Runs& runs, const System& system, const Model& model);
// Where the first becomes faster than the second.
Bracket overtaking(Runs& runs, const System& first, const System& second, const Model& model);

}  // namespace helio::studies::one_system_study
