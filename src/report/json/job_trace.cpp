// SPDX-License-Identifier: Apache-2.0
#include "report/json/job_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace helio::report {
namespace {

using pipeline::TraceEvent;
using Lane = std::vector<const TraceEvent*>;  // bars of one thread, in order of their starts

// Bars, in order of their starts, each on the first lane that is free.
std::vector<Lane> lanes_of(const Lane& bars) {
  std::vector<Lane> lanes;
  for (const TraceEvent* bar : bars) {
    const auto free = std::ranges::find_if(
        lanes, [&](const Lane& lane) { return lane.back()->start + lane.back()->duration <= bar->start; });
    if (free == lanes.end())
      lanes.push_back({bar});
    else
      free->push_back(bar);
  }
  return lanes;
}

std::string name_of(const pipeline::IterationResult& job, std::uint32_t row, std::uint32_t depth, std::size_t lane) {
  std::string name = row < job.trace_rows.size() ? job.trace_rows[row] : fmt::format("row {}", row);
  if (depth > 0) name += ", sends";
  return lane == 0 ? name : fmt::format("{} ({})", name, lane + 1);
}

}  // namespace

void add_job(TraceWriter& writer, const pipeline::IterationResult& job, Time origin) {
  // By row and depth, by start
  std::map<std::pair<std::uint32_t, std::uint32_t>, Lane> rows;
  Time end;
  for (const TraceEvent& bar : job.trace) {
    rows[{bar.row, bar.depth}].push_back(&bar);
    end = std::max(end, bar.start + bar.duration);
  }
  const std::uint32_t process = writer.process(job.name);
  std::uint32_t thread = 0;
  for (auto& [key, bars] : rows) {
    std::ranges::stable_sort(bars, {}, [](const TraceEvent* bar) { return bar->start; });
    const std::vector<Lane> lanes = lanes_of(bars);
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      writer.thread(process, thread, name_of(job, key.first, key.second, lane));
      for (const TraceEvent* bar : lanes[lane])
        writer.bar(process, thread, bar->name, origin + bar->start, bar->duration, bar->rounds);
      ++thread;
    }
  }
  if (job.trace_cut) writer.mark(process, std::string(kTraceCut), origin + end);
}

}  // namespace helio::report
