// SPDX-License-Identifier: Apache-2.0
// Jobs of a cluster's log, or generated ones, on several fabrics at the same rate per node (pipeline/traced/job_stream.h, docs/job-logs.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ask/front_end.h"
#include "pipeline/traced/job_stream.h"

namespace helio::ask {

struct JobsQuestion {
  std::vector<std::string> log = {};         // files; none: `generate`
  std::optional<std::string> generate = {};  // so many jobs
  std::optional<std::string> columns = {};   // of the log: workload::log_columns(); none: by its names
  std::vector<std::string> fabric = {};      // ask/fabric_words.h, and "patch-panel:setup=60s"; none: kUsualFabrics
  std::optional<std::string> rate = {};      // of a node; 100 Gb/s
  std::optional<std::string> nodes = {}, nodes_per_gpu = {}, jobs = {}, load = {}, seed = {}, queue = {},
                             placement = {};
  Naming called = as_it_is;
};

// What a log is compared on when nothing is said: ODDL; fat-trees that lose nothing and that are oversubscribed; rings that are patched once
// for each job; SiP-ML's ring.
const std::vector<std::string>& usual_job_fabrics();

// Throws Error at what is wrong: kUsage for neither or both of log and generate, else as workload::read_job_logs and
// pipeline::compare_streams do.
pipeline::StreamComparison job_stream(const JobsQuestion& question, const Watch& watch = {});

}  // namespace helio::ask
