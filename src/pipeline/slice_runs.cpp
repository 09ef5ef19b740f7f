// SPDX-License-Identifier: Apache-2.0
#include "pipeline/slice_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/error.h"
#include "pipeline/bound.h"
#include "pipeline/counted.h"
#include "pipeline/slice_program.h"

namespace helio::pipeline {
namespace {

constexpr std::uint32_t kNobody = SliceProgram::kNobody;

// How many runs a stretch has, judged by a play in which `was` of them were simulated. `tried`: runs of which one more did not end in
// time.
SliceExtent extent(const SliceStretch& stretch, const SliceSeen& seen, Time back, std::optional<Time> until,
                   std::uint64_t cap, std::optional<std::uint64_t> tried) {
  const std::uint64_t was = seen.runs.size();
  if (stretch.nodes.size() < 2) return {};
  if (!until) return {cap, 0, {}};
  const auto begin = [&](std::uint64_t i) { return i == 0 ? seen.lit : seen.runs[i - 1].second + back; };

  // Those that go beyond the end of the stretch are not run
  std::uint64_t count = 0;
  while (count < was && (stretch.failed ? seen.runs[count].second <= *until : begin(count) < *until)) ++count;
  if (count < was || was == 0) return {count, 0, {}};

  // More go beyond what was simulated, at the mean pace of the later ones
  const Time pace = was > 1 ? Time::zeptoseconds((begin(was) - begin(1)).count() / static_cast<Time::Count>(was - 1))
                            : begin(1) - begin(0);
  if (begin(was) >= *until || !(pace > Time())) return {was, 0, {}};
  std::uint64_t more = static_cast<std::uint64_t>((*until - begin(was)) / pace);
  if (!stretch.failed && begin(was) + pace * static_cast<std::int64_t>(more) < *until) ++more;
  if (tried && was + more > *tried) more = std::max(*tried, was) - was;
  if (cap == 0 || was + more <= cap) return {was + more, 0, {}};
  if (was < cap) return {cap, 0, {}};
  return {was, more, pace * static_cast<std::int64_t>(more)};
}

// Simulated runs that took `time`, and how many runs they stand for: themselves and what was counted at their pace.
struct WeighedTime {
  Time time;
  double runs = 0;
};

// What was counted goes on as the runs after the first did (extent), in equal parts.
void weigh(const SliceSeen& seen, std::uint64_t counted, std::vector<WeighedTime>& times) {
  const std::size_t first = seen.runs.size() > 1 ? 1 : 0;  // that stands for others too
  const double each =
      static_cast<double>(counted) / static_cast<double>(std::max<std::size_t>(seen.runs.size() - first, 1));
  for (std::size_t i = 0; i < seen.runs.size(); ++i)
    times.push_back({seen.runs[i].second - seen.runs[i].first, i < first ? 1 : 1 + each});
}

// Requires: not empty.
Time mean(const std::vector<WeighedTime>& times) {
  const Time base = times.front().time;  // differences from it are small, so that their mean keeps every digit
  double seconds = 0, runs = 0;
  for (const WeighedTime& weighed : times) {
    seconds += (weighed.time - base).to_seconds() * weighed.runs;
    runs += weighed.runs;
  }
  return base + Time::seconds(seconds / runs);
}

// Requires: sorted, not empty.
Time nearest_rank(const std::vector<WeighedTime>& sorted, double part) {
  constexpr double kRounding = 1e-9;  // of a run: sums of weights are not exact
  double runs = 0, reached = 0;
  for (const WeighedTime& weighed : sorted) runs += weighed.runs;
  for (const WeighedTime& weighed : sorted)
    if ((reached += weighed.runs) + kRounding >= part * runs) return weighed.time;
  return sorted.back().time;
}

// Flows of the stretches that hang on nobody of `aside`, in order.
std::vector<SliceFlow> apart(const std::vector<SliceFlow>& flows, const std::vector<std::vector<bool>>& aside) {
  std::vector<SliceFlow> found;
  for (const SliceFlow& flow : flows)
    if (!aside[flow.job][flow.stretch]) found.push_back(flow);
  return found;
}

}  // namespace

SliceRuns run_slices(const SliceQuestion& question, const std::function<void(std::string_view)>& progress) {
  const auto say = [&](std::string_view stage) {
    if (progress) progress(stage);
  };
  say("lowering");
  SliceProgram stage(question);
  const std::size_t count = question.stretches.size();
  const auto until = [&](const SliceStretch& stretch) { return stretch.until ? stretch.until : question.until; };
  for (const SliceStretch& stretch : question.stretches)
    if (question.runs == 0 && !until(stretch) && stretch.nodes.size() > 1)
      throw Error(ErrorKind::kInput, fmt::format("job '{}' never ends", question.jobs[stretch.job]), "oddl slices",
                  "Say `until` under [run], or how many runs of a stretch are simulated.");

  // Counts and times that agree. What a stretch does hangs on earlier ones only, so that one more of them agrees each time.
  std::vector<SliceExtent> extents(count);
  std::vector<std::optional<std::uint64_t>> tried(count);
  std::vector<Time> lit(count);
  for (std::size_t s = 0; s < count; ++s)
    extents[s].simulated = question.stretches[s].nodes.size() < 2 ? 0 : question.runs == 0 ? 2 : question.runs;
  SlicePlay told;
  for (std::size_t attempt = 0;; ++attempt) {
    say(fmt::format("simulating, attempt {}", attempt + 1));
    told = stage.play(extents, kNobody, question.record || question.prove);
    std::vector<SliceExtent> next(count);
    for (std::size_t s = 0; s < count; ++s) {
      const SliceStretch& stretch = question.stretches[s];
      const SliceSeen& seen = told.stretches[s];
      if (seen.lit != lit[s]) tried[s].reset();
      lit[s] = seen.lit;
      next[s] = extent(stretch, seen, stage.back(stretch), until(stretch), question.runs, tried[s]);
      if (next[s].simulated < extents[s].simulated) tried[s] = next[s].simulated;
      if (seen.runs.empty() && !tried[s] && stretch.nodes.size() > 1 && (!until(stretch) || seen.lit < *until(stretch)))
        next[s].simulated = 1;
    }
    if (next == extents) break;
    if (attempt > 4 * count + 8) throw std::logic_error("runs of slices do not settle");
    extents = std::move(next);
  }

  // What each job did
  SliceRuns result;
  result.jobs.resize(question.jobs.size());
  result.end = told.timeline.end;
  result.control_messages = told.timeline.control_messages;
  std::vector<std::vector<WeighedTime>> times(question.jobs.size());
  std::vector<std::vector<std::pair<Time, Time>>> runs_of(
      question.jobs.size());  // from the first to the last of a stretch
  std::uint64_t extra = 0;
  for (std::size_t s = 0; s < count; ++s) {
    const SliceStretch& stretch = question.stretches[s];
    const SliceSeen& seen = told.stretches[s];
    JobRuns& job = result.jobs[stretch.job];
    if (const double bound_s = seen.runs.empty() ? 0 : stage.bound_s(stretch))
      for (const auto& [start, end] : seen.runs) kept_bound(bound_s, (end - start).to_seconds(), stretch.nodes.size());
    StretchRuns runs;
    runs.lit = seen.lit;
    runs.simulated = seen.runs.size();
    runs.runs = runs.simulated + extents[s].extra;
    runs.end = (seen.runs.empty() ? seen.lit : seen.runs.back().second) + extents[s].rest;
    const Time next = seen.runs.empty() ? seen.lit : runs.end + stage.back(stretch);
    runs.abandoned = stretch.failed && stretch.nodes.size() > 1 && next < *stretch.until;
    runs.in_wss = stage.wss() * (stretch.wss_changes + stretch.changes_per_run * static_cast<std::int64_t>(runs.runs));
    job.runs += runs.runs;
    job.simulated += runs.simulated;
    job.abandoned += runs.abandoned;
    job.in_wss += runs.in_wss;
    job.bytes += stretch.bytes * static_cast<double>(runs.runs);
    weigh(seen, extents[s].extra, times[stretch.job]);
    if (!seen.runs.empty()) runs_of[stretch.job].emplace_back(seen.runs.front().first, seen.runs.back().second);
    extra += extents[s].extra;
    job.stretches.push_back(runs);
  }
  for (std::size_t j = 0; j < times.size(); ++j) {
    if (times[j].empty()) continue;
    std::ranges::sort(times[j], {}, &WeighedTime::time);
    result.jobs[j].mean = mean(times[j]);
    result.jobs[j].p50 = nearest_rank(times[j], 0.5);
    result.jobs[j].p99 = nearest_rank(times[j], 0.99);
  }

  // Whether anybody else felt it
  if (question.record || question.prove) result.flows = stage.flows(told.timeline);
  for (std::uint32_t j = 0; question.prove && j < result.jobs.size(); ++j) {
    say(fmt::format("simulating without '{}'", question.jobs[j]));
    const std::vector<bool> heirs = stage.heirs(j);
    std::vector<std::vector<bool>> aside(result.jobs.size());  // by job and its stretches
    for (std::size_t s = 0; s < count; ++s) aside[question.stretches[s].job].push_back(heirs[s]);
    const std::vector<SliceFlow> with = apart(result.flows, aside);
    const std::vector<SliceFlow> without = apart(stage.flows(stage.play(extents, j, true).timeline), aside);
    result.jobs[j].others = with.size();
    result.jobs[j].beside = static_cast<std::uint64_t>(std::ranges::count_if(with, [&](const SliceFlow& flow) {
      return std::ranges::any_of(runs_of[j],
                                 [&](const auto& run) { return flow.start < run.second && run.first < flow.end; });
    }));
    for (std::size_t f = 0; f < with.size(); ++f) result.jobs[j].moved += f >= without.size() || without[f] != with[f];
  }

  // What it rests on
  result.assumptions = {
      "all WSS of a job change at once, in one `wss`",
      "a job that grows or leaves ends its running collective first; at a failure it is abandoned, and what "
      "it had sent until then is not simulated"};
  if (extra > 0)
    result.assumptions.push_back(
        fmt::format("{} counted, not simulated: at most {} of each stretch are, and the "
                    "others go on at their mean pace",
                    counted(extra, "run was", "runs were"), question.runs));
  return result;
}

}  // namespace helio::pipeline
