// SPDX-License-Identifier: Apache-2.0
// What is asked of the family: phases of jobs, known beforehand, and flows that nobody foresaw.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "pipeline/traced/flow_traffic.h"
#include "studies/asking.h"
#include "studies/optical_family/members.h"

namespace helio::studies::optical_family_study {

inline constexpr double kRate = 100e9;       // b/s that a node sends
inline constexpr double kIterations = 1000;  // of a job, which share what is set once for it

struct Phase {
  const char* kind;
  double bytes = 0;  // as `helio collective` counts them
};

// A job on the first nodes of a cluster. Who is set for the job has a network of just its nodes.
struct Job {
  int nodes = 0, cluster = 0;
};

// Flows drawn between nodes drawn evenly, as a Poisson process.
struct FlowsAsked {
  std::vector<std::pair<double, double>> sizes;  // as workload::FlowSizes
  int flows = 0, nodes = 0;
  double load = 0;
};

class FamilyRuns {
 public:
  explicit FamilyRuns(const pipeline::RunOptions& options) : runs_(options) {}

  // Seconds of an iteration of these phases, one after the other, by the build and the algorithms that are quickest; of what is set once for a
  // job its part. `change`: in place of the member's own.
  double seconds(const Member& member, const std::vector<Phase>& phases, const Job& job,
                 std::optional<double> change = {});
  double on_ideal_switch(const std::vector<Phase>& phases, const Job& job);
  // None: the member carries no flows at times of their own. Of several builds the one with the least mean flow time.
  std::optional<pipeline::FlowResult> flows(const Member& member, const FlowsAsked& asked,
                                            std::optional<double> change = {});

 private:
  double phase(const Build& build, const Words& settings, const Phase& phase, const Job& job);

  Runs runs_;
};

}  // namespace helio::studies::optical_family_study
