// SPDX-License-Identifier: Apache-2.0
#include "pipeline/traced/job_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <queue>

#include "base/budget.h"
#include "base/error.h"
#include "pipeline/traced/job_paces.h"
#include "workload/job_models.h"

namespace helio::pipeline {
namespace {

constexpr std::size_t kPoints = 100;  // of the curve of completion times

Spread spread_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  const auto at = [&](double part) {
    const auto rank = static_cast<std::size_t>(std::ceil(part * static_cast<double>(values.size()) - 1e-9));
    return values[std::max<std::size_t>(rank, 1) - 1];
  };
  return {std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size()), at(0.5), at(0.9),
          at(0.99), values.back()};
}

std::vector<std::pair<double, double>> curve_of(std::vector<double> values) {
  std::ranges::sort(values);
  std::vector<std::pair<double, double>> points;
  for (std::size_t i = 1; i <= kPoints; ++i) {
    const std::size_t upto = (values.size() * i + kPoints - 1) / kPoints;
    const double share = static_cast<double>(upto) / static_cast<double>(values.size());
    if (points.empty() || points.back().second < share) points.emplace_back(values[upto - 1], share);
  }
  return points;
}

// Arrivals and departures on one ground.
class Loop {
 public:
  Loop(const JobStream& stream, Ground& ground, JobPaces& here, JobPaces& ideal, StreamResult& result)
      : stream_(stream), ground_(ground), here_(here), ideal_(ideal), result_(result), told_(stream.jobs.size()) {}

  void run() {
    std::size_t next = 0;
    const std::vector<StreamJob>& jobs = stream_.jobs;
    last_arrival_ = jobs.back().arrival_s;
    while (next < jobs.size() || !ends_.empty()) {
      Budget::spend(1000);
      const bool arrives = next < jobs.size() && (ends_.empty() || jobs[next].arrival_s < ends_.top().at);
      if (arrives) {
        pass(jobs[next].arrival_s);
        waiting_.push_back(static_cast<std::uint32_t>(next++));
        if (waiting_.size() == 1 || stream_.order == QueueOrder::kOvertaking) start_last();
        continue;
      }
      const End end = ends_.top();
      ends_.pop();
      if (end.version != told_[end.job].version) continue;
      pass(end.at);
      finish(end.job);
      start_waiting();
    }
    tell();
  }

 private:
  struct Told {
    double begin = 0, end = 0;   // of running, set-up left out
    double left = 0, speed = 0;  // work, and work per second
    double since = 0;            // when `left` was so
    double alone_s = 0;          // that it would run alone on the fabric
    double duty = 0;
    std::uint32_t version = 0;
    bool shared = false, held_up = false;
  };
  struct End {
    double at;
    std::uint32_t job, version;
    bool operator<(const End& other) const { return std::tie(other.at, other.job) < std::tie(at, job); }
  };

  // Time goes on: what was is counted while jobs arrive.
  void pass(double until) {
    const double from = std::min(now_, last_arrival_), to = std::min(until, last_arrival_), dt = to - from;
    now_ = until;
    if (!(dt > 0)) return;
    const double free = ground_.free_nodes();
    counted_ += dt;
    busy_ += dt * (stream_.nodes - free);
    carried_ += dt * carrying_;
    fragmented_ += dt * ground_.fragmented();
    if (!waiting_.empty()) idle_ += dt * free;
    if (const auto lit = ground_.lit()) lit_ = lit_.value_or(0) + dt * *lit;
  }

  // True: it runs.
  bool start(std::uint32_t job) {
    const StreamJob& asked = stream_.jobs[job];
    Told& told = told_[job];
    const JobPace& pace = here_(asked.model, asked.nodes);
    const auto stand = ground_.enter(job, asked.nodes, pace.duty);
    if (!stand) {
      if (asked.nodes <= ground_.free_nodes()) told.held_up = true;
      return false;
    }
    const std::vector<std::uint32_t> others = ground_.touched();
    told.begin = told.since = now_ + stand->setup_s;
    told.left = asked.work_s;
    told.duty = pace.duty;
    told.alone_s = asked.work_s * here_.iteration_s(asked.model, asked.nodes, ground_.slower(job).alone) / ideal_s(job);
    carrying_ += told.duty * asked.nodes;
    result_.changes += stand->changes;
    result_.in_changes_s += stand->setup_s;
    result_.masked += stand->masked;
    set_speed(job);
    for (const std::uint32_t other : others) set_speed(other);
    return true;
  }

