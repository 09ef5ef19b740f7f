// SPDX-License-Identifier: Apache-2.0
#include "pipeline/traced/flow_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "base/error.h"
#include "base/units.h"
#include "pipeline/assembly.h"
#include "pipeline/foretold.h"
#include "pipeline/version.h"
#include "simulate/simulate.h"

namespace helio::pipeline {
namespace {

constexpr std::size_t kMostFlows = 1u << 24;
constexpr std::array kClasses = {1e4, 1e5, 1e6, 1e7, 1e8, std::numeric_limits<double>::infinity()};

// Requires: sorted.
FlowTimes times_of(const std::vector<double>& seconds) {
  if (seconds.empty()) return {};
  const auto at = [&](double part) {
    const auto rank = static_cast<std::size_t>(std::ceil(part * static_cast<double>(seconds.size()) - 1e-9));
    return seconds[std::max<std::size_t>(rank, 1) - 1];
  };
  return {seconds.size(), std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(seconds.size()),
          at(0.5), at(0.99), seconds.back()};
}

// All of several sorted ones, sorted.
std::vector<double> merged(const std::vector<std::vector<double>>& parts) {
  std::vector<double> all;
  for (const std::vector<double>& part : parts) {
    const auto middle = static_cast<std::ptrdiff_t>(all.size());
    all.insert(all.end(), part.begin(), part.end());
    std::inplace_merge(all.begin(), all.begin() + middle, all.end());
  }
  return all;
}

// Flows that are lowered together, by their numbers in the trace.
using Together = std::vector<std::uint32_t>;

std::vector<Together> by_coflow(const workload::FlowTrace& trace) {
  std::vector<Together> groups(trace.coflows.size() + 1);
  for (std::uint32_t i = 0; i < trace.flows.size(); ++i)
    groups[std::min<std::size_t>(trace.flows[i].coflow, trace.coflows.size())].push_back(i);
  std::erase_if(groups, [](const Together& group) { return group.empty(); });
  return groups;
}

// All of them as the moves of one phase. Slots count bytes, in units of `unit`; what is rounded is put right in the program.
schedule::Schedule schedule_of(const workload::FlowTrace& trace, const Together& group, std::uint32_t nodes,
                               double unit) {
  schedule::Schedule schedule{
      .algorithm = "flows", .kind = schedule::Kind::kAllToAll, .ranks = static_cast<schedule::Position>(nodes)};
  schedule::Phase phase{.name = "flows"};
  std::uint32_t most = 1;
  for (const std::uint32_t i : group) {
    const workload::TracedFlow& flow = trace.flows[i];
    const auto count = static_cast<std::uint32_t>(std::max(1.0, std::round(flow.bytes / unit)));
    most = std::max(most, count);
    phase.moves.push_back({.source = static_cast<schedule::Position>(flow.source),
                           .destination = static_cast<schedule::Position>(flow.destination),
                           .count = count,
                           .destination_buffer = schedule::Buffer::kScratch});
  }
  schedule.chunks = (most + nodes - 1) / nodes * nodes;
  schedule.scratch = most;
  schedule.phases.push_back(std::move(phase));
  return schedule;
}

// Where a flow stands in the program.
struct Stood {
  flow::TemplateId where;
  std::uint32_t operation = 0;
};

// Each transfer of the templates [first, …) waits for its time; the times wait for each other, so that one at a time is to come. Throws where a
// fabric would have them take turns.
void start_in_time(flow::Program& program, std::size_t first, const workload::FlowTrace& trace, const Together& group,
                   std::vector<Stood>& stood, const ChosenFabric& fabric) {
  std::size_t found = 0;
  std::optional<std::size_t> only;
  bool turns = false;
  for (std::size_t t = first; t < program.templates.size(); ++t) {
    flow::Template& body = program.templates[t];
    const auto count = static_cast<std::uint32_t>(body.operations.size());
    std::vector<std::pair<Time, std::uint32_t>> starts;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (body.operations[i].kind != flow::OperationKind::kTransfer) continue;
      ++found;
      turns = turns || only.value_or(t) != t;
      only = t;
      const std::uint32_t number = group[body.operations[i].tag];
      const workload::TracedFlow& flow = trace.flows[number];
      stood[number] = {flow::TemplateId{static_cast<std::uint32_t>(t)}, i};
      starts.emplace_back(flow.at, i);
    }
    std::ranges::sort(starts);
    Time now;
    std::uint32_t delay = 0;
    for (const auto& [at, operation] : starts) {
      if (body.operations.size() == count || at > now) {
        const auto next = static_cast<std::uint32_t>(body.operations.size());
        if (next > count) body.edges.push_back({delay, next});
        body.operations.push_back({.kind = flow::OperationKind::kDelay, .duration = at - now});
        delay = next;
        now = at;
      }
      body.edges.push_back({delay, operation});
    }
  }
  if (found != group.size() || turns)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("'{}' has flows take turns, and these come when they do", fabric.name()), fabric.place(),
                "Take oddl, or a network of links.");
}

