// SPDX-License-Identifier: Apache-2.0
// What a user may say about an ODDL fabric: every parameter once, and the struct that they fill.
//
// Names and defaults: papers/oddl.md 2 and 4.1. Only the abstract of the paper is known, so all of them are ours, but for the rate
// and the 1024 nodes, which it names.
#pragma once

#include <cstdint>
#include <vector>

#include "base/catalogue.h"
#include "fabric/oddl/oddl_control.h"
#include "fabric/oddl/oddl_slice.h"
#include "flow/controller.h"
#include "photonics/amplified_path.h"

namespace helio::fabric {

struct OddlOptions {
  std::uint32_t nodes = 1024;  // the last group may have fewer than the others
  OddlGeometry geometry;       // of one transceiver: `planes` are those that each transceiver of a node reaches
  std::uint32_t trx = 1;       // transceivers of a node
  bool alternate = false;      // they take turns behind one port of `rate`; else a flow is spread over all of them
  bool tunable_receivers = false;
  bool hold = true;  // a circuit stays lit until another one needs its transmitter, receiver or light
  BitRate rate;      // of one transceiver
  Time tune, lock, guard, wss, latency, step_overhead;
  photonics::AmplifiedVerdict arrival;  // of the light
  OddlControlOptions control;
  flow::MessageChannel messages;

  Time dark() const { return tune + lock + guard; }
  // Before the first byte of any flow: the round trip of its request, and the dark time.
  Time setup() const { return (control.policy == OddlPolicy::kPlanned ? Time() : control.round_trip()) + dark(); }
  // Of a lone flow that is ready when a slot begins, where there are slots.
  Time lone_setup() const {
    if (control.mode != OddlControlMode::kSlotted || control.policy == OddlPolicy::kPlanned) return setup();
    const Time whole = control.slot * (control.round_trip() / control.slot);
    return (whole < control.round_trip() ? whole + control.slot : whole) + dark();
  }
  // Those that ask for receivers by themselves: nodes, or transceivers where these take turns.
  std::uint32_t askers_per_node() const { return alternate ? trx : 1; }
};

std::vector<Parameter> oddl_parameters();
// Throws Error(kInput) at its place for what contradicts itself, and Error(kInfeasible) when the light does not arrive.
OddlOptions oddl_options(const Parameters& parameters);

}  // namespace helio::fabric
