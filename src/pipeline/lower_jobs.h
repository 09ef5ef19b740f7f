// SPDX-License-Identifier: Apache-2.0
// Whole placed iterations → one flow program: bodies become templates, requests are scheduled and lowered by the fabric, and all
// jobs run side by side.
//
//     placement::Program ──┐ body     ─▶ template (visible)
//     placement::Program ──┤ request  ─▶ schedule::build ─▶ Assembly::lower ─▶ template
//                          └ all jobs ─▶ entry: one call per job, `iterations` rounds
#pragma once

#include <array>
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
inline constexpr ClassShares kEqualShares = {1, 1, 1, 1, 1, 1, 1};

// How one job's collectives are carried.
struct Transport {
  std::array<std::optional<Choice>, placement::kActivities> algorithm;  // none: chosen by the shape of the group
  std::array<std::uint8_t, placement::kActivities> priority{};          // 0 is the most urgent
  Bandwidth bandwidth = Bandwidth::kStrict;                             // kDemand: shares follow from the iteration
  ClassShares share = kEqualShares;                                     // else these
  Placed<std::vector<Remedy>> remedies;
};

struct PlacedJob {
  std::string name;
  placement::Program program;
  Transport transport;
  std::uint64_t iterations = 1;
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
  };
  std::vector<std::vector<std::vector<Told>>>
      told;  // of every job, of every body, of every task: then the tasks can go
  std::vector<std::vector<std::string>> algorithms;  // of every job, of every request: what carries it
  std::vector<ClassShares> shares;                   // of every job, as used
  std::vector<Facts> facts;                          // of every job: what the fabric told of its collectives, together
  std::vector<std::uint32_t> wavelengths_used;       // of every job: the most that a collective of it uses
  std::vector<std::vector<Attempt>> attempts;        // of every job: what was refused at first, and what helped
  std::vector<bool> other_hardware;  // of every job: than the fabric has, so that its power is not known
};

// Throws Error(kInfeasible) when the fabric refuses a collective and no remedy of the job helps.
LoweredJobs lower_jobs(Assembly& assembly, const std::vector<PlacedJob>& jobs);

// The algorithm for a request that nobody chose one for, as communication libraries do: straight for pairs and all-to-all, in the
// fabric where it adds and copies,
// rings inside servers and across them where a group has several members in each, else one ring.
Choice usual_algorithm(const schedule::CollectiveRequest& request, const schedule::Capabilities& capabilities);

}  // namespace helio::pipeline
