// SPDX-License-Identifier: Apache-2.0
// Jobs arrive, grow, lose nodes and leave; each gets a slice of ODDL's light of its own (papers/oddl.md 2.2).
//
//   admit ──▶ nodes: untouched groups first, then the groups with most room
//         ──▶ channels: first fit on one plane
//                └─▶ two-level instead of halving-doubling ─▶ more planes ─▶ the run split by WSS changes ─▶ no, and why
//
// Invariants: a light (source group, plane, channel) belongs to one job at most; no operation changes a light or a node of another
// job; what is refused changes nothing; when the last job has left all is dark.
//
// Isolation is physical where no other job has a node in the job's groups. Otherwise the transmitters of two jobs meet on one
// fibre and only their channel masks keep them from each other's destinations: "masked". It may change when others come and go.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "fabric/oddl/oddl_slice_fit.h"

namespace helio::fabric {

using JobId = Id<struct OddlJobTag>;

struct JobRequest {
  std::string name;
  std::uint32_t wanted = 0;             // nodes; not needed where they are named:
  std::vector<NodeId> nodes;            // in the order of their positions
  std::string algorithm = "two-level";  // of schedule::algorithms()
  schedule::Kind kind = schedule::Kind::kAllReduce;
};

enum class Isolation : std::uint8_t { kPhysical, kMasked };
std::string_view name_of(Isolation isolation);

// What became of an operation on a job.
struct SliceReport {
  JobId job;
  bool runs = false;  // the job has a slice now
  bool done =
      false;  // what was asked happened; if not, `reason` says why and nothing changed, unless the job had to stop
  std::string reason;
  std::string algorithm;    // the one that fits
  std::uint32_t group = 0;  // its parameter of that name (slice_schedule); 0: it is not set
  std::vector<NodeId> nodes;
  std::uint32_t channels = 0;  // lit at once on the busiest group fibre, over all planes
  std::uint32_t planes = 0;
  std::uint32_t parts = 1;  // > 1: so many WSS settings in turn in each run
  Isolation isolation = Isolation::kPhysical;
  std::uint32_t wss_changes = 0;  // made by this operation
  Time wss_time;                  // what they take; other jobs go on
  std::uint32_t wss_changes_per_run = 0;
  Time wss_time_per_run;
  double fragmented = 0;  // free nodes in groups that are partly in use, as a part of all nodes of the fabric
  std::vector<std::string> attempts;  // what did not fit, in order
};

class SlicePlanner {
 public:
  // Throws Error(kInput) for a geometry that is none and for a negative time.
  explicit SlicePlanner(const OddlGeometry& geometry, const SliceOptions& options = {});

  const OddlGeometry& geometry() const { return geometry_; }
  std::vector<JobId> jobs() const;
  // Requires of these: the job runs.
  const Slice& slice(JobId job) const { return jobs_.at(job).slice; }
  const std::vector<NodeId>& nodes(JobId job) const { return jobs_.at(job).nodes; }
  Isolation isolation(JobId job) const;
  // Whose light it is; invalid: dark.
  JobId holder(std::uint32_t group, std::uint32_t plane, std::uint32_t channel) const {
    return holder_[geometry_.light(group, plane, channel)];
  }
  double fragmented() const;
  std::uint32_t free_nodes() const;

  // Throws Error(kInput) for named nodes that do not exist, repeat, failed or belong to another job and for an unknown algorithm;
  // Error(kInfeasible) for a job larger than the fabric. That it does not fit now is an answer, not an error.
  SliceReport admit(const JobRequest& request);
  // Adds `more` nodes. Throws Error(kInput) for a job that does not run.
  SliceReport grow(JobId job, std::uint32_t more);
  // The node is lost for good. Its job gets a free node in its place, or goes on with one less, or stops.
  // Throws Error(kInput) for a node that does not exist or failed before.
  SliceReport fail(NodeId node);
  // Throws Error(kInput) for a job that does not run.
  void leave(JobId job);

 private:
  struct Job {
    JobRequest request;
    std::vector<NodeId> nodes;
    Slice slice;
  };

  std::vector<std::uint32_t> free_in_groups() const;
  std::vector<NodeId> place(std::uint32_t count, const std::vector<NodeId>& beside) const;
  bool settle(JobId id, const JobRequest& request, std::vector<NodeId> nodes, SliceReport& report);
  void release(JobId id);
  Job& running(JobId id);

  OddlGeometry geometry_;
  SliceOptions options_;
  std::vector<JobId> holder_;  // by light
  std::vector<JobId> owner_;   // by node
  std::vector<bool> failed_;   // by node
  std::map<JobId, Job> jobs_;
  std::uint32_t next_ = 0;
};

}  // namespace helio::fabric
