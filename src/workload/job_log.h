// SPDX-License-Identifier: Apache-2.0
// Logs of clusters, in the columns in which they were published: when a job came, how many GPUs it had, how long it ran (docs/job-logs.md).
//
//     plain      arrival_s,gpus,duration_s[,virtual_cluster][,model]                       ours
//     philly     cluster_job_log, JSON: submitted_time, attempts[].detail[].gpus           Jeon et al., USENIX ATC 2019
//     helios     cluster_log.csv: submit_time, gpu_num, start_time, end_time, vc           Hu et al., SC 2021
//     acme       trace_*.csv: submit_time, gpu_num, start_time, end_time, gpu_time         Hu et al., NSDI 2024
//     pai-task   pai_task_table: job_name, inst_num, plan_gpu (percent), …                 Weng et al., NSDI 2022
//     pai-job    pai_job_table: job_name, start_time: when the tasks' jobs were submitted
//     openb      openb_pod_list_*.csv: num_gpu, gpu_milli, creation_time, …                Weng et al., USENIX ATC 2023
//
// One reader, and a table of which column says what. Rows that are no jobs of a network (no GPU, never ran, never ended) are left out and
// counted by their reason; what cannot be read is an error.
//
// Invariant of what is returned: jobs in the order of their arrival, the first at 0; every job has a GPU and ran for some time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace helio::workload {

struct LoggedJob {
  std::string name;    // "": the log has none
  std::string tenant;  // virtual cluster; "": the log has none
  double arrival_s = 0;
  double duration_s = 0;   // that it ran, without waiting
  std::uint32_t gpus = 1;  // parts of one are rounded up
  std::string model;       // of the zoo; "": the log does not say
  std::string place;       // file:line:column of its row
};

struct JobLog {
  std::string source;
  std::string columns;  // "philly": of log_columns()
  std::vector<LoggedJob> jobs;
  std::uint64_t rows = 0;                        // that were read, those left out among them
  std::map<std::string, std::uint64_t> without;  // rows that were left out, by the reason
};

// Names of the sets of columns, for messages and help.
std::vector<std::string> log_columns();

// `columns`: one of log_columns(); needed only for a file without a line of names. "": by the names. Throws Error(kInput) with
// file:line:column (JSON: file and path) for what cannot be read, for names that no set has, and for a log without a job.
JobLog parse_job_log(std::string_view text, const std::string& source, const std::string& columns = "");
// Several files: pai-task, with pai-job beside it; else one.
JobLog read_job_logs(const std::vector<std::string>& paths, const std::string& columns, const std::string& place);

}  // namespace helio::workload
