// SPDX-License-Identifier: Apache-2.0
// Stretches of jobs on ODDL's slices as one flow program, whose extents can be set again and again (slice_runs.h).
//
//   entry, for each stretch:    at ──▶ wss ──▶ runs ──▶ rest        at    until the event
//                                       ▲                           wss   the slice is set
//            rest of the same job's ────┤                           runs  [compute, collective, WSS back] × simulated
//            last stretch, and of those │                           rest  the runs that are only counted
//            whose light or nodes it gets
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "fabric/oddl/oddl.h"
#include "flow/program.h"
#include "pipeline/assembly.h"
#include "pipeline/slice_runs.h"
#include "simulate/timeline.h"

namespace helio::pipeline {

// How far a stretch goes in one attempt.
struct SliceExtent {
  std::uint64_t simulated = 0, extra = 0;  // runs
  Time rest;                               // what the extra ones take
  friend bool operator==(const SliceExtent&, const SliceExtent&) = default;
};

// What the engine said about a stretch.
struct SliceSeen {
  Time lit;
  std::vector<std::pair<Time, Time>> runs;  // collectives, without compute
};

struct SlicePlay {
  simulate::Timeline timeline;
  std::vector<SliceSeen> stretches;
};

class SliceProgram {
 public:
  static constexpr std::uint32_t kNobody = 0xffffffffu;

  // Lowers everything. Requires: the question outlives it. Throws as run_slices.
  explicit SliceProgram(const SliceQuestion& question);

  Time wss() const { return fabric_.wss(); }
  // From the end of a collective to the next run: the way back to the first part.
  Time back(const SliceStretch& stretch) const { return wss() * (stretch.changes_per_run + 1 - stretch.parts); }
  // What no run of the stretch is faster than; circuits that the run before left may be those that it begins with.
  double bound_s(const SliceStretch& stretch) const;
  // Stretches that could only begin when one of this job had ended: its own, and those that got nodes or light from it, at first,
  // second or third hand.
  std::vector<bool> heirs(std::uint32_t job) const;
  // The flows of a recorded play, in order.
  std::vector<SliceFlow> flows(const simulate::Timeline& timeline) const;

  // `without`: a job that is not there, or kNobody.
  SlicePlay play(const std::vector<SliceExtent>& extents, std::uint32_t without, bool record);

 private:
  // What a stretch was lowered to: templates [first, run), and `run`, which runs the collective once.
  struct Lowered {
    std::uint32_t first = 0, ordinal = 0;
    flow::TemplateId run;  // invalid: a job of one node, which moves nothing
    std::uint32_t collective = 0;
  };

  void add(const SliceStretch& stretch);
  flow::Template entry() const;
  void set(const std::vector<SliceExtent>& extents, std::uint32_t without);

  const SliceQuestion& question_;
  Assembly assembly_;
  const fabric::OddlFabric& fabric_;
  fabric::OddlCarrier& carrier_;
  flow::Program& program_;
  std::vector<Lowered> lowered_;
};

}  // namespace helio::pipeline
