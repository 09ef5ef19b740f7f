// SPDX-License-Identifier: Apache-2.0
#include "placement/cell.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace helio::placement {

Cell::Cell(const workload::Workload& workload, const Strategy& strategy, const Machine& machine, const RankMap& ranks,
           int stage, int block, Program& program)
    : workload_(workload),
      strategy_(strategy),
      machine_(machine),
      ranks_(ranks),
      stage_(stage),
      block_(block),
      program_(program),
      row_(static_cast<std::uint32_t>(program.rows.size())) {
  const int size = strategy.block();
  program.rows.push_back(size == 1
                             ? fmt::format("stage {}, replica {}", stage, block)
                             : fmt::format("stage {}, replicas {}-{}", stage, block * size, (block + 1) * size - 1));
  // The slowest of its ranks sets the pace
  for (const auto& group : tensor_groups())
    for (const NodeId node : group)
      if (const auto slow = strategy.speed.find(node.value); slow != strategy.speed.end())
        slowness_ = std::max(slowness_, 1 / slow->second);
}

// Ranks of a cell are counted with the tensor ranks of a replica first. Groups of `size` members, `stride` apart.
std::vector<std::vector<NodeId>> Cell::groups_of(int size, int stride) const {
  std::vector<std::vector<NodeId>> groups;
  const int all = strategy_.block() * strategy_.tp;
  for (int base = 0; base < all; base += size * stride)
    for (int first = base; first < base + stride; ++first) {
      groups.emplace_back();
      for (int k = 0; k < size; ++k) groups.back().push_back(member(first + k * stride));
    }
  return groups;
}

std::vector<std::vector<NodeId>> Cell::tensor_groups() const { return groups_of(strategy_.tp, 1); }
std::vector<std::vector<NodeId>> Cell::expert_groups() const { return groups_of(strategy_.ep, strategy_.of_expert()); }
std::vector<std::vector<NodeId>> Cell::context_groups() const { return groups_of(strategy_.cp, strategy_.tp); }

std::vector<std::vector<NodeId>> Cell::pairs_with(const Cell& other) const {
  std::vector<std::vector<NodeId>> pairs;
  const auto mine = tensor_groups(), theirs = other.tensor_groups();
  for (std::size_t e = 0; e < mine.size(); ++e)
    for (std::size_t t = 0; t < mine[e].size(); ++t) pairs.push_back({mine[e][t], theirs[e][t]});
  return pairs;
}

std::vector<std::vector<NodeId>> Cell::first_with_all(const Cell& other) const {
  std::vector<std::vector<NodeId>> groups;
  const auto mine = tensor_groups(), theirs = other.tensor_groups();
  for (std::size_t e = 0; e < mine.size(); ++e) {
    groups.push_back({mine[e].front()});
    groups.back().insert(groups.back().end(), theirs[e].begin(), theirs[e].end());
  }
  return groups;
}

Time Cell::scaled(Time time) const { return slowness_ == 1 ? time : Time::seconds(time.to_seconds() * slowness_); }

const Work& Cell::work(std::uint32_t layer, Direction direction) {
  const auto key = std::pair(layer, direction);
  const auto found = works_.find(key);
  if (found != works_.end()) return found->second;
  const Division division = strategy_.division();
  const workload::Layer& what = workload_.layers[layer];
  Work work = direction == Direction::kForward
                  ? forward(what, division, machine_.npu, strategy_.precision, machine_.constants)
                  : backward(what, division, machine_.npu, strategy_.precision, machine_.constants,
                             is_recomputed(workload_, layer) ? strategy_.recomputed() : Recomputed{});
  work.host = scaled(work.host);
  work.skew = scaled(work.skew);
  for (Piece& piece : work.pieces) {
    piece.device = scaled(piece.device);
    piece.beside = scaled(piece.beside);
  }
  return works_[key] = std::move(work);
}

std::uint32_t Cell::request(Activity activity, schedule::Kind kind, Bytes bytes) {
  const auto key = std::tuple(activity, kind, bytes.value);
  if (const auto found = requests_.find(key); found != requests_.end()) return found->second;
  program_.requests.push_back({activity,
                               {kind, bytes,
                                activity == Activity::kEp   ? expert_groups()
                                : activity == Activity::kCp ? context_groups()
                                                            : tensor_groups(),
                                0}});
  return requests_[key] = static_cast<std::uint32_t>(program_.requests.size() - 1);
}

// Adds what follows a piece; `last` is the task that it waits for, and becomes the one that others wait for.
void Cell::append_exchange(Body& body, const Piece& piece, std::uint32_t& last) {
  const Bytes bytes{piece.elements * stored_bytes_of(strategy_.precision)};
  const auto add = [&](Activity activity, schedule::Kind kind, Bytes size) {
    Task task;
    task.kind = TaskKind::kCollective;
    task.activity = activity;
    task.verb = Verb::kExchange;
    task.row = row_;
    task.index = request(activity, kind, size);
    const std::uint32_t next = body.add(task);
    body.dependencies.push_back({last, next});
    last = next;
  };
  switch (piece.exchange) {
    case workload::Exchange::kNone: return;
    case workload::Exchange::kReduce:
      if (strategy_.tp == 1) return;
      if (!strategy_.sequence_parallel) return add(Activity::kTp, schedule::Kind::kAllReduce, bytes);
      add(Activity::kTp, schedule::Kind::kReduceScatter, bytes);
      return add(Activity::kTp, schedule::Kind::kAllGather, bytes);
    case workload::Exchange::kContext:  // forward keys and values come; backward they come and their gradients go
      if (strategy_.cp == 1) return;
      return add(Activity::kCp, schedule::Kind::kAllGather, bytes / strategy_.tp);
    case workload::Exchange::kDispatch:
    case workload::Exchange::kCombine:
      if (strategy_.ep == 1) return;
      return add(Activity::kEp, schedule::Kind::kAllToAll, strategy_.sequence_parallel ? bytes / strategy_.tp : bytes);
  }
}

