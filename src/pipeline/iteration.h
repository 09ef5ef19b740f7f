// SPDX-License-Identifier: Apache-2.0
// Iterations of training jobs: workload ─▶ place ─▶ assemble ─▶ simulate ─▶ IterationResult, one for each job.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "pipeline/experiment.h"
#include "pipeline/lower_jobs.h"
#include "pipeline/result.h"
#include "pipeline/run.h"
#include "placement/cell.h"
#include "placement/program.h"

namespace helio::pipeline {

// Links of one kind, such as all NVLink ports.
struct LinkClass {
  std::string name;  // of its links, without numbers: link_class.h
  std::uint64_t links = 0;
  double mean = 0, most = 0;  // share of the time that they carry bytes: on average, and the busiest of them
};

// One level of a composite. Everything but exposed_s is of all jobs together.
struct LevelResult {
  std::string name, fabric;            // "between", "wdm-ring"
  std::uint64_t instances = 1;         // of the level,
  std::uint64_t units = 1;             // and what each of them joins
  Bytes traffic;                       // over its links and gateways, in the whole run
  std::string busiest;                 // of its links; "": nothing moves there
  double most = 0, mean = 0;           // share of the time that the busiest carries bytes, and all of them on average
  std::uint32_t wavelengths_used = 0;  // the most of a collective
  std::optional<double> loss_db;       // of the longest lightpath; none where there is no light
  Energy energy;                       // of its fabric in one iteration
  std::array<double, placement::kActivities> exposed_s{};  // of the critical path of this job, per iteration
  Facts facts;                                             // of its fabric, those that limit
};

// What a search (plan/job_choice.h) chose for exchanges of one class, kind and size, and what is usual for them. Times are those of one
// such exchange of all groups at once, with nothing beside it.
struct ClassChoice {
  placement::Activity activity = placement::Activity::kTp;
  schedule::Kind kind = schedule::Kind::kAllReduce;
  Bytes bytes;
  std::uint64_t ranks = 0, groups = 0;
  std::string algorithm, usual;  // with the settings that are not defaults: "ring:stripe=64"
  double time_s = 0;
  std::optional<double> usual_time_s;  // none: the fabric refuses it
};

struct IterationResult {
  // What ran
  std::string name, model, npu, fabric, version;
  std::uint64_t nodes = 0, npus = 0, iterations = 1;
  std::vector<Configuration> configuration;
  std::vector<std::pair<std::string, std::string>> algorithms;  // by class of traffic: what carried it
  std::vector<Attempt> attempts;                                // what the fabric refused at first, and what helped
  std::vector<ClassChoice> choices;                             // only after a search
  std::string search;                                           // after a search: what became of it, in words

  // How long
  Time time;  // of one iteration
  double time_s = 0;
  double bound_s = 0;  // what the busiest NPU computes: no iteration is shorter
  std::string bound;
  std::array<double, placement::kActivities> exposed_s{};  // of the critical path, per iteration; sums to time_s
  double samples_per_s = 0, tokens_per_s = 0;
  std::optional<double> usual_time_s;  // of one iteration by the usual algorithms, where a search compared both

  // What it took
  double model_flops = 0;        // of one iteration, nothing recomputed
  double model_utilisation = 0;  // of the peak of all NPUs (MFU)
  double npu_utilisation = 0;    // share of the time that an NPU computes, on average
  Facts facts;  // of the fabric, those that limit over the job's collectives; messages are of all jobs together
  std::uint32_t wavelengths_used = 0;  // the most of a collective
  Bytes traffic;                       // over all links of the fabric, by all jobs together
  std::vector<LinkClass> links;        // of the fabric, over the whole run
  std::vector<LevelResult> levels;     // of a composite, the lowest first; empty elsewhere
  placement::Memory memory;
  Energy npu_energy;             // of an iteration, at their data sheets' power
  NetworkEnergy network_energy;  // of an iteration; of several jobs each bears what its NPUs are of all
  Energy energy() const { return npu_energy + network_energy.total(); }

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

// What was chosen for requests of jobs, by job and by index of the request; nothing: what is usual. May be shorter than there are.
using JobChoices = std::vector<std::vector<std::optional<Choice>>>;

// Classes whose algorithm is "auto" are carried by what was chosen for them, or as usual: searching is plan/job_choice.h. With
// options.beat and one job: throws Beaten. Throws Error as run() does.
std::vector<IterationResult> run_jobs(const Experiment& experiment, const RunOptions& options = {},
                                      const JobChoices& choices = {});

// What a job computes with: its NPU, and the constants of its software. Throws Error(kInput).
placement::Machine machine_of(const Job& job);
// Servers over which the ranks that hold all experts stand, or those ranks where they are all in one.
int expert_groups(const placement::Strategy& strategy, const schedule::Capabilities& capabilities);

// The jobs on their nodes, with what they ask of the fabric, for those who choose. Throws as run_jobs.
std::vector<PlacedJob> place_jobs(const Experiment& experiment, const ChosenFabric& fabric);

}  // namespace helio::pipeline
