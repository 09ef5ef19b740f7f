// SPDX-License-Identifier: Apache-2.0
// A configured Fred_m(P) on real numbers: vectors enter at the ports, pass micro-switch by micro-switch over wires, are added
// and copied where the settings say so, and leave. Nothing here knows about flows, colours or recursion: only elements,
// wires and settings. That makes it the proof that a routing is right.
//
//        e₀ ─┤  ├─ e₀+e₁ ─┤  ├─ e₀+e₁        The switch is linear: what it does to the unit vectors e₀ … e_{P−1}, one per port, is
//        e₁ ─┤ R├         │RD│               its matrix, and so what it does to all vectors. `check_collective` compares the
//        e₂ ─┤demux├ e₂ ──┤  ├─ …            matrix with that of the flows: P² numbers, all 0 or 1, exactly.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fabric/fred/fred_router.h"
#include "fabric/fred/fred_switch.h"

namespace helio::fabric {

using PortVector = std::vector<double>;  // empty: nothing on this port or wire

// What was at work in a configured switch while something passed.
struct FredActivity {
  std::uint64_t adders = 0;   // elements that added two vectors
  std::uint64_t copiers = 0;  // elements that sent one vector out twice
  std::uint64_t crossed = 0;  // elements that something passed
  friend bool operator==(const FredActivity&, const FredActivity&) = default;
};

struct FredPassage {
  std::vector<PortVector> wires;  // what was on each wire
  FredActivity activity;
};

// Requires: a vector (or nothing) per port, all of one length; as many settings as micro-switches.
// Throws std::logic_error at a setting that its micro-switch does not have.
FredPassage simulate(const FredSwitch& fred, std::span<const MicroSetting> settings,
                     std::span<const PortVector> inputs);

// Of a passage, what left at each port.
std::vector<PortVector> outputs(const FredSwitch& fred, const FredPassage& passage);

// The mathematical collective: at each output of a flow the sum of its inputs, nothing anywhere else.
std::vector<PortVector> expected_outputs(std::uint32_t ports, std::span<const Flow> flows,
                                         std::span<const PortVector> inputs);

struct FredCheck {
  bool verified = false;
  std::string failure;  // "" when verified; else the first port that is wrong and what it got
  FredActivity activity;
};

// For all vectors: pushes a unit vector into every port, also into those that no flow uses.
FredCheck check_collective(const FredSwitch& fred, std::span<const MicroSetting> settings, std::span<const Flow> flows);

// For drawings: the flow on each wire, kNoFlow where there is none. Requires: check_collective passed.
inline constexpr std::uint32_t kNoFlow = 0xffffffffu;
std::vector<std::uint32_t> flows_on_wires(const FredSwitch& fred, std::span<const MicroSetting> settings,
                                          std::span<const Flow> flows);

}  // namespace helio::fabric
