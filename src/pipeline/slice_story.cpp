// SPDX-License-Identifier: Apache-2.0
#include "pipeline/slice_story.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace helio::pipeline {
namespace {

using fabric::JobId;
using fabric::SlicePlanner;

// The planner knows no file: its complaints get the place where the mistake was written.
template <class Ask>
auto ask(const std::string& place, const Ask& planner) {
  try {
    return planner();
  } catch (const Error& error) {
    throw Error(error.kind(), error.message(), place, error.advice());
  }
}

}  // namespace

SliceStory::SliceStory(const SliceEvents& events)
    : planner_(ask(events.fabric_place, [&] { return SlicePlanner(events.geometry, events.options); })) {}

std::vector<std::string> SliceStory::running() const {
  std::vector<std::string> names;
  for (const JobId id : planner_.jobs()) names.push_back(name_of_job(id));
  return names;
}

std::string SliceStory::name_of_job(JobId id) const {
  for (const auto& [name, job] : jobs_)
    if (job && *job == id) return name;
  return "";
}

std::map<std::string, fabric::Isolation> SliceStory::isolations() const {
  std::map<std::string, fabric::Isolation> found;
  for (const JobId id : planner_.jobs()) found[name_of_job(id)] = planner_.isolation(id);
  return found;
}

SliceOutcome SliceStory::tell(const SliceEvent& event) {
  const auto before = isolations();
  SliceOutcome outcome = happen(event);
  outcome.free_nodes = planner_.free_nodes();
  outcome.report.fragmented = planner_.fragmented();
  if (event.must && !outcome.report.done)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("'{}' must happen and is refused: {}", name_of(event.verb), outcome.report.reason),
                event.place, "Leave 'must' out to see what follows, or give the job more room.");

  // Others that are more or less alone now
  for (const auto& [name, isolation] : isolations())
    if (const auto was = before.find(name); name != outcome.job && was != before.end() && was->second != isolation)
      outcome.isolation_changed.emplace_back(name, isolation);

  // A stretch ends, another begins
  if (outcome.job.empty() || (!outcome.report.done && event.verb != SliceVerb::kFail)) return outcome;
  end_stretch(outcome.job, event.at, event.verb == SliceVerb::kFail);
  outcome.lit = outcome.report.runs;
  if (outcome.lit) begin_stretch(event, outcome);
  return outcome;
}

SliceOutcome SliceStory::happen(const SliceEvent& event) {
  switch (event.verb) {
    case SliceVerb::kAdmit: return admit(event);
    case SliceVerb::kFail: return fail(event);
    case SliceVerb::kGrow:
    case SliceVerb::kLeave: break;
  }

  // A job that was refused or had to stop can neither grow nor leave; that is an answer, a name nobody knows is a mistake
  const std::string& name = event.request.name;
  const auto at = jobs_.find(name);
  if (at == jobs_.end()) {
    std::vector<std::string> names;
    for (const auto& [known, job] : jobs_) names.push_back(known);
    throw unknown_name("job", name, names, event.place);
  }
  SliceOutcome outcome{.job = name};
  if (!at->second) {
    outcome.report.reason = fmt::format("'{}' does not run", name);
    return outcome;
  }
  if (event.verb == SliceVerb::kGrow) {
    outcome.report = ask(event.detail, [&] { return planner_.grow(*at->second, event.more); });
    return outcome;
  }
  planner_.leave(*at->second);
  outcome.report.done = true;
  jobs_.erase(at);
  return outcome;
}

SliceOutcome SliceStory::admit(const SliceEvent& event) {
  const std::string& name = event.request.name;
  if (const auto at = jobs_.find(name); at != jobs_.end() && at->second)
    throw Error(ErrorKind::kInput, fmt::format("job '{}' runs already", name), event.place, "Give it another name.");
  SliceOutcome outcome{.report = ask(event.detail, [&] { return planner_.admit(event.request); }), .job = name};
  jobs_[name] = outcome.report.runs ? std::optional(outcome.report.job) : std::nullopt;
  admitted_[name] = event;
  return outcome;
}

SliceOutcome SliceStory::fail(const SliceEvent& event) {
  SliceOutcome outcome{.report = ask(event.detail, [&] { return planner_.fail(event.node); })};
  if (!outcome.report.job.valid()) return outcome;
  outcome.job = name_of_job(outcome.report.job);
  if (!outcome.report.runs) jobs_[outcome.job] = std::nullopt;
  return outcome;
}

void SliceStory::begin_stretch(const SliceEvent& event, const SliceOutcome& outcome) {
  const auto known = std::ranges::find(names_, outcome.job);
  SliceStretch stretch;
  stretch.job = static_cast<std::uint32_t>(known - names_.begin());
  if (known == names_.end()) names_.push_back(outcome.job);
  const SliceEvent& asked = admitted_.at(outcome.job);
  const fabric::SliceReport& report = outcome.report;
  stretch.kind = asked.request.kind;
  stretch.algorithm = report.algorithm;
  stretch.group = report.group;
  stretch.nodes = report.nodes;
  stretch.slice = planner_.slice(report.job);
  stretch.parts = report.parts;
  stretch.changes_per_run = report.wss_changes_per_run;
  stretch.wss_changes = report.wss_changes;
  stretch.bytes = asked.bytes.value_or(Bytes{});
  stretch.compute = asked.compute;
  stretch.at = event.at;
  stretches_.push_back(std::move(stretch));
}

void SliceStory::end_stretch(const std::string& name, Time at, bool failed) {
  const auto known = std::ranges::find(names_, name);
  const auto job = static_cast<std::uint32_t>(known - names_.begin());
  for (SliceStretch& stretch : stretches_) {
    if (known == names_.end() || stretch.job != job || stretch.until) continue;
    stretch.until = at;
    stretch.failed = failed;
  }
}

std::vector<const SliceStretch*> stretches_of(const SliceQuestion& question, std::size_t job) {
  std::vector<const SliceStretch*> found;
  for (const SliceStretch& stretch : question.stretches)
    if (stretch.job == job) found.push_back(&stretch);
  return found;
}

SliceTold tell(SliceEvents events) {
  SliceStory story(events);
  SliceTold told;
  for (const SliceEvent& event : events.events) told.outcomes.push_back(story.tell(event));
  told.running = story.running();
  told.question = {.jobs = story.jobs(),
                   .stretches = story.stretches(),
                   .fabric = events.fabric,
                   .runs = events.runs,
                   .until = events.until};
  told.events = std::move(events);
  return told;
}

}  // namespace helio::pipeline