void tell(const workload::FlowTrace& trace, const std::vector<double>& ends, FlowResult& result) {
  std::vector<std::vector<double>> of_class(kClasses.size()), slow_of(kClasses.size());
  std::vector<double> first(trace.coflows.size(), std::numeric_limits<double>::infinity()),
      last(trace.coflows.size(), 0);
  double begin = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const workload::TracedFlow& flow = trace.flows[i];
    const double at = flow.at.to_seconds(), took = ends[i] - at;
    const double slowdown = took / (flow.bytes * 8 / result.rate.value);
    const auto size = static_cast<std::size_t>(std::ranges::lower_bound(kClasses, flow.bytes) - kClasses.begin());
    of_class[size].push_back(took);
    slow_of[size].push_back(slowdown);
    begin = std::min(begin, at);
    result.bytes += flow.bytes;
    if (flow.coflow == workload::kNoCoflow) continue;
    first[flow.coflow] = std::min(first[flow.coflow], at);
    last[flow.coflow] = std::max(last[flow.coflow], ends[i]);
  }
  const auto told = [](const std::vector<double>& values, double& mean, double& p99) {
    const FlowTimes times = times_of(values);
    mean = times.mean_s;
    p99 = times.p99_s;
  };
  for (auto* classes : {&of_class, &slow_of})
    for (std::vector<double>& one : *classes) std::ranges::sort(one);
  told(merged(slow_of), result.slowdown, result.slowdown_p99);
  result.flows = times_of(merged(of_class));
  for (std::size_t c = 0; c < kClasses.size(); ++c) {
    if (of_class[c].empty()) continue;
    FlowClass& size = result.classes.emplace_back(FlowClass{.upto = kClasses[c], .times = times_of(of_class[c])});
    told(slow_of[c], size.slowdown, size.slowdown_p99);
  }
  std::vector<double> coflows;
  for (std::size_t c = 0; c < first.size(); ++c) coflows.push_back(last[c] - first[c]);
  std::ranges::sort(coflows);
  result.coflows = times_of(coflows);
  result.end_s = std::ranges::max(ends);
  result.utilisation =
      result.bytes * 8 / (static_cast<double>(result.nodes) * result.rate.value * (result.end_s - begin));
}

}  // namespace

