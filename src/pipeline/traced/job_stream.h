// SPDX-License-Identifier: Apache-2.0
// Jobs of a log on a fabric: they arrive, wait for nodes and light, run, and leave (docs/job-logs.md).
//
//     log, or generator ─▶ JobStream ──┬─▶ Ground of oddl      ─┐
//     jobs with nodes and models       ├─▶ Ground of fat-tree   ├─▶ arrivals and departures, one after the other ─▶ StreamResult
//                                      └─▶ …  JobPaces         ─┘
//
// What a log says a job ran for is what it runs for over an ideal switch whose nodes have the same rate: so much work it has, and on a
// fabric it takes iteration there / iteration on the ideal switch times as long. All fabrics get the same jobs, nodes and rate.
//
// The clock of this loop is in seconds of days and months; what is below a second happened in the engine, once for each pace.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/advice.h"
#include "base/catalogue.h"
#include "pipeline/experiment.h"
#include "pipeline/traced/job_ground.h"
#include "workload/job_log.h"

namespace helio::pipeline {

enum class QueueOrder : std::uint8_t { kFifo, kOvertaking };
std::string_view name_of(QueueOrder order);

struct StreamJob {
  double arrival_s = 0, work_s = 0;  // work_s: what it runs for over an ideal switch
  std::uint32_t nodes = 1;
  std::size_t model = 0;  // of workload::job_models()
};

struct JobStream {
  std::string source, columns;  // of the log
  std::uint64_t rows = 0;
  std::map<std::string, std::uint64_t> without;  // rows that were left out, by the reason
  std::vector<StreamJob> jobs;                   // by arrival
  std::uint32_t nodes = 1024;                    // of the cluster
  double nodes_per_gpu = 1;
  std::uint64_t seed = 1;
  QueueOrder order = QueueOrder::kFifo;
  bool scattered = false;  // on networks of links: nodes drawn anywhere
  double paced = 1;        // what the log's gaps between arrivals were multiplied with

  // Node-seconds that jobs ask for, over those there are while they arrive.
  double offered() const;
};

// Of a stream: nodes, nodes_per_gpu, jobs (the first so many), load, seed, queue, placement.
const std::vector<Parameter>& stream_parameters();
// Throws Error(kInfeasible) at its row for a job larger than the cluster.
JobStream stream_of(const workload::JobLog& log, const Parameters& parameters);

struct StreamContender {
  std::string name;  // in tables
  Choice fabric;     // with its nodes and its rate
  bool patched = false;
  double setup_s = 0;  // of a patch panel
};

struct Spread {
  double mean = 0, p50 = 0, p90 = 0, p99 = 0, most = 0;
};

struct StreamResult {
  std::string name, fabric;
  Footing footing = Footing::kLinks;
  Spread completion_s, waiting_s, running_s;  // from arrival to end; of that, before it ran; of that, running
  double slowdown = 1;                        // mean over jobs: running / work
  double by_others = 1;                       // mean over jobs: running / what it would be alone on the fabric
  double end_s = 0;                           // of the last job
  double node_utilisation = 0;                // these five while jobs arrive, on average over time
  double network_utilisation = 0;             // share of what all nodes could inject
  std::optional<double> light_utilisation;    // light that slices hold
  double fragmented = 0;
  double idle_while_waiting = 0;  // nodes that are free although somebody waits
  std::uint64_t changes = 0;      // of WSS, or of the patch panel
  double in_changes_s = 0;
  double masked = 0;          // share of jobs that began with another job in one of their groups
  double shared = 0;          // share of jobs that others slowed down
  std::uint64_t held_up = 0;  // jobs that waited while there were nodes enough: for light, or for neighbours
  std::vector<std::pair<double, double>> completions;  // seconds, and the share of jobs that took no longer
  std::size_t paces = 0;                               // runs of the engine
};

struct StreamComparison {
  struct Entry {
    std::string name;
    std::optional<StreamResult> result;
    Advice refusal;
  };
  JobStream stream;
  BitRate rate;
  std::vector<Entry> entries;
  std::vector<std::string> assumptions;
};

// Throws Error(kInput) for a fabric that jobs cannot share.
StreamResult run_stream(const JobStream& stream, const StreamContender& contender, const Choice& ideal,
                        const std::function<void(std::string_view)>& progress = {});

// All of them. One that refuses is an entry without a result; throws when all do.
StreamComparison compare_streams(JobStream stream, const std::vector<StreamContender>& contenders, BitRate rate,
                                 const std::function<void(std::string_view)>& progress = {});

}  // namespace helio::pipeline
