// SPDX-License-Identifier: Apache-2.0
// ODDL under jobs that come and go (A6: "driven by real-world traces"): a cluster's log, or jobs generated with published statistics, on 1024
// nodes of 100 Gb/s. The same jobs on ODDL's slices, on fat-trees, on rings patched for each job and on SiP-Ring.
//
// A GPU of the log is kNodesPerGpu of our nodes: Philly's jobs of 1 to 8 GPUs become 4 to 32 nodes, which a network joins.
#pragma once

#include <string>
#include <vector>

#include "pipeline/traced/job_stream.h"

namespace helio::studies::oddl_study {

inline constexpr double kNodesPerGpu = 4;
inline constexpr int kGeneratedJobs = 5000;
inline constexpr double kGeneratedLoad = 0.7;

struct LoggedJobs {
  pipeline::JobStream stream;
  std::vector<pipeline::StreamResult> results;  // ODDL is the first

  const pipeline::StreamResult& oddl() const { return results.front(); }
  const pipeline::StreamResult& on(const std::string& name) const;  // Requires: there is one.
};

// `log`: a file; "": jobs are generated. Throws Error as workload::read_job_logs.
LoggedJobs run_logged_jobs(const std::string& log);

}  // namespace helio::studies::oddl_study
