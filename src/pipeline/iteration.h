// SPDX-License-Identifier: Apache-2.0
// Iterations of training jobs: workload ─▶ place ─▶ assemble ─▶ simulate ─▶ IterationResult, one for each job.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "pipeline/experiment.h"
#include "pipeline/result.h"
#include "pipeline/run.h"
#include "placement/program.h"

namespace helio::pipeline {

// Links of one kind, such as all NVLink ports.
struct LinkClass {
  std::string name;  // of its links, without numbers: link_class.h
  std::uint64_t links = 0;
  double mean = 0, most = 0;  // share of the time that they carry bytes: on average, and the busiest of them
};

struct IterationResult {
  // What ran
  std::string name, model, npu, fabric, version;
  std::uint64_t nodes = 0, npus = 0, iterations = 1;
  std::vector<Configuration> configuration;
  std::vector<std::pair<std::string, std::string>> algorithms;  // by class of traffic: what carried it
  std::vector<Attempt> attempts;                                // what the fabric refused at first, and what helped

  // How long
  Time time;  // of one iteration
  double time_s = 0;
  double bound_s = 0;  // what the busiest NPU computes: no iteration is shorter
  std::string bound;
  std::array<double, placement::kActivities> exposed_s{};  // of the critical path, per iteration; sums to time_s
  double samples_per_s = 0, tokens_per_s = 0;

  // What it took
  double model_flops = 0;        // of one iteration, nothing recomputed
  double model_utilisation = 0;  // of the peak of all NPUs (MFU)
  double npu_utilisation = 0;    // share of the time that an NPU computes, on average
  Facts facts;  // of the fabric, those that limit over the job's collectives; messages are of all jobs together
  std::uint32_t wavelengths_used = 0;  // the most of a collective
  Bytes traffic;                       // over all links of the fabric, by all jobs together
  std::vector<LinkClass> links;        // of the fabric, over the whole run
  placement::Memory memory;
  std::optional<Energy> energy;  // of the NPUs; none where no power is known

  // Why
  std::string critical_path;  // in words
  std::string label;
  std::vector<std::string> assumptions;
  std::uint64_t events = 0;  // work of the engine

  std::optional<fabric::LevelsPicture> composite;  // only when asked for: what it is made of,
  std::vector<LevelUse> level_uses;                // and what its levels did for all jobs together, the lowest first
  std::vector<TraceEvent> trace;                   // only when asked for; row: of trace_rows
  std::vector<std::string> trace_rows;
  bool trace_cut = false;
};

// Throws Error as run() does.
std::vector<IterationResult> run_jobs(const Experiment& experiment, const RunOptions& options = {});

}  // namespace helio::pipeline