FlowResult run_flows(const workload::FlowTrace& trace, const Choice& choice,
                     const std::function<void(std::string_view)>& progress) {
  if (trace.flows.empty() || trace.flows.size() > kMostFlows)
    throw Error(ErrorKind::kInfeasible, fmt::format("{} flows", trace.flows.size()), trace.source,
                fmt::format("Take between 1 and {}.", kMostFlows));
  Assembly assembly{ChosenFabric(choice)};
  const ChosenFabric& fabric = assembly.fabric();
  const schedule::Capabilities& capabilities = assembly.capabilities();
  const bool decided = !assembly.program.controls.empty();
  if (!decided && (!fabric.fabric().gives_ways() || capabilities.wavelengths > 0))
    throw Error(
        ErrorKind::kInfeasible,
        fmt::format("'{}' sets its light for whole steps, and flows of a trace come when they do", fabric.name()),
        fabric.place(), "Take oddl, or a network of links.");
  refuse_beyond_budget(foretold_flows(static_cast<double>(trace.flows.size()), decided));

  FlowResult result{.fabric = fabric.name(), .version = std::string(kVersion), .label = fabric.label()};
  result.nodes = capabilities.nodes;
  result.configuration = fabric.configuration();
  result.rate = capabilities.injection / capabilities.lit_share;
  const auto nodes = static_cast<std::uint32_t>(capabilities.nodes);

  // Coflow by coflow into one program, all of them from the beginning
  if (progress) progress("lowering");
  double largest = 0;
  for (const workload::TracedFlow& flow : trace.flows) largest = std::max(largest, flow.bytes);
  const double unit = std::max(1.0, largest / (1u << 30));
  std::vector<Stood> stood(trace.flows.size());
  flow::Template entry{.name = "flows"};
  for (const Together& group : by_coflow(trace)) {
    const schedule::Schedule schedule = schedule_of(trace, group, nodes, unit);
    schedule::check(schedule);
    const auto request = schedule::request_on_all(schedule::Kind::kAllToAll, Bytes{schedule.chunks * unit},
                                                  static_cast<schedule::Position>(nodes));
    const std::size_t first = assembly.program.templates.size();
    const fabric::Lowered lowered = [&] {
      try {
        return assembly.lower(schedule.algorithm, schedule, request, {}, {}).lowered;
      } catch (const RefusedError& error) {
        throw Error(ErrorKind::kInfeasible,
                    fmt::format("fabric '{}' refuses the flows: {}", fabric.name(), error.refusal().reason),
                    fabric.place(), error.refusal().advice);
      }
    }();
    combine(result.facts, lowered.facts);
    start_in_time(assembly.program, first, trace, group, stood, fabric);
    for (std::size_t m = 0; m < group.size(); ++m) {
      const workload::TracedFlow& flow = trace.flows[group[m]];
      flow::Operation& op =
          assembly.program.templates[stood[group[m]].where.value].operations[stood[group[m]].operation];
      op.bytes *= flow.bytes / (schedule.phases.front().moves[m].count * unit);
    }
    entry.operations.push_back({.kind = flow::OperationKind::kCall, .callee = lowered.entry});
  }
  assembly.program.entry = assembly.program.add(std::move(entry));

  // When each ended
  std::vector<std::vector<std::uint32_t>> number(assembly.program.templates.size());
  for (std::uint32_t i = 0; i < stood.size(); ++i) {
    auto& of_template = number[stood[i].where.value];
    of_template.resize(assembly.program.templates[stood[i].where.value].operations.size(), 0xffffffffu);
    of_template[stood[i].operation] = i;
  }
  const simulate::Timeline timeline =
      assembly.simulate({.record = true, .span_limit = 4 * kMostFlows + 2'000'000}, progress);
  if (timeline.spans_cut) throw std::logic_error("more spans than flows");
  assembly.note_control(timeline, result.facts);
  std::vector<double> ends(trace.flows.size(), -1);
  for (const simulate::Span& span : timeline.spans) {
    const auto& of_template = number[span.where.value];
    if (span.operation < of_template.size() && of_template[span.operation] != 0xffffffffu)
      ends[of_template[span.operation]] = span.end.to_seconds();
  }
  if (std::ranges::any_of(ends, [](double end) { return end < 0; })) throw std::logic_error("a flow that did not end");
  tell(trace, ends, result);
  result.assumptions = {"slowdowns are over a flow's bytes at the full rate of a node",
                        "flows come when the trace says, whether or not those before them have ended"};
  fabric.note_fitted(result.assumptions);
  result.assumptions.insert(result.assumptions.end(), capabilities.assumptions.begin(), capabilities.assumptions.end());
  return result;
}

FlowComparison compare_flows(const workload::FlowTrace& trace, const std::vector<TrafficContender>& fabrics,
                             BitRate rate, const std::function<void(std::string_view)>& progress) {
  FlowComparison comparison{.source = trace.source, .rate = rate, .entries = {}};
  std::optional<Error> first;
  for (const TrafficContender& contender : fabrics) {
    FlowComparison::Entry& entry = comparison.entries.emplace_back(FlowComparison::Entry{contender.name, {}, {}});
    try {
      entry.result = run_flows(trace, contender.fabric, [&](std::string_view stage) {
        if (progress) progress(fmt::format("{}: {}", contender.name, stage));
      });
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInfeasible) throw;
      entry.refusal = error.message() + ". " + error.advice();
      if (!first) first = error;
    }
  }
  if (first && std::ranges::none_of(comparison.entries, [](const auto& entry) { return entry.result.has_value(); }))
    throw *first;
  return comparison;
}

}  // namespace helio::pipeline
