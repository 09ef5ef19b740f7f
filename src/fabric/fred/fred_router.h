// SPDX-License-Identifier: Apache-2.0
// Routing concurrent flows through a Fred_m(P): the setting of every micro-switch, or the proof that there is none
// (arXiv 2406.19580, section 5; spec papers/fred.md, 2.3).
//
// A flow adds up what enters at its input ports and copies the sum to its output ports. The sets are independent: one to one is
// a unicast, many to one a reduce, one to many a multicast, a set to itself an all-reduce. Ports belong to one flow.
//
//   flows on Fred_2(8), as colours of middle switches     conflict graph of {0,2}, {1,4}, {3,5}, {6,7}
//
//   ports  0 1 │ 2 3 │ 4 5 │ 6 7                              a ── b      a and b share edge element 0,
//   flow   a b │ a c │ b c │ d d                               ╲  ╱       a and c element 1, b and c element 2:
//                                                               c    d    a triangle needs three middle switches
//
// One flow, one middle switch: an R sends each input to one place, so no flow is split before the middle, and a D cannot add, so
// what is split there never joins. Hence a colour per flow, different for flows that share an edge element, is not one way to
// route but the only one; and so again in each middle switch, where the flow's ports are port / 2. The router therefore
// decides: a refusal is a proof that no setting of the switch carries these flows at once, whatever finds it.
//
// Colours of one level may suit it and yet leave a middle switch with flows that do not fit there. That set of flows, made
// as small as it gets, then counts as one more constraint of the level above (all its middle switches are alike), which is coloured again;
// this ends because there are finitely many sets. m flows or fewer always fit: one middle switch each.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "fabric/fred/fred_obstacle.h"
#include "fabric/fred/fred_switch.h"

namespace helio::fabric {

// One micro-switch. `lane` of
//   R, demux   input i: the output that it goes to
//   D, mux     output i: the input that it takes
//   RD         output i: the inputs that it adds, as bits: 1 upper, 2 lower, 3 both
struct MicroSetting {
  static constexpr std::uint32_t kIdle = 0xffffffffu;  // none
  std::array<std::uint32_t, 2> lane{kIdle, kIdle};
  friend bool operator==(const MicroSetting&, const MicroSetting&) = default;
};

struct FredConfiguration {
  std::vector<MicroSetting> settings;               // of every micro-switch, by number
  std::vector<std::vector<std::uint32_t>> colours;  // of every flow: its middle switch at level 0, 1, …
  std::uint64_t tried = 0;                          // choices of a colour made
};

struct FredBlocked {
  bool proven = true;                // false: the work limit came first, and nothing is known
  std::vector<Obstacle> proof;       // the last is the switch's own; each uses only earlier ones. Empty when not proven
  std::vector<std::uint32_t> flows;  // those of the last: without any one of them this obstacle would be gone
  std::string reason;
  std::uint64_t tried = 0;
};

using FredRouting = std::variant<FredConfiguration, FredBlocked>;

struct RouteOptions {
  std::uint64_t work_limit = 20'000'000;  // choices of a colour
};

// Throws Error(kInput) when a flow has no input or no output, names a port that is not there or names it twice, or when
// two flows name the same input or the same output.
void check_flows(std::uint32_t ports, std::span<const Flow> flows);

// Throws as check_flows.
FredRouting route(const FredSwitch& fred, std::span<const Flow> flows, const RouteOptions& options = {});

}  // namespace helio::fabric
