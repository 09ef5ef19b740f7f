// SPDX-License-Identifier: Apache-2.0
// What goes between replicas: gathered and streamed parameters, reduced gradients, the optimiser.
#include "placement/iteration.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "placement/pipeline_order.h"

namespace helio::placement {

std::vector<std::vector<NodeId>> Iteration::replicas(int stage, bool experts, int within, int across) const {
  // Counted with tensor ranks first, every so many hold the same
  const int ranks = strategy_.replicas() * strategy_.tp;
  const int classes = experts ? strategy_.expert_ranks() : strategy_.tp;
  std::vector<std::vector<NodeId>> groups;
  for (int e = 0; e < classes; ++e) {
    std::vector<NodeId> all;
    for (int i = e; i < ranks; i += classes) all.push_back(ranks_.node(stage, i / strategy_.tp, i % strategy_.tp));
    const std::size_t group = within > 0   ? std::min(static_cast<std::size_t>(within), all.size())
                              : across > 0 ? std::min(static_cast<std::size_t>(across), all.size())
                                           : all.size();
    const std::size_t groups_here = all.size() / group;
    for (std::size_t g = 0; across > 0 ? g < group : g < groups_here; ++g) {
      groups.emplace_back();
      for (std::size_t k = 0; k < (across > 0 ? groups_here : group); ++k)
        groups.back().push_back(all[across > 0 ? k * group + g : g * group + k]);
    }
  }
  return groups;
}

std::vector<std::uint32_t> Iteration::over_replicas(int stage, const RankParameters& parameters, schedule::Kind kind,
                                                    double bytes) {
  std::vector<std::uint32_t> requests;
  const int within = strategy_.zero_group;
  const auto add = [&](bool experts, bool between, schedule::Kind what, double size) {
    const auto [known, fresh] = over_replicas_.try_emplace({stage, experts, between, what, size}, 0u);
    if (fresh)
      known->second = add_request(
          Activity::kDp,
          {what, Bytes{size}, replicas(stage, experts, between ? 0 : within, between ? within : 0), 0, bytes});
    requests.push_back(known->second);
  };
  for (const bool experts : {false, true}) {
    const double count = experts ? parameters.expert : parameters.dense;
    const int holders = experts ? strategy_.expert_holders() : strategy_.replicas();
    if (count <= 0 || holders < 2) continue;
    const int among = within > 0 ? std::min(within, holders) : holders;
    if (among > 1) add(experts, false, kind, count * bytes);
    if (kind != schedule::Kind::kAllGather && holders > among)
      add(experts, true, schedule::Kind::kAllReduce, count * bytes / among);
  }
  return requests;
}

void Iteration::write_gathers(int stage) {
  const std::uint32_t row = row_named(fmt::format("parameters of stage {}", stage));
  std::vector<TaskId> before, last;
  std::map<std::tuple<int, bool, std::size_t>, std::vector<std::uint32_t>> requests;
  for (const Pass& pass : passes_of(strategy_, stage)) {
    if (!gathers_before(pass.backward, pass.micro_batch)) continue;
    const Part& part = parts_[static_cast<std::size_t>(stage)][static_cast<std::size_t>(pass.chunk)];
    const std::vector<Part> all = pieces(part, pass.backward, pass.micro_batch);
    for (std::size_t k = 0; k < all.size(); ++k) {
      const RankParameters parameters = parameters_of(all[k], workload_, strategy_);
      std::vector<TaskId> fetched;
      const bool there = strategy_.streaming && pass.micro_batch > 0;  // since the first micro-batch
      if (strategy_.streaming && !there) {
        fetched.push_back(body_.add(stream(stage, Verb::kStreamIn, TaskKind::kInput, parameters,
                                           stored_bytes_of(strategy_.precision), row, k)));
      } else if (!strategy_.streaming) {
        auto& known = requests[{pass.chunk, pass.backward, k}];
        if (known.empty())
          known = over_replicas(stage, parameters, schedule::Kind::kAllGather, stored_bytes_of(strategy_.precision));
        for (const std::uint32_t request : known)
          fetched.push_back(body_.add(
              collective(request, Activity::kDp, Verb::kGatherParameters, row, static_cast<std::uint32_t>(k))));
      }
      for (std::size_t i = 0; i < fetched.size(); ++i) {
        if (i > 0)
          depend(fetched[i - 1], fetched[i]);
        else if (!last.empty())
          depend(last.back(), fetched[i]);
        if (i == 0)
          for (const TaskId task : before) depend(task, fetched[i]);
      }
      std::vector<TaskId> computing;
      for (int block = 0; block < blocks_; ++block) {
        const TaskId task = run(pass.backward, virtual_stage(stage, pass.chunk), pass.micro_batch, block).piece(k);
        if (!fetched.empty()) depend(fetched.back(), task);
        computing.push_back(task);
      }
      if (!fetched.empty()) last = fetched;
      if (there)
        computing_ = computing;
      else
        before = std::exchange(computing_, computing);  // the piece before the one that is being computed
    }
  }
  computing_.clear();
}

Task Iteration::stream(int stage, Verb verb, TaskKind kind, const RankParameters& parameters, double bytes,
                       std::uint32_t row, std::size_t number) {
  Task task;
  task.index = stream_to(replicas(stage, false));
  task.kind = kind;
  task.activity = Activity::kStreaming;
  task.verb = verb;
  task.row = row;
  task.number = static_cast<std::uint32_t>(number);
  task.bytes = {(parameters.dense * strategy_.tp + parameters.expert * strategy_.expert_ranks()) * bytes};
  return task;
}

void Iteration::write_reductions(int stage) {
  const std::uint32_t row = row_named(fmt::format("gradients of stage {}", stage));
  // One memory outside takes every replica's share of the sums; several take all of them each
  const bool shares = strategy_.zero > 0 || (strategy_.streaming && !strategy_.own_memories);
  const bool added_outward = strategy_.streaming && strategy_.fabric_io && !strategy_.own_memories;
  const schedule::Kind kind = shares ? schedule::Kind::kReduceScatter : schedule::Kind::kAllReduce;
  bool any = false;
  TaskId last = 0;
  std::map<std::pair<int, std::size_t>, std::vector<std::uint32_t>> requests;
  const auto write = [&](TaskId task) {
    if (any) depend(last, task);
    any = true;
    last = task;
  };
  // In the order in which backward runs
  for (const Pass& pass : passes_of(strategy_, stage)) {
    if (!pass.backward || !reduces_after(pass.micro_batch)) continue;
    const std::uint64_t m = pass.micro_batch;
    const int chunk = pass.chunk;
    {
      const Part& part = parts_[static_cast<std::size_t>(stage)][static_cast<std::size_t>(chunk)];
      const std::vector<Part> all = pieces(part, true, m);
      for (std::size_t k = 0; k < all.size(); ++k) {
        RankParameters parameters = parameters_of(all[k], workload_, strategy_);
        if (strategy_.pp == 1 && chunk == strategy_.chunks - 1 && k == 0)  // shared with the first layer, reduced there
          parameters.dense -= static_cast<double>(workload_.tied_parameters) / strategy_.tp;
        auto& known = requests[{chunk, k}];
        if (known.empty() && !added_outward)
          known = over_replicas(stage, parameters, kind, bytes_of(strategy_.gradient_precision));
        std::vector<TaskId> tasks;
        for (const std::uint32_t request : known)
          tasks.push_back(body_.add(
              collective(request, Activity::kDp, Verb::kReduceGradients, row, static_cast<std::uint32_t>(k))));
        if (strategy_.streaming)
          tasks.push_back(body_.add(stream(stage, Verb::kStreamOut, TaskKind::kOutput, parameters,
                                           bytes_of(strategy_.gradient_precision), row, k)));
        for (std::size_t i = 0; i < tasks.size(); ++i) {
          write(tasks[i]);
          if (i > 0) continue;
          for (int block = 0; block < blocks_; ++block)
            depend(strategy_.overlap ? run(true, virtual_stage(stage, chunk), m, block).piece(k)
                                     : last_of_cell_[static_cast<std::size_t>(stage * blocks_ + block)],
                   tasks[i]);
        }
      }
    }
  }
  if (any) reduced_.push_back({stage, last});
}

void Iteration::write_tied() {
  if (workload_.tied_parameters == 0 || strategy_.pp == 1) return;
  schedule::CollectiveRequest request;
  request.kind = schedule::Kind::kAllReduce;
  request.bytes = {static_cast<double>(workload_.tied_parameters) / strategy_.tp *
                   bytes_of(strategy_.gradient_precision)};
  for (int block = 0; block < blocks_; ++block)
    for (auto& pair :
         cells_.front()[static_cast<std::size_t>(block)].pairs_with(cells_.back()[static_cast<std::size_t>(block)]))
      request.groups.push_back(std::move(pair));
  const TaskId task = body_.add(collective(add_request(Activity::kDp, std::move(request)), Activity::kDp,
                                           Verb::kReduceGradients, row_named("gradients of the shared embedding"), 0));
  for (const int stage : {0, strategy_.pp - 1}) wait_for_gradients(stage, task);
  tied_ = task;
}

void Iteration::wait_for_gradients(int stage, TaskId task) {
  for (const auto& [of, last] : reduced_)
    if (of == stage) depend(last, task);
  // The last pieces may have had nothing to reduce
  for (int block = 0; block < blocks_; ++block)
    depend(last_of_cell_[static_cast<std::size_t>(stage * blocks_ + block)], task);
}

void Iteration::write_optimisers() {
  // Everyone waits for everyone where the norm of all gradients is needed
  TaskId norm = kNone;
  if (strategy_.clip) {
    Task task;
    task.verb = Verb::kOptimiser;
    norm = body_.add(task);
    for (int stage = 0; stage < strategy_.pp; ++stage) wait_for_gradients(stage, norm);
    if (tied_ != kNone) depend(tied_, norm);
  }
  for (int stage = 0; stage < strategy_.pp; ++stage) {
    RankParameters parameters;
    for (const Part& part : parts_[static_cast<std::size_t>(stage)]) {
      const RankParameters more = parameters_of(part, workload_, strategy_);
      parameters.dense += more.dense;
      parameters.expert += more.expert;
    }
    if (strategy_.pp == 1) parameters.dense -= static_cast<double>(workload_.tied_parameters) / strategy_.tp;
    std::vector<TaskId> updates;
    for (int block = 0; block < blocks_; ++block) {
      const Cell& cell = cells_[static_cast<std::size_t>(stage)][static_cast<std::size_t>(block)];
      Task task;
      task.verb = Verb::kOptimiser;
      task.row = cell.row();
      const int among = strategy_.zero_group > 0 ? strategy_.zero_group : strategy_.replicas();
      const double divided = strategy_.zero >= 1 ? parameters.dense / among +
                                                       parameters.expert / std::min(among, strategy_.expert_holders())
                                                 : parameters.all();
      task.duration = cell.optimiser(divided);
      const TaskId update = body_.add(task);
      if (norm != kNone)
        depend(norm, update);
      else
        wait_for_gradients(stage, update);
      if (norm == kNone && tied_ != kNone && (stage == 0 || stage == strategy_.pp - 1)) depend(tied_, update);
      updates.push_back(update);
      computed_[static_cast<std::size_t>(stage * blocks_ + block)] += task.duration;
    }
    if (strategy_.gather_ahead || (strategy_.zero != 1 && strategy_.zero != 2)) continue;
    const std::uint32_t row = row_named(fmt::format("parameters of stage {}", stage));
    for (const std::uint32_t request :
         over_replicas(stage, parameters, schedule::Kind::kAllGather, stored_bytes_of(strategy_.precision))) {
      const TaskId gather = body_.add(collective(request, Activity::kDp, Verb::kGatherParameters, row, 0));
      for (const TaskId update : updates) depend(update, gather);
    }
  }
}

}  // namespace helio::placement
