// SPDX-License-Identifier: Apache-2.0
// Who belongs to the family (papers/oddl.md 8.2).
//
//       who decides   receivers │                                                 ODDL          PULSE
//                       central │                      SiP-ML ring, switches
//                       planner │          TopoOpt
//                        nobody │ mesh                                                          RotorNet, Sirius
//                               └────────────────────────────────────────────────────────────────────────────────
//                                 never    per job     per phase                  per flow      per slot
//
// Each is a handful of settings of a fabric that is there anyway. A member that may be built in more than one way (TopoOpt chooses a topology
// for each job, RotorNet's traffic goes directly or over two hops) has several builds and takes the one that is quicker for the job.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "studies/asking.h"

namespace helio::studies::optical_family_study {

enum class When : std::uint8_t { kNever, kPerJob, kPerPhase, kPerFlow, kPerSlot };
enum class Who : std::uint8_t { kNobody, kPlanner, kCentral, kReceivers };
const char* name_of(When when);
const char* name_of(Who who);

struct Build {
  const char* fabric;
  Words settings = {};  // but for nodes, rate, and what follows the time that a path takes to change
  int lights = 1;       // that a node sends with at once, each with its part of the rate; 0: one for each other node
  std::vector<const char*> all_reduces;  // algorithms that suit it
  bool flows = true;                     // carries flows at times of their own
};

struct Member {
  const char* name;
  When when;
  Who who;
  double change = 0;  // seconds that a path takes to change; 0: it never does
  std::vector<Build> builds;
  const char* words;        // what it is here
  const char* change_from;  // where `change` is from
  bool recalled = false;    // it is from memory
  const char* published;    // what its authors say of it
};

// From those whose paths change least and are decided most simply.
const std::vector<Member>& members();
const Member& member(const std::string& name);  // Requires: there is one.

// The settings of a build on so many nodes of `rate` each, where a path takes so long to change.
Words settings_of(const Member& member, const Build& build, int nodes, double rate, double change);

// Share of a slot that is dark, of those who have slots.
inline constexpr double kDarkShare = 0.1;

}  // namespace helio::studies::optical_family_study
