// SPDX-License-Identifier: Apache-2.0
// Whole placed iterations → one flow program: bodies become templates, requests are scheduled and lowered by the fabric, and all
// jobs run side by side.
//
//     placement::Program ──┐ body     ─▶ template (visible)
//     placement::Program ──┤ request  ─▶ JobSchedules ─▶ Assembly::lower ─▶ template
//                          └ all jobs ─▶ entry: one call per job, `iterations` rounds
//
// Templates that only pass on a call are left out: a task calls the rounds of its collective itself.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/fact.h"
#include "flow/program.h"
#include "pipeline/assembly.h"
#include "pipeline/experiment.h"
#include "pipeline/result.h"
#include "placement/program.h"

namespace helio::pipeline {

// By class of traffic: what its transfers are worth where they meet others of the same priority.
using ClassShares = std::array<float, placement::kActivities>;
inline constexpr ClassShares kEqualShares = [] {
  ClassShares shares{};
  shares.fill(1);
  return shares;
}();

// How one job's collectives are carried.
struct Transport {
  std::array<std::optional<Choice>, placement::kActivities> algorithm;  // none: found by a search, or usual
  std::array<std::string, placement::kActivities>
      search;  // who may search where there is none; empty: the usual is meant
  std::array<std::uint8_t, placement::kActivities> priority{};  // 0 is the most urgent
  Bandwidth bandwidth = Bandwidth::kStrict;                     // kDemand: shares follow from the iteration
  ClassShares share = kEqualShares;                             // else these
  Placed<std::vector<Remedy>> remedies;
};

struct PlacedJob {
  std::string name;
  placement::Program program;
  Transport transport;
  std::uint64_t iterations = 1;
  std::vector<std::optional<Choice>> chosen = {};  // by request: what a search found; may be shorter
};

struct LoweredJobs {
  flow::TemplateId entry;  // runs them all
  // Of every template: the job and body that it came from; none for what a fabric made.
  struct Origin {
    std::uint32_t job = 0, body = 0;
    bool valid = false;
  };
  std::vector<Origin> origin;
  // What a task is for its reader.
  struct Told {
    placement::Activity activity;
    placement::Verb verb;
    std::uint32_t row, number;
    std::uint32_t level = kNoLevel;  // of a composite, that carries all of it
  };
  static constexpr std::uint32_t kNoLevel = 0xffffffffu;
  // Of every template by which a composite goes over its levels: the level of each of its operations.
  std::map<std::uint32_t, std::vector<std::uint32_t>> stages;
  std::vector<std::vector<std::vector<Told>>>
      told;  // of every job, of every body, of every task: then the tasks can go
  std::vector<std::vector<std::string>> algorithms;  // of every job, of every request: what carries it
  std::vector<ClassShares> shares;                   // of every job, as used
  std::vector<Facts> facts;                          // of every job: what the fabric told of its collectives, together
  std::vector<std::uint32_t> wavelengths_used;       // of every job: the most that a collective of it uses
  std::vector<std::vector<Attempt>> attempts;        // of every job: what was refused at first, and what helped
  std::vector<bool> other_hardware;  // of every job: than the fabric has, so that its power is not known
};

class JobSchedules;  // job_schedules.h

// Throws Error(kInfeasible) when the fabric refuses a collective and no remedy of the job helps.
LoweredJobs lower_jobs(Assembly& assembly, const std::vector<PlacedJob>& jobs);
LoweredJobs lower_jobs(Assembly& assembly, const std::vector<PlacedJob>& jobs, JobSchedules& schedules);

}  // namespace helio::pipeline
