// SPDX-License-Identifier: Apache-2.0
// What the slice planner answers to a file of events, one after the other, and the stretches that jobs run on their slices.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fabric/oddl/oddl_slice_planner.h"
#include "pipeline/slice_runs.h"
#include "slice_events.h"

namespace helio::apps {

// What one event came to.
struct Outcome {
  fabric::SliceReport report;
  std::string job;  // its name; "": no job is concerned
  std::uint32_t free_nodes = 0;
  std::vector<std::pair<std::string, fabric::Isolation>> isolation_changed;  // other jobs, and what they have now
};

class SliceStory {
 public:
  // Throws Error(kInput) at its place for a geometry that is none.
  explicit SliceStory(const SliceEvents& events);

  std::vector<std::string> running() const;
  // What has run so far, or does: who and on which slice.
  const std::vector<std::string>& jobs() const { return names_; }
  const std::vector<pipeline::SliceStretch>& stretches() const { return stretches_; }

  // Throws Error at the event's place: kInput for what cannot be, kInfeasible for a job larger than the fabric and for a refused
  // event that must happen.
  Outcome tell(const SliceEvent& event);

 private:
  std::string name_of_job(fabric::JobId id) const;
  Outcome happen(const SliceEvent& event);
  Outcome admit(const SliceEvent& event);
  Outcome fail(const SliceEvent& event);
  std::map<std::string, fabric::Isolation> isolations() const;
  void begin_stretch(const SliceEvent& event, const Outcome& outcome);
  void end_stretch(const std::string& name, Time at, bool failed);

  fabric::SlicePlanner planner_;
  std::map<std::string, std::optional<fabric::JobId>> jobs_;  // none: refused, or had to stop
  std::map<std::string, SliceEvent> admitted_;                // how each was asked for last
  std::vector<std::string> names_;
  std::vector<pipeline::SliceStretch> stretches_;
};

}  // namespace helio::apps
