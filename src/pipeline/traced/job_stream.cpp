// SPDX-License-Identifier: Apache-2.0
#include "pipeline/traced/job_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "pipeline/traced/job_loop.h"
#include "pipeline/traced/job_paces.h"
#include "workload/job_models.h"

namespace helio::pipeline {
namespace {

Choice ideal_switch(const JobStream& stream, BitRate rate, const std::string& place) {
  return {"switch",
          place,
          {{"nodes", {fmt::format("{}", stream.nodes), place}},
           {"rate", {fmt::format("{:.17g} b/s", rate.value), place}},
           {"latency", {"0 s", place}}}};
}

}  // namespace

std::string_view name_of(QueueOrder order) { return order == QueueOrder::kFifo ? "fifo" : "overtaking"; }

double JobStream::offered() const {
  double asked = 0;
  for (const StreamJob& job : jobs) asked += job.work_s * job.nodes;
  const double while_s = jobs.empty() ? 0 : jobs.back().arrival_s;
  return while_s > 0 ? asked / (while_s * nodes) : 0;
}

const std::vector<Parameter>& stream_parameters() {
  static const std::vector<Parameter> parameters = {
      {.name = "nodes",
       .type = ParameterType::kInteger,
       .fallback = "1024",
       .minimum = "2",
       .maximum = "65536",
       .description = "of the cluster"},
      {.name = "nodes_per_gpu",
       .type = ParameterType::kNumber,
       .fallback = "1",
       .minimum = "0",
       .maximum = "65536",
       .minimum_exclusive = true,
       .description = "of ours for each GPU of the log, rounded up"},
      {.name = "jobs",
       .type = ParameterType::kInteger,
       .minimum = "1",
       .maximum = "10000000",
       .description = "the first so many of the log; unset: all",
       .optional = true},
      {.name = "load",
       .type = ParameterType::kNumber,
       .minimum = "0",
       .maximum = "1000",
       .minimum_exclusive = true,
       .description =
           "node-seconds that jobs ask for over those there are while they arrive: gaps between arrivals are "
           "stretched to it; unset: as the log has them",
       .optional = true},
      {.name = "seed",
       .type = ParameterType::kInteger,
       .fallback = "1",
       .minimum = "0",
       .description = "of the draws of models, and of jobs that are generated"},
      {.name = "queue",
       .type = ParameterType::kChoice,
       .fallback = "fifo",
       .description = "in the order of arrival, or who fits may overtake",
       .choices = {"fifo", "overtaking"}},
      {.name = "placement",
       .type = ParameterType::kChoice,
       .fallback = "near",
       .description = "on networks of links: runs of free nodes where there are any, or free nodes drawn anywhere",
       .choices = {"near", "scattered"}}};
  return parameters;
}

JobStream stream_of(const workload::JobLog& log, const Parameters& parameters) {
  JobStream stream{.source = log.source, .columns = log.columns, .rows = log.rows, .without = log.without, .jobs = {}};
  stream.nodes = static_cast<std::uint32_t>(parameters.integer("nodes"));
  stream.nodes_per_gpu = parameters.number("nodes_per_gpu");
  stream.seed = static_cast<std::uint64_t>(parameters.integer("seed"));
  if (parameters.text("queue") == "overtaking") stream.order = QueueOrder::kOvertaking;
  stream.scattered = parameters.text("placement") == "scattered";
  const std::size_t count =
      parameters.has("jobs")
          ? std::min<std::size_t>(log.jobs.size(), static_cast<std::size_t>(parameters.integer("jobs")))
          : log.jobs.size();

  const std::vector<std::size_t> models = workload::models_of(log.jobs, stream.seed);
  for (std::size_t i = 0; i < count; ++i) {
    const workload::LoggedJob& job = log.jobs[i];
    const double nodes = std::ceil(job.gpus * stream.nodes_per_gpu - 1e-9);
    if (nodes > stream.nodes)
      throw Error(ErrorKind::kInfeasible,
                  fmt::format("a job of {} GPUs is {:g} nodes, and there are {}", job.gpus, nodes, stream.nodes),
                  job.place, "Take fewer nodes for a GPU, or more in all.");
    stream.jobs.push_back({job.arrival_s, job.duration_s, static_cast<std::uint32_t>(nodes), models[i]});
  }
  if (!parameters.has("load")) return stream;
  const double offered = stream.offered();
  if (!(offered > 0))
    throw Error(ErrorKind::kInput, "all jobs arrive at once, which no gaps can be stretched of",
                parameters.place("load"), "Leave the load out.");
  stream.paced = offered / parameters.number("load");
  for (StreamJob& job : stream.jobs) job.arrival_s *= stream.paced;
  return stream;
}

StreamResult run_stream(const JobStream& stream, const StreamContender& contender, const Choice& ideal,
                        const std::function<void(std::string_view)>& progress) {
  if (progress) progress(contender.name);
  const ChosenFabric fabric(contender.fabric);
  StreamResult result{.name = contender.name, .fabric = contender.fabric.name};
  result.footing = contender.patched ? Footing::kPatched : footing_on(fabric);
  const auto ground = make_ground(result.footing, fabric, stream.nodes,
                                  {.setup_s = contender.setup_s, .scattered = stream.scattered, .seed = stream.seed});
  JobPaces here(contender.fabric, contender.patched, {}), over_switch(ideal, false, {});
  pass_jobs(stream, *ground, here, over_switch, result);
  result.paces = here.runs() + over_switch.runs();
  return result;
}

StreamComparison compare_streams(JobStream stream, const std::vector<StreamContender>& contenders, BitRate rate,
                                 const std::function<void(std::string_view)>& progress) {
  StreamComparison comparison{.stream = std::move(stream), .rate = rate, .entries = {}, .assumptions = {}};
  std::optional<Error> first;
  for (const StreamContender& contender : contenders) {
    comparison.entries.push_back({.name = contender.name, .result = {}, .refusal = {}});
    try {
      comparison.entries.back().result = run_stream(
          comparison.stream, contender, ideal_switch(comparison.stream, rate, contender.fabric.place), progress);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInfeasible) throw;
      comparison.entries.back().refusal = error.message() + ". " + error.advice();
      if (!first) first = error;
    }
  }
  if (first && std::ranges::none_of(comparison.entries, [](const auto& entry) { return entry.result.has_value(); }))
    throw *first;
  comparison.assumptions = {
      "what the log says a job ran for is what it runs for over an ideal switch of the same rate (ours)",
      fmt::format("a GPU of the log is {:g} of our nodes; models are drawn from GPUs and duration, seed {} "
                  "(docs/job-logs.md, ours)",
                  comparison.stream.nodes_per_gpu, comparison.stream.seed),
      "every job is data-parallel, a replica on each node, its gradients round a ring of its nodes (ours)",
      "a job's pace is that on the first nodes of the fabric; what others take of shared links is the mean of them "
      "(ours)"};
  return comparison;
}

}  // namespace helio::pipeline
