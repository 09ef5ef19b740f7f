// SPDX-License-Identifier: Apache-2.0
#include "pipeline/traced/job_loop.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <queue>
#include <tuple>

#include "base/budget.h"

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

}  // namespace

void pass_jobs(const JobStream& stream, Ground& ground, JobPaces& here, JobPaces& ideal, StreamResult& result) {
  Loop(stream, ground, here, ideal, result).run();
}

}  // namespace helio::pipeline
