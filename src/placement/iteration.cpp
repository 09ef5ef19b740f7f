// SPDX-License-Identifier: Apache-2.0
#include "placement/iteration.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "placement/pipeline_order.h"

namespace helio::placement {

Iteration::Iteration(const workload::Workload& workload, const Strategy& strategy, const Machine& machine,
                     const std::vector<std::vector<Part>>& parts, Program& program)
    : workload_(workload), strategy_(strategy), machine_(machine), parts_(parts), program_(program), ranks_(strategy) {
  const bool at_once = strategy.streaming && strategy.pp == 1;  // all micro-batches in one pass
  times_ = at_once ? strategy.micro_batches : 1;
  rounds_ = at_once ? 1 : strategy.micro_batches;
  blocks_ = strategy.replicas() / strategy.block();
  for (int stage = 0; stage < strategy.pp; ++stage) {
    cells_.emplace_back();
    for (int block = 0; block < blocks_; ++block)
      cells_.back().emplace_back(workload, strategy, machine, ranks_, stage, block, program);
  }
}

void Iteration::write() {
  for (int stage = 0; stage < strategy_.pp; ++stage) {
    write_passes(stage);
    if (gathers()) write_gathers(stage);
  }
  write_sends();
  write_loads();
  if (reduces())
    for (int stage = 0; stage < strategy_.pp; ++stage) write_reductions(stage);
  if (strategy_.streaming) return finish();
  write_tied();
  write_optimisers();
  finish();
}

Iteration::Run& Iteration::run(bool backward, int virtual_stage, std::uint64_t micro_batch, int block) {
  const std::size_t stages = static_cast<std::size_t>(strategy_.pp) * static_cast<std::size_t>(strategy_.chunks);
  const std::size_t at =
      ((static_cast<std::size_t>(backward) * stages + static_cast<std::size_t>(virtual_stage)) * rounds_ +
       micro_batch) *
          static_cast<std::size_t>(blocks_) +
      static_cast<std::size_t>(block);
  if (runs_.empty()) runs_.resize(2 * stages * rounds_ * static_cast<std::size_t>(blocks_));
  return runs_[at];
}

std::vector<Part> Iteration::pieces(const Part& part, bool backward, std::uint64_t micro_batch) const {
  const bool reduce_meanwhile = backward && reduces() && strategy_.overlap && reduces_after(micro_batch);
  const double bucket = strategy_.bucket.value / bytes_of(strategy_.gradient_precision) * strategy_.tp;
  std::vector<Part> result =
      pieces_of(part, workload_, gathers_before(backward, micro_batch) || reduce_meanwhile ? bucket : 0);
  if (backward) std::reverse(result.begin(), result.end());
  return result;
}

void Iteration::write_passes(int stage) {
  const std::vector<Pass> passes = passes_of(strategy_, stage);
  for (int block = 0; block < blocks_; ++block) {
    Cell& cell = cells_[static_cast<std::size_t>(stage)][static_cast<std::size_t>(block)];
    std::map<std::tuple<bool, int, bool>, std::vector<Script>> scripts;  // direction, chunk, in pieces
    bool any = false;
    TaskId last = 0;
    Time computed;
    for (const Pass& pass : passes) {
      const Part& part = parts_[static_cast<std::size_t>(stage)][static_cast<std::size_t>(pass.chunk)];
      const bool apart = pass.backward ? reduces_after(pass.micro_batch) : gathers_before(false, pass.micro_batch);
      auto& script = scripts[{pass.backward, pass.chunk, apart}];
      if (script.empty())
        for (Part& piece : pieces(part, pass.backward, pass.micro_batch)) {
          const Direction direction = pass.backward ? Direction::kBackward : Direction::kForward;
          Cell::Pass written = cell.pass(piece, direction, times_);
          script.push_back({std::move(piece), written});
        }
      Run& now = run(pass.backward, virtual_stage(stage, pass.chunk), pass.micro_batch, block);
      for (const Script& piece : script) {
        Task task = piece.pass.task;
        task.number = static_cast<std::uint32_t>(pass.micro_batch);
        const TaskId next = body_.add(task);
        if (any) depend(last, next);
        any = true;
        last = next;
        if (now.count++ == 0) now.first = next;
        computed += piece.pass.compute;
        program_.done_flops += piece.pass.flops * strategy_.tp * strategy_.block();
      }
    }
    last_of_cell_.push_back(last);
    computed_.push_back(computed);
  }
}

std::vector<TaskId> Iteration::next_in_cell() const {
  std::vector<TaskId> next(body_.tasks.size(), kNone);
  for (const Dependency& dependency : body_.dependencies)
    if (body_.tasks[dependency.from].row == body_.tasks[dependency.to].row && runs_pass(dependency.from) &&
        runs_pass(dependency.to))
      next[dependency.from] = dependency.to;
  return next;
}

bool Iteration::runs_pass(TaskId id) const {
  const Verb verb = body_.tasks[id].verb;
  return verb == Verb::kForward || verb == Verb::kBackward;
}

void Iteration::write_sends() {
  const int stages = strategy_.pp * strategy_.chunks;
  const std::vector<TaskId> next = strategy_.blocking_sends ? next_in_cell() : std::vector<TaskId>{};
  for (const bool backward : {false, true})
    for (int from = backward ? stages - 1 : 0; backward ? from > 0 : from + 1 < stages; from += backward ? -1 : 1) {
      const int to = backward ? from - 1 : from + 1;
      for (int block = 0; block < blocks_; ++block) {
        const bool moves = strategy_.pp > 1;
        const std::uint32_t send = moves ? send_body(from, to, backward, block) : 0;
        for (std::uint64_t m = 0; m < rounds_; ++m) {
          const TaskId sender = run(backward, from, m, block).last(), receiver = run(backward, to, m, block).first;
          if (!moves) {
            depend(sender, receiver);
            continue;
          }
          Task task;
          task.kind = TaskKind::kBody;
          task.activity = Activity::kPp;
          task.verb = backward ? Verb::kSendBackward : Verb::kSendForward;
          task.row = body_.tasks[sender].row;
          task.number = static_cast<std::uint32_t>(m);
          task.index = send;
          const TaskId sent = body_.add(task);
          depend(sender, sent);
          depend(sent, receiver);
          if (!next.empty() && next[sender] != kNone && next[sender] != receiver) depend(sent, next[sender]);
        }
      }
    }
}

std::uint32_t Iteration::send_body(int from, int to, bool backward, int block) {
  const auto cell = [&](int virtual_stage) -> const Cell& {
    return cells_[static_cast<std::size_t>(virtual_stage % strategy_.pp)][static_cast<std::size_t>(block)];
  };
  const int earlier = backward ? to : from;
  const Part& part =
      parts_[static_cast<std::size_t>(earlier % strategy_.pp)][static_cast<std::size_t>(earlier / strategy_.pp)];
  const double elements = workload_.layers[part.back().layer].output_elements * strategy_.micro_batch / strategy_.cp;
  const bool multicast = strategy_.multicast_sends && strategy_.tp > 1;
  const bool divided = !multicast && (strategy_.sequence_parallel || strategy_.scattered_sends);
  const Bytes whole{elements * stored_bytes_of(strategy_.precision)};
  schedule::CollectiveRequest request;
  request.kind = schedule::Kind::kBroadcast;
  request.bytes = whole / (divided ? strategy_.tp : 1);
  request.groups = multicast ? cell(from).first_with_all(cell(to)) : cell(from).pairs_with(cell(to));

  Body body;
  body.name = fmt::format("send, {}", program_.rows[cell(from).row()]);
  Task launch;
  launch.activity = Activity::kPp;
  launch.verb = backward ? Verb::kSendBackward : Verb::kSendForward;
  launch.row = cell(from).row();
  launch.duration = machine_.constants.transfer_launch;
  body.add(launch);
  body.add(collective(add_request(Activity::kPp, std::move(request)), Activity::kPp, launch.verb, launch.row, 0));
  body.dependencies.push_back({0, 1});
  if (divided && !strategy_.sequence_parallel && strategy_.tp > 1) {  // put together again on arrival
    const std::uint32_t gather =
        add_request(Activity::kPp, {schedule::Kind::kAllGather, whole, cell(to).tensor_groups(), 0});
    body.add(collective(gather, Activity::kPp, launch.verb, launch.row, 1));
    body.dependencies.push_back({1, 2});
  }
  program_.bodies.push_back(std::move(body));
  return static_cast<std::uint32_t>(program_.bodies.size() - 1);
}

std::uint32_t Iteration::add_request(Activity activity, schedule::CollectiveRequest request) {
  program_.requests.push_back({activity, std::move(request)});
  return static_cast<std::uint32_t>(program_.requests.size() - 1);
}

std::uint32_t Iteration::stream_to(std::vector<std::vector<NodeId>> shards) {
  for (std::uint32_t i = 0; i < program_.streams.size(); ++i)
    if (program_.streams[i] == shards) return i;
  program_.streams.push_back(std::move(shards));
  return static_cast<std::uint32_t>(program_.streams.size() - 1);
}

std::vector<std::vector<NodeId>> Iteration::replica_cells() const {
  std::vector<std::vector<NodeId>> shards;
  for (int d = 0; d < strategy_.replicas(); ++d) {
    shards.emplace_back();
    for (int t = 0; t < strategy_.tp; ++t) shards.back().push_back(ranks_.node(0, d, t));
  }
  return shards;
}

std::uint32_t Iteration::row_named(std::string name) {
  program_.rows.push_back(std::move(name));
  return static_cast<std::uint32_t>(program_.rows.size() - 1);
}

Task Iteration::collective(std::uint32_t request, Activity activity, Verb verb, std::uint32_t row,
                           std::uint32_t number) const {
  Task task;
  task.kind = TaskKind::kCollective;
  task.activity = activity;
  task.verb = verb;
  task.row = row;
  task.number = number;
  task.index = request;
  return task;
}

void Iteration::write_loads() {
  if (!(strategy_.sample_bytes > Bytes{0})) return;
  const std::uint32_t row = row_named("samples");
  TaskId last = kNone;
  for (std::uint64_t m = 0; m < rounds_; ++m) {
    Task task;
    task.kind = TaskKind::kInput;
    task.activity = Activity::kLoad;
    task.verb = Verb::kLoadSamples;
    task.row = row;
    task.number = static_cast<std::uint32_t>(m);
    task.bytes = strategy_.sample_bytes * (strategy_.micro_batch * strategy_.dp * static_cast<double>(times_));
    task.index = stream_to(replica_cells());
    const TaskId load = body_.add(task);
    if (last != kNone) depend(last, load);
    last = load;
    for (int block = 0; block < blocks_; ++block) depend(load, run(false, 0, m, block).first);
  }
}

void Iteration::finish() {
  body_.name = "iteration";
  body_.tasks.shrink_to_fit();
  program_.bodies.push_back(std::move(body_));
  program_.entry = static_cast<std::uint32_t>(program_.bodies.size() - 1);
  Time sum;
  for (const Time computed : computed_) sum += computed;
  program_.computing = Time::seconds(sum.to_seconds() / static_cast<double>(computed_.size()));
  program_.busiest = *std::max_element(computed_.begin(), computed_.end());
}

}  // namespace helio::placement