std::uint32_t Cell::layer_body(std::uint32_t layer, Direction direction) {
  const auto key = std::pair(layer, direction);
  if (const auto found = bodies_.find(key); found != bodies_.end()) return found->second;
  const Work& all = work(layer, direction);
  Body body;
  body.name = fmt::format("{} {}, {}", workload_.layers[layer].name,
                          direction == Direction::kForward ? "forward" : "backward", program_.rows[row_]);
  std::vector<std::uint32_t> before;  // what the next piece waits for
  for (const Piece& piece : all.pieces) {
    Task task;
    task.verb = Verb::kLayer;
    task.row = row_;
    task.duration = piece.device;
    task.number = layer;
    const std::uint32_t computed = body.add(task);
    for (const std::uint32_t earlier : before) body.dependencies.push_back({earlier, computed});
    std::uint32_t exchanged = computed;
    append_exchange(body, piece, exchanged);
    before = {exchanged};
    if (piece.beside.is_zero()) continue;
    task.duration = piece.beside;
    before.push_back(body.add(task));
    body.dependencies.push_back({computed, before.back()});
  }
  if (!runs_ahead() && !(all.host.is_zero() && all.skew.is_zero())) append_host(body, {layer, 1}, direction);
  program_.bodies.push_back(std::move(body));
  return bodies_[key] = static_cast<std::uint32_t>(program_.bodies.size() - 1);
}

std::pair<std::uint32_t, std::uint32_t> Cell::append_host(Body& body, const Slice& slice, Direction direction) {
  const Work& all = work(slice.layer, direction);
  const auto count = static_cast<std::int64_t>(slice.count);
  Task issue;
  issue.verb = Verb::kHost;
  issue.row = row_;
  issue.number = slice.layer;
  issue.duration = all.host * count;
  const std::uint32_t first = body.add(issue);
  if (all.skew.is_zero()) return {first, first};
  issue.activity = strategy_.tp > 1 ? Activity::kTp : Activity::kEp;
  issue.duration = all.skew * count;
  const std::uint32_t last = body.add(issue);
  body.dependencies.push_back({first, last});
  return {first, last};
}

Cell::Pass Cell::pass(const Part& part, Direction direction, std::uint64_t times) {
  const auto times_signed = static_cast<std::int64_t>(times);
  Part ordered = part;
  if (direction == Direction::kBackward) std::reverse(ordered.begin(), ordered.end());

  // What it takes without exchanges. Of equal layers the device is through when the last is, each behind the one before and
  // behind its own issue
  Time done, issued;
  double flops = 0;
  bool exchanges = false, waits = false;
  for (const Slice& slice : ordered) {
    const Work& all = work(slice.layer, direction);
    const auto count = static_cast<std::int64_t>(slice.count);
    Time device;
    for (const Piece& piece : all.pieces) {
      device += piece.device + piece.beside;
      exchanges = exchanges || piece.exchange != workload::Exchange::kNone;
    }
    waits = waits || !all.host.is_zero() || !all.skew.is_zero();
    done = runs_ahead() ? std::max(done + device * count, issued + std::max(device, all.host) * count)
                        : done + std::max(device, all.host) * count;
    issued += all.host * count;
    flops += all.flops * static_cast<double>(slice.count) * static_cast<double>(times);
  }

  Task task;
  task.verb = direction == Direction::kForward ? Verb::kForward : Verb::kBackward;
  task.row = row_;
  task.duration = done * times_signed;
  const Time compute = task.duration;
  if (!exchanges) return {task, compute, flops};

  // A body: the layers one after the other, and beside them the host
  Body body;
  body.name = fmt::format("{}, {}", name_of(task.verb), program_.rows[row_]);
  std::optional<std::uint32_t> before, host;
  for (const Slice& slice : ordered) {
    Task layers;
    layers.kind = TaskKind::kBody;
    layers.row = row_;
    layers.number = slice.layer;
    layers.rounds = slice.count;
    layers.index = layer_body(slice.layer, direction);
    const std::uint32_t next = body.add(layers);
    if (before) body.dependencies.push_back({*before, next});
    if (host) body.dependencies.push_back({*host, next});
    before = next;
    if (!waits || !runs_ahead()) continue;
    const auto [first, last] = append_host(body, slice, direction);
    if (host) body.dependencies.push_back({*host, first});
    host = last;
  }
  program_.bodies.push_back(std::move(body));
  task.kind = TaskKind::kBody;
  task.duration = Time();
  task.rounds = times;
  task.index = static_cast<std::uint32_t>(program_.bodies.size() - 1);
  return {task, compute, flops};
}

Time Cell::optimiser(double parameters) const {
  return scaled(optimiser_time(parameters, machine_.npu, machine_.constants));
}

}  // namespace helio::placement
