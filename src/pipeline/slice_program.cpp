// SPDX-License-Identifier: Apache-2.0
#include "pipeline/slice_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <tuple>

#include "base/error.h"
#include "fabric/oddl/oddl_slice_fit.h"
#include "pipeline/bound.h"
#include "simulate/simulate.h"

namespace helio::pipeline {
namespace {

constexpr std::size_t kMostSpans = 20'000'000;

// The operations of a stretch in the entry template.
enum Moment : std::uint32_t { kAt, kWss, kRuns, kRest, kMoments };

flow::Operation wait(Time duration) {
  flow::Operation op;
  op.duration = duration;
  return op;
}

// Whether the later one gets a node or a light of the earlier one.
bool takes_over(const SliceStretch& earlier, const SliceStretch& later) {
  const auto light = [](const fabric::SliceEntry& e) { return std::tuple(e.source_group, e.plane, e.channel); };
  std::set<decltype(light({}))> lights;
  for (const fabric::SliceEntry& entry : earlier.slice) lights.insert(light(entry));
  const std::set<NodeId> nodes(earlier.nodes.begin(), earlier.nodes.end());
  return std::ranges::any_of(later.nodes, [&](NodeId node) { return nodes.contains(node); }) ||
         std::ranges::any_of(later.slice, [&](const fabric::SliceEntry& e) { return lights.contains(light(e)); });
}

}  // namespace

SliceProgram::SliceProgram(const SliceQuestion& question)
    : question_(question),
      assembly_(ChosenFabric({"oddl", "", question.fabric})),
      fabric_(dynamic_cast<const fabric::OddlFabric&>(assembly_.fabric().fabric())),
      carrier_(dynamic_cast<fabric::OddlCarrier&>(assembly_.carrier())),
      program_(assembly_.program) {
  for (const SliceStretch& stretch : question.stretches) add(stretch);
  program_.entry = program_.add(entry());
}

SlicePlay SliceProgram::play(const std::vector<SliceExtent>& extents, std::uint32_t without, bool record) {
  set(extents, without);
  simulate::Options options;
  options.record = record;
  options.jump = false;  // each run, and each flow, is told by itself
  options.span_limit = kMostSpans;
  if (!record) options.span_depth = 1;
  SlicePlay told{assembly_.simulate(options, {}), std::vector<SliceSeen>(lowered_.size())};
  if (told.timeline.spans_cut)
    throw Error(ErrorKind::kInfeasible, fmt::format("there are more than {} flows to keep", kMostSpans), "--runs",
                "Simulate fewer runs of each stretch.");
  for (const simulate::Span& span : told.timeline.spans) {
    if (span.where == program_.entry && span.operation % kMoments == kWss)
      told.stretches[span.operation / kMoments].lit = span.end;
    for (std::size_t s = 0; s < lowered_.size(); ++s)
      if (span.where == lowered_[s].run && span.operation == lowered_[s].collective)
        told.stretches[s].runs.emplace_back(span.start, span.end);
  }
  return told;
}

std::vector<SliceFlow> SliceProgram::flows(const simulate::Timeline& timeline) const {
  std::vector<SliceFlow> found;
  for (const simulate::Span& span : timeline.spans)
    for (std::uint32_t s = 0; s < lowered_.size(); ++s) {
      const Lowered& lowered = lowered_[s];
      if (span.where.value < lowered.first || span.where.value >= lowered.run.value) continue;
      if (program_.templates[span.where.value].operations[span.operation].kind != flow::OperationKind::kTransfer)
        continue;
      found.push_back({question_.stretches[s].job, lowered.ordinal, span.where.value - lowered.first, span.operation,
                       span.start, span.end});
    }
  std::sort(found.begin(), found.end());
  return found;
}

void SliceProgram::add(const SliceStretch& stretch) {
  Lowered lowered;
  lowered.first = static_cast<std::uint32_t>(program_.templates.size());
  for (std::size_t s = 0; s < lowered_.size(); ++s) lowered.ordinal += question_.stretches[s].job == stretch.job;
  if (stretch.nodes.size() > 1) {
    const schedule::Schedule schedule =
        fabric::slice_schedule(stretch.algorithm, stretch.kind, stretch.nodes.size(), stretch.group);
    const schedule::CollectiveRequest request{stretch.kind, stretch.bytes, {stretch.nodes}, 0};
    fabric::LowerOptions options;
    options.order = schedule.order;
    const fabric::LowerResult result = carrier_.lower_on(stretch.slice, schedule, request, options);
    if (const auto* refusal = std::get_if<fabric::Refusal>(&result))
      throw Error(ErrorKind::kInfeasible,
                  fmt::format("job '{}' by {}: {}", question_.jobs[stretch.job], stretch.algorithm, refusal->reason),
                  "oddl slices", refusal->advice);
    flow::Template run{question_.jobs[stretch.job], {}, {}};
    if (stretch.compute > Time()) run.operations.push_back(wait(stretch.compute));
    lowered.collective = static_cast<std::uint32_t>(run.operations.size());
    flow::Operation call;
    call.kind = flow::OperationKind::kCall;
    call.callee = std::get<fabric::Lowered>(result).entry;
    run.operations.push_back(call);
    if (back(stretch) > Time()) run.operations.push_back(wait(back(stretch)));
    for (std::uint32_t i = 1; i < run.operations.size(); ++i) run.edges.push_back({i - 1, i});
    lowered.run = program_.add(std::move(run));
  }
  lowered_.push_back(lowered);
}

double SliceProgram::bound_s(const SliceStretch& stretch) const {
  schedule::Capabilities lit = assembly_.capabilities();
  lit.first_setup = Time();
  const schedule::Schedule schedule =
      fabric::slice_schedule(stretch.algorithm, stretch.kind, stretch.nodes.size(), stretch.group);
  return lower_bound(lit, {stretch.kind, stretch.bytes, {stretch.nodes}, 0}, schedule.order).seconds;
}

std::vector<bool> SliceProgram::heirs(std::uint32_t job) const {
  std::vector<bool> found(lowered_.size(), false);
  for (std::uint32_t s = 0; s < lowered_.size(); ++s) found[s] = question_.stretches[s].job == job;
  for (const flow::Edge& edge : program_.templates[program_.entry.value].edges)  // earlier stretches first
    if (found[edge.from / kMoments]) found[edge.to / kMoments] = true;
  return found;
}

flow::Template SliceProgram::entry() const {
  flow::Template all{"slices", {}, {}, true};
  all.operations.resize(lowered_.size() * kMoments);
  for (std::uint32_t s = 0; s < lowered_.size(); ++s) {
    const std::uint32_t first = s * kMoments;
    for (std::uint32_t moment = kWss; moment < kMoments; ++moment)
      all.edges.push_back({first + moment - 1, first + moment});
    for (std::uint32_t earlier = 0; earlier < s; ++earlier)
      if (question_.stretches[earlier].job == question_.stretches[s].job ||
          takes_over(question_.stretches[earlier], question_.stretches[s]))
        all.edges.push_back({earlier * kMoments + kRest, first + kWss});
  }
  return all;
}

void SliceProgram::set(const std::vector<SliceExtent>& extents, std::uint32_t without) {
  std::vector<flow::Operation>& all = program_.templates[program_.entry.value].operations;
  for (std::uint32_t s = 0; s < lowered_.size(); ++s) {
    const SliceStretch& stretch = question_.stretches[s];
    const std::span<flow::Operation> of(all.data() + s * kMoments, kMoments);
    std::ranges::fill(of, flow::Operation{});
    if (stretch.job == without) continue;
    of[kAt] = wait(stretch.at);
    of[kWss] = wait(wss() * stretch.wss_changes);
    of[kRest] = wait(extents[s].rest);
    if (extents[s].simulated == 0) continue;
    of[kRuns].kind = flow::OperationKind::kCall;
    of[kRuns].callee = lowered_[s].run;
    of[kRuns].rounds = extents[s].simulated;
  }
}

}  // namespace helio::pipeline
