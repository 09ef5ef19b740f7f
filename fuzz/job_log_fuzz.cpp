// SPDX-License-Identifier: Apache-2.0
// Logs of clusters, with a line of names or as one of the sets that have none.
#include "reading.h"
#include "workload/job_log.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace helio;
  for (const char* columns : {"", "pai-task"})
    fuzz::reads([&] {
      const workload::JobLog log = workload::parse_job_log(fuzz::as_text(data, size), "fuzz.csv", columns);
      if (log.jobs.empty()) fuzz::finding("a log without jobs");
      double last = 0;
      for (const workload::LoggedJob& job : log.jobs) {
        if (job.gpus == 0 || !(job.duration_s > 0) || !(job.arrival_s >= last)) fuzz::finding("a job that is none");
        last = job.arrival_s;
      }
    });
  return 0;
}
