// SPDX-License-Identifier: Apache-2.0
#include "placement/place.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/units.h"
#include "placement/memory.h"
#include "placement/pipeline_order.h"

namespace helio::placement {
namespace {

using TaskId = std::uint32_t;

constexpr double kMostPasses = 2e7;  // forward and backward, over stages, replicas and micro-batches: about 10 GB

// What stands of an iteration while it is being written.
class Iteration {
 public:
  Iteration(const workload::Workload& workload, const Strategy& strategy, const Machine& machine,
            const std::vector<std::vector<Part>>& parts, Program& program)
      : workload_(workload), strategy_(strategy), machine_(machine), parts_(parts), program_(program), ranks_(strategy) {
    times_ = strategy.streaming ? strategy.micro_batches : 1;
    rounds_ = strategy.streaming ? 1 : strategy.micro_batches;
    blocks_ = strategy.dp / strategy.ep;
    for (int stage = 0; stage < strategy.pp; ++stage) {
      cells_.emplace_back();
      for (int block = 0; block < blocks_; ++block)
        cells_.back().emplace_back(workload, strategy, machine, ranks_, stage, block, program);
    }
  }

  void write() {
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

 private:
  // One pass of one block of a stage: its pieces, one task each.
  struct Run {
    std::vector<TaskId> pieces;
  };
  // A piece of a part as one block runs it; written once and run by many tasks.
  struct Script {
    Part part;
    Cell::Pass pass;
  };

  bool gathers() const { return strategy_.streaming || (strategy_.zero == 3 && strategy_.dp > 1); }
  bool reduces() const { return strategy_.dp > 1 || strategy_.streaming; }
  bool reduces_after(std::uint64_t micro_batch) const { return strategy_.zero >= 2 || micro_batch + 1 == rounds_; }
  int virtual_stage(int stage, int chunk) const { return chunk * strategy_.pp + stage; }

  Run& run(bool backward, int virtual_stage, std::uint64_t micro_batch, int block) {
    const std::size_t stages = static_cast<std::size_t>(strategy_.pp) * static_cast<std::size_t>(strategy_.chunks);
    const std::size_t at = ((static_cast<std::size_t>(backward) * stages + static_cast<std::size_t>(virtual_stage)) * rounds_ + micro_batch) *
                               static_cast<std::size_t>(blocks_) + static_cast<std::size_t>(block);
    if (runs_.empty()) runs_.resize(2 * stages * rounds_ * static_cast<std::size_t>(blocks_));
    return runs_[at];
  }

  // The pieces in which a pass runs: whole, unless parameters come or gradients go while it does.
  std::vector<Part> pieces(const Part& part, bool backward, std::uint64_t micro_batch) const {
    const bool reduce_meanwhile = backward && reduces() && strategy_.overlap && reduces_after(micro_batch);
    const double bucket = strategy_.bucket.value / bytes_of(strategy_.gradient_precision) * strategy_.tp;
    std::vector<Part> result = pieces_of(part, workload_, gathers() || reduce_meanwhile ? bucket : 0);
    if (backward) std::reverse(result.begin(), result.end());
    return result;
  }

  void depend(TaskId from, TaskId to) { body_.dependencies.push_back({from, to}); }

  void write_passes(int stage) {
    const std::vector<Pass> passes = strategy_.streaming ? std::vector<Pass>{{false, 0, 0}, {true, 0, 0}} : passes_of(strategy_, stage);
    for (int block = 0; block < blocks_; ++block) {
      Cell& cell = cells_[static_cast<std::size_t>(stage)][static_cast<std::size_t>(block)];
      std::map<std::tuple<bool, int, bool>, std::vector<Script>> scripts;  // direction, chunk, in pieces
      bool any = false;
      TaskId last = 0;
      Time computed;
      for (const Pass& pass : passes) {
        const Part& part = parts_[static_cast<std::size_t>(stage)][static_cast<std::size_t>(pass.chunk)];
        const bool reduced = pass.backward && reduces_after(pass.micro_batch);
        auto& script = scripts[{pass.backward, pass.chunk, reduced}];
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
          now.pieces.push_back(next);
          computed += piece.pass.compute;
          program_.done_flops += piece.pass.flops * strategy_.tp * strategy_.ep;
        }
      }
      last_of_cell_.push_back(last);
      computed_.push_back(computed);
    }
  }

