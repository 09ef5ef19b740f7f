// SPDX-License-Identifier: Apache-2.0
// A file of what happens to the jobs on an ODDL fabric, in order (docs/oddl-slices.md).
//
//     [fabric]                  [[event]]                 [[event]]             [[event]]        [[event]]
//     groups = 4                admit = "vision"          grow = "vision"       fail = 3         leave = "vision"
//     nodes_per_group = 8       nodes = 16  # or a list   more = 4              at = "10 s"
//     rate = "100 Gb/s"         bytes = "100 MB"
//
// Invariant of what is returned: every event has one verb and only that verb's keys, times are not negative and do not run
// backwards. Whether nodes and jobs exist is judged by the planner, at the places kept here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/catalogue.h"
#include "base/quantity.h"
#include "base/time.h"
#include "fabric/oddl/oddl_slice_planner.h"

namespace helio::pipeline {

enum class SliceVerb : std::uint8_t { kAdmit, kGrow, kFail, kLeave };
std::string_view name_of(SliceVerb verb);

struct SliceEvent {
  SliceVerb verb = SliceVerb::kAdmit;
  std::string place;           // of the verb: file:line:column
  std::string detail;          // place of the nodes or of `more`; of the verb where there is none
  fabric::JobRequest request;  // admit; its name for grow and leave
  std::uint32_t more = 0;      // grow
  NodeId node;                 // fail
  bool must = false;           // a refusal is an error
  Time at;
  std::optional<Bytes> bytes;  // admit: of one run
  Time compute;                // admit: before each run
};

struct SliceEvents {
  std::string source;
  fabric::OddlGeometry geometry;
  fabric::SliceOptions options;
  std::string fabric_place;
  Settings fabric;            // of fabric 'oddl', with the geometry
  std::uint32_t runs = 20;    // of a stretch that are simulated at most; 0: all
  std::optional<Time> until;  // the end of all
  std::vector<SliceEvent> events;
};

// Throws Error(kInput) with file:line:column.
SliceEvents parse_slice_events(std::string_view text, const std::string& source);
SliceEvents read_slice_events(const std::string& path);

}  // namespace helio::pipeline
