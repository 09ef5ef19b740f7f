// SPDX-License-Identifier: Apache-2.0
#include "pipeline/trace.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace helio::pipeline {
namespace {

std::string name_of(const flow::Operation& operation, const flow::Program& program) {
  switch (operation.kind) {
    case flow::OperationKind::kCall: return program.templates[operation.callee.value].name;
    case flow::OperationKind::kDelay: return "delay";
    case flow::OperationKind::kCompute: return "compute";
    case flow::OperationKind::kTransfer: break;
  }
  if (!operation.route.valid()) return "transfer";
  const auto links = program.routes.links(operation.route);
  if (!links.empty()) return program.resources.name(links.front().link);
  const auto channels = program.routes.channels(operation.route);
  return channels.empty() ? "transfer" : program.resources.name(channels.front());
}

// Gives each bar of one depth the first row that is free when it starts. Requires: bars are sorted by start.
void assign_rows(std::vector<TraceEvent>::iterator begin, std::vector<TraceEvent>::iterator end) {
  using Busy = std::pair<Time, std::uint32_t>;  // until when, which row
  std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> free;
  std::uint32_t rows = 0;
  for (auto bar = begin; bar != end; ++bar) {
    while (!busy.empty() && busy.top().first <= bar->start) {
      free.push(busy.top().second);
      busy.pop();
    }
    if (free.empty()) free.push(rows++);
    bar->row = free.top();
    free.pop();
    busy.push({bar->start + bar->duration, bar->row});
  }
}

}  // namespace

std::vector<TraceEvent> trace_of(const simulate::Timeline& timeline, const flow::Program& program,
                                 const LevelMeter* meter) {
  const bool leveled = meter && meter->has_levels();
  std::vector<TraceEvent> bars;
  bars.reserve(timeline.spans.size());
  for (const simulate::Span& span : timeline.spans) {
    const flow::Operation& operation = program.templates[span.where.value].operations[span.operation];
    const Time last = span.period * static_cast<std::int64_t>(span.rounds - 1);
    bars.push_back({name_of(operation, program), span.depth, 0, span.start, span.end + last - span.start, span.rounds});
    if (leveled && operation.kind == flow::OperationKind::kTransfer)
      bars.back().levels = meter->levels_of(program, operation, {});
  }
  std::stable_sort(bars.begin(), bars.end(), [](const TraceEvent& a, const TraceEvent& b) {
    return std::pair(a.depth, a.start) < std::pair(b.depth, b.start);
  });
  for (auto begin = bars.begin(); begin != bars.end();) {
    const auto end = std::find_if(begin, bars.end(), [&](const TraceEvent& bar) { return bar.depth != begin->depth; });
    assign_rows(begin, end);
    begin = end;
  }
  return bars;
}

}  // namespace helio::pipeline
