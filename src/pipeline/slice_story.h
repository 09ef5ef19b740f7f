// SPDX-License-Identifier: Apache-2.0
// What the slice planner answers to events, one after the other, and the stretches that jobs run on their slices.
//
//     SliceEvents ─▶ tell ─▶ an outcome for each, who ran where ─▶ run_slices (slice_runs.h): how they ran
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fabric/oddl/oddl_slice_planner.h"
#include "pipeline/slice_events.h"
#include "pipeline/slice_runs.h"

namespace helio::pipeline {

// What one event came to.
struct SliceOutcome {
  fabric::SliceReport report;
  std::string job;  // its name; "": no job is concerned
  std::uint32_t free_nodes = 0;
  std::vector<std::pair<std::string, fabric::Isolation>> isolation_changed;  // other jobs, and what they have now
  bool lit = false;                                                          // a stretch begins with it
};

// A whole story.
struct SliceTold {
  SliceEvents events;
  std::vector<SliceOutcome> outcomes;  // of each event
  std::vector<std::string> running;    // at the end
  SliceQuestion question;              // who ran where and when
  std::optional<SliceRuns> runs = {};  // how, where that was asked
};

class SliceStory {
 public:
  // Throws Error(kInput) at its place for a geometry that is none.
  explicit SliceStory(const SliceEvents& events);

  std::vector<std::string> running() const;
  // What has run so far, or does: who and on which slice.
  const std::vector<std::string>& jobs() const { return names_; }
  const std::vector<SliceStretch>& stretches() const { return stretches_; }

  // Throws Error at the event's place: kInput for what cannot be, kInfeasible for a job larger than the fabric and for a refused
  // event that must happen.
  SliceOutcome tell(const SliceEvent& event);

 private:
  std::string name_of_job(fabric::JobId id) const;
  SliceOutcome happen(const SliceEvent& event);
  SliceOutcome admit(const SliceEvent& event);
  SliceOutcome fail(const SliceEvent& event);
  std::map<std::string, fabric::Isolation> isolations() const;
  void begin_stretch(const SliceEvent& event, const SliceOutcome& outcome);
  void end_stretch(const std::string& name, Time at, bool failed);

  fabric::SlicePlanner planner_;
  std::map<std::string, std::optional<fabric::JobId>> jobs_;  // none: refused, or had to stop
  std::map<std::string, SliceEvent> admitted_;                // how each was asked for last
  std::vector<std::string> names_;
  std::vector<SliceStretch> stretches_;
};

// The stretches of a job as they were asked for, in order.
std::vector<const SliceStretch*> stretches_of(const SliceQuestion& question, std::size_t job);

// Tells all of them, as SliceStory does.
SliceTold tell(SliceEvents events);

}  // namespace helio::pipeline
