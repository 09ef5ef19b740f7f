// SPDX-License-Identifier: Apache-2.0
#include "studies/oddl/logged_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "pipeline/traffic_comparison.h"
#include "studies/oddl/assumption.h"
#include "studies/oddl/chapters.h"
#include "workload/job_generator.h"

namespace helio::studies::oddl_study {
namespace {

const std::string kStudy = "studies";

// A network, and where jobs stand on it.
struct Machine {
  const char* name;
  const char* fabric;
  Words settings = {};
  bool scattered = false, patched = false;
  const char* words = "";
};

const std::vector<Machine>& machines() {
  static const std::vector<Machine> all = {
      {.name = "ODDL", .fabric = "oddl", .words = "each job on a slice of its own, one plane, 50 ms a WSS change"},
      {.name = "fat-tree, jobs anywhere",
       .fabric = "fat-tree",
       .scattered = true,
       .words = "k = 16, 1:1, ECMP, every job on free nodes drawn anywhere"},
      {.name = "fat-tree 4:1, jobs anywhere",
       .fabric = "fat-tree",
       .settings = {{"oversubscription", "4"}},
       .scattered = true,
       .words = "k = 16, 4:1 at the edge, ECMP, every job on free nodes drawn anywhere"},
      {.name = "fat-tree, jobs near",
       .fabric = "fat-tree",
       .words = "k = 16, 1:1, ECMP, every job on a run of free nodes where there is one"},
      {.name = "fat-tree 4:1, jobs near",
       .fabric = "fat-tree",
       .settings = {{"oversubscription", "4"}},
       .words = "k = 16, 4:1 at the edge, ECMP, every job on a run of free nodes where there is one"},
      {.name = "fat-tree 4:1, jobs near, sprayed",
       .fabric = "fat-tree",
       .settings = {{"oversubscription", "4"}, {"routing", "spray"}},
       .words = "k = 16, 4:1 at the edge, flows over all uplinks, every job on a run of free nodes where there is one"},
      {.name = "rings patched for each job",
       .fabric = "ring",
       .settings = {{"latency", "0 s"}},
       .patched = true,
       .words = "a patch panel joins the nodes of a job to a ring at full rate, one way round, before it begins"},
      {.name = "SiP-Ring",
       .fabric = "sip-ring",
       .words = "4 wavelengths, dark 25 us before each interval of 100 us; every job on neighbours of the ring"}};
  return all;
}

pipeline::StreamContender contender(const Machine& machine) {
  pipeline::Choice fabric{machine.fabric, kStudy, {{"nodes", {fmt::format("{}", kNodes), kStudy}}}};
  for (const auto& [name, value] : machine.settings) fabric.settings[name] = {value, kStudy};
  if (machine.patched) {
    fabric.settings["rate"] = {in_bits_per_second(kRate), kStudy};
    return {machine.name, std::move(fabric), true, 60};
  }
  return {machine.name, pipeline::at_node_rate(std::move(fabric), BitRate{kRate}), false, 0};
}

}  // namespace

const pipeline::StreamResult& LoggedJobs::on(const std::string& name) const {
  const auto found = std::ranges::find(results, name, &pipeline::StreamResult::name);
  assert(found != results.end() && "a machine of the study");
  return *found;
}

LoggedJobs run_logged_jobs(const std::string& log) {
  Settings settings = {{"nodes", {fmt::format("{}", kNodes), kStudy}},
                       {"nodes_per_gpu", {fmt::format("{:g}", kNodesPerGpu), kStudy}}};
  if (log.empty()) settings["load"] = {fmt::format("{:g}", kGeneratedLoad), kStudy};
  LoggedJobs jobs;
  jobs.stream = pipeline::stream_of(
      log.empty() ? workload::generate_jobs(kGeneratedJobs, 1, 1) : workload::read_job_logs({log}, "", "--log"),
      Parameters("jobs", pipeline::stream_parameters(), settings));
  for (const Machine& machine : machines()) {
    jobs.stream.scattered = machine.scattered;
    const pipeline::StreamContender one = contender(machine);
    jobs.results.push_back(*pipeline::compare_streams(jobs.stream, {one}, BitRate{kRate}).entries.front().result);
  }
  jobs.stream.scattered = false;
  return jobs;
}

Rows jobs_of_a_log(const LoggedJobs& jobs) {
  const pipeline::StreamResult& oddl = jobs.oddl();
  const Assumptions always{
      of_our_own(fmt::format("{} jobs of {}, load {:.2f}, {:g} nodes a GPU; models drawn by GPUs and duration, "
                             "data-parallel by one ring; docs/job-logs.md",
                             jobs.stream.jobs.size(), jobs.stream.columns == "generated" ? "a generator" : "a log",
                             jobs.stream.offered(), kNodesPerGpu)),
      of_our_own("mean over jobs of the time of running, without waiting, over what the log says")};
  Rows rows;
  for (const Machine& machine : machines()) {
    const pipeline::StreamResult& other = jobs.on(machine.name);
    const std::string name = machine.name;
    const Assumptions both = always + Assumptions{of_our_own(machine.words)};
    if (&other == &oddl)
      rows.push_back(derived_row("jobs of a log: ODDL's time over an ideal switch's", 1, oddl.slowdown, both,
                                 "a ring on circuits of its own has the full rate (papers/oddl.md 2.5)"));
    else if (machine.patched)
      rows.push_back(derived_row("jobs of a log: ODDL over " + name, 1, other.slowdown / oddl.slowdown, both,
                                 "both are rings at full rate; a minute to patch is waiting, not running"));
    else
      rows.push_back(published_row("jobs of a log: ODDL over " + name, name == "SiP-Ring" ? kOverSip : kOverTree,
                                   other.slowdown / oddl.slowdown, both));
  }
  rows.push_back(derived_row("jobs of a log: share of jobs on ODDL that others slow down", 0, oddl.shared, always,
                             "papers/oddl.md 7, item 8"));
  return rows;
}

}  // namespace helio::studies::oddl_study
