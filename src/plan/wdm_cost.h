// SPDX-License-Identifier: Apache-2.0
// What schedules cost on a WDM ring, in closed form: what the planner searches with. A test holds each formula to the engine.
//
// d bytes, N nodes, w wavelengths each way of B bytes per second, a retune, sigma per step, t per segment crossed. A step that
// moves b bytes on a stripe of s over h segments takes b/(sB) + sigma + h t, and a more when its lightpaths are new.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/catalogue.h"

namespace helio::plan {

struct WdmMachine {
  std::uint64_t nodes = 0;
  std::uint64_t wavelengths = 0;  // each way, on all fibres
  double rate = 0;                // bytes per second of one
  double retune = 0, overhead = 0, latency = 0;
  bool every_step = false;  // every step retunes
  bool tunes_ahead = false, multicasts = false;
  std::uint64_t drive = 0;  // wavelengths that a node may send, or hear, at once
};

// An algorithm with its settings, what it costs and how far its light must go.
struct Candidate {
  std::string algorithm;
  Settings settings;
  double seconds = 0;
  std::uint64_t steps = 0;
  bool exact = true;             // else `seconds` and `steps` are not above what the engine will say
  std::uint64_t hops = 0;        // of the longest lightpath of `circulant`; 0: only the schedule itself tells
  std::uint64_t least_hops = 0;  // that some lightpath has for certain
  std::string words() const;     // "circulant (radices 4x4x64)"
};

// Every chain of radices of the circulant schedule whose levels have wavelengths enough.
std::vector<Candidate> circulant_candidates(const WdmMachine& machine, double bytes);
// Every group size of WRHT, at stripe 1 and as wide as wavelengths and drive let it, with and without its shortcut;
// on rings that tune ahead or multicast also so.
std::vector<Candidate> wrht_candidates(const WdmMachine& machine, double bytes);
// Rings and the binary tree, at stripe 1 and as wide as they go; direct and recursive doubling on small rings.
std::vector<Candidate> plain_candidates(const WdmMachine& machine, double bytes);

}  // namespace helio::plan
