// SPDX-License-Identifier: Apache-2.0
// How a job's collective fits into the light that others left: one way after the other (papers/oddl.md 2.2).
//
//   as asked, on one plane ─▶ two-level instead of halving-doubling ─▶ more planes ─▶ in parts ─▶ no, with every reason
//
// In parts: a WSS changes between two steps of the collective, so that each part needs fewer channels. A run of k parts makes k
// changes, the last one back to the first part; one less where the setting of the first has all light of the last.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "fabric/oddl/oddl_slice.h"

namespace helio::fabric {

struct SliceOptions {
  Time wss = Time::milliseconds(50);  // one change of a WSS; LCoS: 1 to 500 ms (papers/oddl.md 4.2, recalled)
  bool two_level = true;              // may take the place of halving-doubling
  bool more_planes = true;            // may use more than one, where the geometry has them
  bool split = true;                  // may change the WSS inside a run
};

struct SliceWay {
  std::string algorithm;
  std::uint32_t group = 0;  // the algorithm's parameter of that name; 0: it is not set
  Slice slice;
  std::uint32_t channels = 0;  // lit at once on the busiest group fibre, over all planes
  std::uint32_t planes = 0;
  std::uint32_t parts = 1;
  std::uint32_t changes_per_run = 0;
};

// What a slice is planned for: the schedule by the name and the group of a SliceWay.
schedule::Schedule slice_schedule(std::string_view algorithm, schedule::Kind kind, std::size_t ranks,
                                  std::uint32_t group);

// `nodes[p]` is the node of position p; `taken` says which lights belong to others. What did not fit goes into `attempts`.
// Throws Error(kInput) for an unknown algorithm, and Error(kInfeasible) for one that lacks the kind.
std::optional<SliceWay> fit_collective(const OddlGeometry& geometry, const SliceOptions& options,
                                       std::string_view algorithm, schedule::Kind kind, std::span<const NodeId> nodes,
                                       const std::function<bool(std::uint32_t light)>& taken,
                                       std::vector<std::string>& attempts);

}  // namespace helio::fabric