  // What the cell runs after a pass, if anything: the task that waits when sends block.
  std::vector<TaskId> next_in_cell() const {
    std::vector<TaskId> next(body_.tasks.size(), kNone);
    for (const Dependency& dependency : body_.dependencies)
      if (body_.tasks[dependency.from].row == body_.tasks[dependency.to].row && runs_pass(dependency.from) && runs_pass(dependency.to))
        next[dependency.from] = dependency.to;
    return next;
  }
  bool runs_pass(TaskId id) const {
    const Verb verb = body_.tasks[id].verb;
    return verb == Verb::kForward || verb == Verb::kBackward;
  }

  void write_sends() {
    const int stages = strategy_.pp * strategy_.chunks;
    const std::vector<TaskId> next = strategy_.blocking_sends ? next_in_cell() : std::vector<TaskId>{};
    for (const bool backward : {false, true})
      for (int from = backward ? stages - 1 : 0; backward ? from > 0 : from + 1 < stages; from += backward ? -1 : 1) {
        const int to = backward ? from - 1 : from + 1;
        for (int block = 0; block < blocks_; ++block) {
          const bool moves = strategy_.pp > 1;
          const std::uint32_t send = moves ? send_body(from, to, backward, block) : 0;
          for (std::uint64_t m = 0; m < rounds_; ++m) {
            const TaskId sender = run(backward, from, m, block).pieces.back(), receiver = run(backward, to, m, block).pieces.front();
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

  // Activations of a micro-batch from each rank to the one at its place in the next stage.
  std::uint32_t send_body(int from, int to, bool backward, int block) {
    const auto cell = [&](int virtual_stage) -> const Cell& {
      return cells_[static_cast<std::size_t>(virtual_stage % strategy_.pp)][static_cast<std::size_t>(block)];
    };
    const int earlier = backward ? to : from;
    const Part& part = parts_[static_cast<std::size_t>(earlier % strategy_.pp)][static_cast<std::size_t>(earlier / strategy_.pp)];
    const double elements = workload_.layers[part.back().layer].output_elements * strategy_.micro_batch;
    const bool divided = strategy_.sequence_parallel || strategy_.scattered_sends;
    const Bytes whole{elements * bytes_of(strategy_.precision)};
    schedule::CollectiveRequest request;
    request.kind = schedule::Kind::kBroadcast;
    request.bytes = whole / (divided ? strategy_.tp : 1);
    request.groups = cell(from).pairs_with(cell(to));

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
    if (strategy_.scattered_sends && !strategy_.sequence_parallel && strategy_.tp > 1) {  // put together again on arrival
      const std::uint32_t gather = add_request(Activity::kPp, {schedule::Kind::kAllGather, whole, cell(to).tensor_groups(), 0});
      body.add(collective(gather, Activity::kPp, launch.verb, launch.row, 1));
      body.dependencies.push_back({1, 2});
    }
    program_.bodies.push_back(std::move(body));
    return static_cast<std::uint32_t>(program_.bodies.size() - 1);
  }

  std::uint32_t add_request(Activity activity, schedule::CollectiveRequest request) {
    program_.requests.push_back({activity, std::move(request)});
    return static_cast<std::uint32_t>(program_.requests.size() - 1);
  }

  std::uint32_t row_named(std::string name) {
    program_.rows.push_back(std::move(name));
    return static_cast<std::uint32_t>(program_.rows.size() - 1);
  }

  // The replicas of every rank of a stage; those that hold the same experts.
  std::vector<std::vector<NodeId>> replicas(int stage, bool experts) const {
    std::vector<std::vector<NodeId>> groups;
    const int classes = experts ? strategy_.ep : 1;
    for (int t = 0; t < strategy_.tp; ++t)
      for (int e = 0; e < classes; ++e) {
        groups.emplace_back();
        for (int d = e; d < strategy_.dp; d += classes) groups.back().push_back(ranks_.node(stage, d, t));
      }
    return groups;
  }

  // Collectives over replicas for parameters of a piece: one for dense ones, one for experts where there are any.
  std::vector<std::uint32_t> over_replicas(int stage, const RankParameters& parameters, schedule::Kind kind, double bytes) {
    std::vector<std::uint32_t> requests;
    for (const bool experts : {false, true}) {
      const double count = experts ? parameters.expert : parameters.dense;
      if (count <= 0 || strategy_.dp / (experts ? strategy_.ep : 1) < 2) continue;
      requests.push_back(add_request(Activity::kDp, {kind, Bytes{count * bytes}, replicas(stage, experts), 0}));
    }
    return requests;
  }

  Task collective(std::uint32_t request, Activity activity, Verb verb, std::uint32_t row, std::uint32_t number) const {
    Task task;
    task.kind = TaskKind::kCollective;
    task.activity = activity;
    task.verb = verb;
    task.row = row;
    task.number = number;
    task.index = request;
    return task;
  }

  // Parameters before every piece of every pass, at most two pieces ahead of the computation.
  void write_gathers(int stage) {
    const std::uint32_t row = row_named(fmt::format("parameters of stage {}", stage));
    std::vector<TaskId> before, last;
    std::map<std::tuple<int, bool, std::size_t>, std::vector<std::uint32_t>> requests;
    const std::vector<Pass> passes = strategy_.streaming ? std::vector<Pass>{{false, 0, 0}, {true, 0, 0}} : passes_of(strategy_, stage);
    for (const Pass& pass : passes) {
      const Part& part = parts_[static_cast<std::size_t>(stage)][static_cast<std::size_t>(pass.chunk)];
      const std::vector<Part> all = pieces(part, pass.backward, pass.micro_batch);
      for (std::size_t k = 0; k < all.size(); ++k) {
        const RankParameters parameters = parameters_of(all[k], workload_, strategy_);
        std::vector<TaskId> fetched;
        if (strategy_.streaming) {
          fetched.push_back(body_.add(stream(Verb::kStreamIn, TaskKind::kInput, parameters, bytes_of(strategy_.precision), row, k)));
        } else {
          auto& known = requests[{pass.chunk, pass.backward, k}];
          if (known.empty()) known = over_replicas(stage, parameters, schedule::Kind::kAllGather, bytes_of(strategy_.precision));
          for (const std::uint32_t request : known)
            fetched.push_back(body_.add(collective(request, Activity::kDp, Verb::kGatherParameters, row, static_cast<std::uint32_t>(k))));
        }
        for (std::size_t i = 0; i < fetched.size(); ++i) {
          if (i > 0) depend(fetched[i - 1], fetched[i]);
          else if (!last.empty()) depend(last.back(), fetched[i]);
          if (i == 0)
            for (const TaskId task : before) depend(task, fetched[i]);
        }
        std::vector<TaskId> computing;
        for (int block = 0; block < blocks_; ++block) {
          const TaskId task = run(pass.backward, virtual_stage(stage, pass.chunk), pass.micro_batch, block).pieces[k];
          if (!fetched.empty()) depend(fetched.back(), task);
          computing.push_back(task);
        }
        if (!fetched.empty()) last = fetched;
        before = std::exchange(computing_, computing);  // the piece before the one that is being computed
      }
    }
    computing_.clear();
  }

  // Bytes of a piece over all ranks of one replica: copies for the others are made by the network.
  Task stream(Verb verb, TaskKind kind, const RankParameters& parameters, double bytes, std::uint32_t row, std::size_t number) const {
    Task task;
    task.kind = kind;
    task.activity = Activity::kStreaming;
    task.verb = verb;
    task.row = row;
    task.number = static_cast<std::uint32_t>(number);
    task.bytes = {(parameters.dense + parameters.expert * strategy_.ep) * strategy_.tp * bytes};
    return task;
  }

  void write_reductions(int stage) {
    const std::uint32_t row = row_named(fmt::format("gradients of stage {}", stage));
    const schedule::Kind kind = strategy_.zero > 0 || strategy_.streaming ? schedule::Kind::kReduceScatter : schedule::Kind::kAllReduce;
    bool any = false;
    TaskId last = 0;
    std::map<std::pair<int, std::size_t>, std::vector<std::uint32_t>> requests;
    const auto write = [&](TaskId task) {
      if (any) depend(last, task);
      any = true;
      last = task;
    };
    for (std::uint64_t m = 0; m < rounds_; ++m) {
      if (!reduces_after(m)) continue;
      for (int chunk = strategy_.chunks - 1; chunk >= 0; --chunk) {
        const Part& part = parts_[static_cast<std::size_t>(stage)][static_cast<std::size_t>(chunk)];
        const std::vector<Part> all = pieces(part, true, m);
        for (std::size_t k = 0; k < all.size(); ++k) {
          RankParameters parameters = parameters_of(all[k], workload_, strategy_);
          if (strategy_.pp == 1 && chunk == strategy_.chunks - 1 && k == 0)  // shared with the first layer, reduced there
            parameters.dense -= static_cast<double>(workload_.tied_parameters) / strategy_.tp;
          auto& known = requests[{chunk, k}];
          if (known.empty()) known = over_replicas(stage, parameters, kind, bytes_of(strategy_.gradient_precision));
          std::vector<TaskId> tasks;
          for (const std::uint32_t request : known)
            tasks.push_back(body_.add(collective(request, Activity::kDp, Verb::kReduceGradients, row, static_cast<std::uint32_t>(k))));
          if (strategy_.streaming)
            tasks.push_back(body_.add(stream(Verb::kStreamOut, TaskKind::kOutput, parameters, bytes_of(strategy_.gradient_precision), row, k)));
          for (std::size_t i = 0; i < tasks.size(); ++i) {
            write(tasks[i]);
            if (i > 0) continue;
            for (int block = 0; block < blocks_; ++block)
              depend(strategy_.overlap ? run(true, virtual_stage(stage, chunk), m, block).pieces[k]
                                       : last_of_cell_[static_cast<std::size_t>(stage * blocks_ + block)],
                     tasks[i]);
          }
        }
      }
    }
    if (any) reduced_.push_back({stage, last});
  }

  // The embedding that the first and the last stage share.
  void write_tied() {
    if (workload_.tied_parameters == 0 || strategy_.pp == 1) return;
    schedule::CollectiveRequest request;
    request.kind = schedule::Kind::kAllReduce;
    request.bytes = {static_cast<double>(workload_.tied_parameters) / strategy_.tp * bytes_of(strategy_.gradient_precision)};
    for (int block = 0; block < blocks_; ++block)
      for (auto& pair : cells_.front()[static_cast<std::size_t>(block)].pairs_with(cells_.back()[static_cast<std::size_t>(block)]))
        request.groups.push_back(std::move(pair));
    const TaskId task = body_.add(collective(add_request(Activity::kDp, std::move(request)), Activity::kDp, Verb::kReduceGradients,
                                             row_named("gradients of the shared embedding"), 0));
    for (const int stage : {0, strategy_.pp - 1}) wait_for_gradients(stage, task);
    tied_ = task;
  }

  void wait_for_gradients(int stage, TaskId task) {
    for (const auto& [of, last] : reduced_)
      if (of == stage) return depend(last, task);
    for (int block = 0; block < blocks_; ++block) depend(last_of_cell_[static_cast<std::size_t>(stage * blocks_ + block)], task);
  }

  void write_optimisers() {
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
        const double divided = strategy_.zero >= 1 ? parameters.dense / strategy_.dp + parameters.expert * strategy_.ep / strategy_.dp : parameters.all();
        task.duration = cell.optimiser(divided);
        const TaskId update = body_.add(task);
        if (norm != kNone) depend(norm, update);
        else wait_for_gradients(stage, update);
        if (norm == kNone && tied_ != kNone && (stage == 0 || stage == strategy_.pp - 1)) depend(tied_, update);
        updates.push_back(update);
        computed_[static_cast<std::size_t>(stage * blocks_ + block)] += task.duration;
      }
      if (strategy_.zero != 1 && strategy_.zero != 2) continue;
      const std::uint32_t row = row_named(fmt::format("parameters of stage {}", stage));
      for (const std::uint32_t request : over_replicas(stage, parameters, schedule::Kind::kAllGather, bytes_of(strategy_.precision))) {
        const TaskId gather = body_.add(collective(request, Activity::kDp, Verb::kGatherParameters, row, 0));
        for (const TaskId update : updates) depend(update, gather);
      }
    }
  }

  void write_loads() {
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
      const TaskId load = body_.add(task);
      if (last != kNone) depend(last, load);
      last = load;
      for (int block = 0; block < blocks_; ++block) depend(load, run(false, 0, m, block).pieces.front());
    }
  }

  void finish() {
    body_.name = "iteration";
    program_.bodies.push_back(std::move(body_));
    program_.entry = static_cast<std::uint32_t>(program_.bodies.size() - 1);
    Time sum;
    for (const Time computed : computed_) sum += computed;
    program_.computing = Time::seconds(sum.to_seconds() / static_cast<double>(computed_.size()));
    program_.busiest = *std::max_element(computed_.begin(), computed_.end());
  }

  static constexpr TaskId kNone = 0xffffffffu;
  const workload::Workload& workload_;
  const Strategy& strategy_;
  const Machine& machine_;
  const std::vector<std::vector<Part>>& parts_;
  Program& program_;
  RankMap ranks_;
  std::uint64_t times_ = 1, rounds_ = 1;
  int blocks_ = 1;
  std::vector<std::vector<Cell>> cells_;
  Body body_;
  std::vector<Run> runs_;
  std::vector<TaskId> last_of_cell_;
  std::vector<TaskId> computing_;
  std::vector<std::pair<int, TaskId>> reduced_;  // of a stage, the last reduction
  TaskId tied_ = kNone;
  std::vector<Time> computed_;  // by every cell
};

void check_division(const workload::Workload& workload, const Strategy& strategy, const std::string& where) {
  const auto no = [&](std::string what, std::string advice) { return Error(ErrorKind::kInfeasible, std::move(what), where, std::move(advice)); };
  const auto tp = static_cast<std::uint64_t>(strategy.tp);
  if (tp > 1 && workload.attention_heads == 0)
    throw no(fmt::format("the layers of {} cannot be divided by tensor parallelism, so tp {} has no meaning", workload.title, tp), "Use dp and pp.");
  if (tp > 1 && workload.attention_heads % tp != 0)
    throw no(fmt::format("tp {} does not divide the {} attention heads of {}", tp, workload.attention_heads, workload.title), "Choose a divisor.");
  const std::uint64_t parts = static_cast<std::uint64_t>(strategy.pp) * static_cast<std::uint64_t>(strategy.chunks);
  const double passes = 2.0 * static_cast<double>(strategy.micro_batches) * static_cast<double>(parts) * strategy.dp / strategy.ep;
  if (passes > kMostPasses)
    throw no(fmt::format("an iteration of {:.3g} passes is more than the {:.3g} that can be written down", passes, kMostPasses),
             "Choose fewer micro-batches; the time of one more is the same as that of the last.");
  if (parts > workload.depth())
    throw no(fmt::format("{} has {} layers, not enough for {} pipeline parts", workload.title, workload.depth(), parts), "Choose fewer stages or chunks.");
  std::uint64_t experts = 0;
  for (const workload::Layer& layer : workload.layers) experts = std::max(experts, layer.experts);
  if (strategy.ep > 1 && (experts == 0 || experts % static_cast<std::uint64_t>(strategy.ep) != 0))
    throw no(experts == 0 ? fmt::format("{} has no experts to divide by ep {}", workload.title, strategy.ep)
                          : fmt::format("ep {} does not divide the {} experts of {}", strategy.ep, experts, workload.title),
             "Choose a divisor, or leave ep out.");
}

}  // namespace

Program place(const workload::Workload& workload, const Strategy& strategy, const Machine& machine, const std::string& where) {
  check_division(workload, strategy, where);

  // Which layers where
  const std::vector<Part> flat = cut(workload, static_cast<std::uint32_t>(strategy.pp * strategy.chunks));
  std::vector<std::vector<Part>> parts(static_cast<std::size_t>(strategy.pp));
  for (std::size_t i = 0; i < flat.size(); ++i) parts[i % parts.size()].push_back(flat[i]);

  // Does it fit
  Program program;
  program.name = workload.name;
  program.memory = memory_of(parts, workload, strategy);
  if (const Memory& m = program.memory; m.total > machine.npu.memory)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("{} does not fit: stage {} needs {} on each NPU (parameters {}, gradients {}, optimiser {}, activations {}), and {} has {}",
                            workload.title, m.stage, format(m.total), format(m.parameters), format(m.gradients), format(m.optimiser),
                            format(m.activations), machine.npu.name, format(machine.npu.memory)),
                where, "Raise tp or pp, use zero, recompute = \"full\", a smaller micro_batch, or an NPU with more memory.");

  // The iteration
  program.npus = strategy.npus();
  program.io_rate = strategy.io_rate;
  program.samples = strategy.micro_batch * static_cast<double>(strategy.micro_batches) * strategy.dp;
  program.model_flops = 3 * workload.forward_flops() * program.samples;
  Iteration(workload, strategy, machine, parts, program).write();
  return program;
}

}  // namespace helio::placement
