// SPDX-License-Identifier: Apache-2.0
#include "report/json/trace.h"

#include <fmt/format.h>

#include "report/json/job_trace.h"
#include "report/json/trace_writer.h"

namespace helio::report {

std::string to_trace(const std::vector<pipeline::Result>& results, const std::vector<pipeline::IterationResult>& jobs) {
  TraceWriter writer;

  // Collectives of one file follow each other, and so do their bars
  Time origin;
  std::uint32_t process = 0;
  for (const pipeline::Result& result : results) {
    std::uint32_t depth = 0;
    for (const pipeline::TraceEvent& bar : result.trace) {
      if (&bar == &result.trace.front() || bar.depth != depth) {
        depth = bar.depth;
        process = writer.process(fmt::format("{}, level {}", result.name, depth));
      }
      writer.bar(process, bar.row, bar.name, origin + bar.start, bar.duration, bar.rounds);
    }
    if (result.trace_cut) writer.mark(process, std::string(kTraceCut), origin + result.time);
    origin += result.time;
  }

  // Jobs stand side by side
  for (const pipeline::IterationResult& job : jobs) add_job(writer, job, origin);
  return std::move(writer).finish();
}

}  // namespace helio::report
