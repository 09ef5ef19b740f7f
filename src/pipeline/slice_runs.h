// SPDX-License-Identifier: Apache-2.0
// Jobs that move bytes on the slices that ODDL's planner gave them, all of them in one flow program with the real control
// (papers/oddl.md 2.2, 7.8; ours).
//
//   events   admit            grow                      fail                 leave
//   job a    ├ wss ┤run run run run·├ wss ┤run run run run×├ wss ┤run run run run·
//   job b        ├ wss ┤run run run run run run run run run run run run run run run …    what happens to a does not touch it
//                                ▲ the running collective ends first    ▲ it is abandoned
//
// A stretch is a job on one slice: from the change of the WSS until the job grows, loses a node, leaves, or the story ends. In it
// the job repeats [compute, collective, WSS back to the first part where the run is in parts]. A collective that runs when the job
// grows or leaves ends first: its light is whole, and half a gradient is worth nothing. At a failure it is abandoned at once: the
// part of the dead node never comes; what it had sent until then is not in the program. Whoever gets nodes or light of a stretch
// that still ends its collective waits for that.
//
// How many runs there are is found by simulating until counts and times agree. At most `runs` of a stretch are simulated; the
// others are counted, at the mean pace of those, and the result says how many.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/catalogue.h"
#include "base/quantity.h"
#include "base/time.h"
#include "fabric/oddl/oddl_slice.h"
#include "schedule/request.h"

namespace helio::pipeline {

struct SliceStretch {
  std::uint32_t job = 0;  // of SliceQuestion::jobs
  schedule::Kind kind = schedule::Kind::kAllReduce;
  std::string algorithm;
  std::uint32_t group = 0;  // fabric::slice_schedule
  std::vector<NodeId> nodes;
  fabric::Slice slice;
  std::uint32_t parts = 1, changes_per_run = 0, wss_changes = 0;
  Bytes bytes;   // of one run
  Time compute;  // before each run
  Time at;       // the event that began it
  std::optional<Time> until;
  bool failed = false;  // at `until` a node is lost
};

struct SliceQuestion {
  std::vector<std::string> jobs;
  std::vector<SliceStretch> stretches;  // in the order in which they begin
  Settings fabric;                      // of fabric 'oddl'; the planner's geometry among them
  std::uint32_t runs = 20;              // simulated in a stretch at most; 0: all
  std::optional<Time> until;            // when all ends; none: stretches without an end have `runs` runs
  bool prove = false;                   // simulate again without each job, and compare the flows of the others
  bool record = false;                  // keep the flows
};

struct StretchRuns {
  Time lit, end;                          // the first run may begin; the last one has ended
  std::uint64_t runs = 0, simulated = 0;  // ended; of those, simulated
  bool abandoned = false;                 // one more was running when the node failed
  Time in_wss;                            // at its beginning and in its runs
};

struct JobRuns {
  std::uint64_t runs = 0, simulated = 0, abandoned = 0;
  Time mean, p50,
      p99;  // of all runs that ended, without compute: a counted one took what those after the first of its stretch did;
            // p by nearest rank
  Time in_wss;
  Bytes bytes;                         // of all runs that ended
  std::vector<StretchRuns> stretches;  // those of the job, in order
  std::uint64_t others = 0;  // prove: flows of other jobs, but for those that got its nodes or light after it,
  std::uint64_t beside = 0;  // how many of them run while simulated runs of this job do,
  std::uint64_t moved = 0;   // and how many of them begin or end at another time when this job is not there
};

// One flow: from when it is ready until its last byte has arrived.
struct SliceFlow {
  std::uint32_t job = 0, stretch = 0;      // of the job
  std::uint32_t where = 0, operation = 0;  // among what the stretch was lowered to
  Time start, end;
  friend auto operator<=>(const SliceFlow&, const SliceFlow&) = default;
};

struct SliceRuns {
  std::vector<JobRuns> jobs;
  Time end;
  std::uint64_t control_messages = 0;
  std::vector<SliceFlow> flows;  // in order
  std::vector<std::string> assumptions;
};

// Throws Error(kInput) for settings that the fabric does not take and where nothing says when to stop, Error(kInfeasible) for more
// flows than can be kept. `progress` is called now and then with the stage.
SliceRuns run_slices(const SliceQuestion& question, const std::function<void(std::string_view)>& progress = {});

}  // namespace helio::pipeline