  double ideal_s(std::uint32_t job) { return ideal_(stream_.jobs[job].model, stream_.jobs[job].nodes).iteration_s; }

  // How fast it goes from now on, and when it ends so.
  void set_speed(std::uint32_t job) {
    Told& told = told_[job];
    const StreamJob& asked = stream_.jobs[job];
    const Ground::Slower slower = ground_.slower(job);
    const double speed = ideal_s(job) / here_.iteration_s(asked.model, asked.nodes, slower.now);
    if (slower.now > slower.alone * (1 + 1e-9)) told.shared = true;
    if (speed == told.speed) return;
    if (now_ > told.since) {
      told.left = std::max(0.0, told.left - (now_ - told.since) * told.speed);
      told.since = now_;
    }
    told.speed = speed;
    ends_.push({told.since + told.left / speed, job, ++told.version});
  }

  void finish(std::uint32_t job) {
    Told& told = told_[job];
    told.end = now_;
    ++told.version;
    carrying_ -= told.duty * stream_.jobs[job].nodes;
    ground_.leave(job);
    const std::vector<std::uint32_t> others = ground_.touched();
    for (const std::uint32_t other : others) set_speed(other);
  }

  void start_last() {
    if (start(waiting_.back())) waiting_.pop_back();
  }

  // In the order in which they came; in a queue where others may overtake, each that fits. Who wants no fewer nodes than one that was
  // refused at this moment is not asked again.
  void start_waiting() {
    if (stream_.order == QueueOrder::kFifo) {
      while (!waiting_.empty() && start(waiting_.front())) waiting_.pop_front();
      return;
    }
    std::uint32_t refused = 0xffffffffu;
    std::deque<std::uint32_t> still;
    for (const std::uint32_t job : waiting_) {
      const std::uint32_t nodes = stream_.jobs[job].nodes;
      if (nodes < refused && start(job)) continue;
      refused = std::min(refused, nodes);
      still.push_back(job);
    }
    waiting_ = std::move(still);
  }

  void tell() {
    const auto count = static_cast<double>(told_.size());
    std::vector<double> completion, waiting, running;
    double slowdown = 0, by_others = 0;
    for (std::size_t j = 0; j < told_.size(); ++j) {
      const Told& told = told_[j];
      const double arrival = stream_.jobs[j].arrival_s;
      completion.push_back(told.end - arrival);
      waiting.push_back(told.begin - arrival);
      running.push_back(told.end - told.begin);
      slowdown += running.back() / stream_.jobs[j].work_s;
      by_others += running.back() / told.alone_s;
      result_.shared += told.shared / count;
      result_.held_up += told.held_up;
      result_.end_s = std::max(result_.end_s, told.end);
    }
    result_.masked /= count;
    result_.slowdown = slowdown / count;
    result_.by_others = by_others / count;
    result_.completions = curve_of(completion);
    result_.completion_s = spread_of(std::move(completion));
    result_.waiting_s = spread_of(std::move(waiting));
    result_.running_s = spread_of(std::move(running));
    if (!(counted_ > 0)) return;
    const double whole = counted_ * stream_.nodes;
    result_.node_utilisation = busy_ / whole;
    result_.network_utilisation = carried_ / whole;
    result_.fragmented = fragmented_ / counted_;
    result_.idle_while_waiting = idle_ / whole;
    if (lit_) result_.light_utilisation = *lit_ / counted_;
  }

  const JobStream& stream_;
  Ground& ground_;
  JobPaces &here_, &ideal_;
  StreamResult& result_;
  std::vector<Told> told_;
  std::deque<std::uint32_t> waiting_;
  std::priority_queue<End> ends_;
  double now_ = 0, last_arrival_ = 0;
  double counted_ = 0, busy_ = 0, carried_ = 0, carrying_ = 0, fragmented_ = 0, idle_ = 0;
  std::optional<double> lit_;
};

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
  Loop(stream, *ground, here, over_switch, result).run();
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
