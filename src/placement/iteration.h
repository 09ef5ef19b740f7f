// SPDX-License-Identifier: Apache-2.0
// The writer of one iteration: what place() builds its Program with.
//
// Every cell's passes come first, in the order of the pipeline; then what joins cells: sends between stages (iteration.cpp), and
// everything between replicas: parameters that are gathered or streamed, gradients, the optimiser (replicas.cpp).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "placement/cell.h"
#include "placement/memory.h"
#include "placement/program.h"
#include "placement/rank_map.h"
#include "placement/strategy.h"
#include "workload/workload.h"

namespace helio::placement {

using TaskId = std::uint32_t;

class Iteration {
 public:
  // `parts`: of every stage, its chunks. All references must outlive it.
  Iteration(const workload::Workload& workload, const Strategy& strategy, const Machine& machine,
            const std::vector<std::vector<Part>>& parts, Program& program);

  void write();

 private:
  // One pass of one block of a stage: its pieces, one task each, with numbers that follow each other.
  struct Run {
    TaskId first = 0;
    std::uint32_t count = 0;
    TaskId last() const { return first + count - 1; }
    TaskId piece(std::size_t k) const { return first + static_cast<TaskId>(k); }
  };
  // A piece of a part as one block runs it; written once and run by many tasks.
  struct Script {
    Part part;
    Cell::Pass pass;
  };
  bool gathers() const {
    return strategy_.streaming || ((strategy_.zero == 3 || strategy_.gather_ahead) && strategy_.replicas() > 1);
  }
  // Parameters come before this pass: every one, or only the first forward.
  bool gathers_before(bool backward, std::uint64_t micro_batch) const {
    return gathers() && (!strategy_.gather_ahead || (!backward && micro_batch == 0));
  }
  bool reduces() const { return strategy_.replicas() > 1 || strategy_.streaming; }
  // With ZeRO 2 and 3 after every micro-batch, unless gradients are reduced only when backward has ended.
  bool reduces_after(std::uint64_t micro_batch) const {
    return divides_gradients(strategy_) || micro_batch + 1 == rounds_;
  }
  int virtual_stage(int stage, int chunk) const { return chunk * strategy_.pp + stage; }
  Run& run(bool backward, int virtual_stage, std::uint64_t micro_batch, int block);
  // The pieces in which a pass runs: whole, unless parameters come or gradients go while it does.
  std::vector<Part> pieces(const Part& part, bool backward, std::uint64_t micro_batch) const;
  void depend(TaskId from, TaskId to) { body_.dependencies.push_back({from, to}); }
  void write_passes(int stage);
  // What the cell runs after a pass, if anything: the task that waits when sends block.
  std::vector<TaskId> next_in_cell() const;
  bool runs_pass(TaskId id) const;
  void write_sends();
  // Activations of a micro-batch from each rank to the one at its place in the next stage.
  std::uint32_t send_body(int from, int to, bool backward, int block);
  std::uint32_t add_request(Activity activity, schedule::CollectiveRequest request);
  // What goes in or out through I/O: in equal shares, each for all of its nodes.
  std::uint32_t stream_to(std::vector<std::vector<NodeId>> shards);
  std::vector<std::vector<NodeId>> replica_cells() const;  // samples: each replica's ranks of the first stage
  std::uint32_t row_named(std::string name);
  // The replicas of every rank of a stage; those that hold the same experts.
  // `within`: consecutive ones of each group only; `across`: those at the same place of such groups; 0: all.
  std::vector<std::vector<NodeId>> replicas(int stage, bool experts, int within = 0, int across = 0) const;
  // Collectives over replicas for parameters of a piece: one for dense ones, one for experts where there are any; where
  // parameters are divided within groups, gathered there, and gradients added there and then between groups.
  std::vector<std::uint32_t> over_replicas(int stage, const RankParameters& parameters, schedule::Kind kind,
                                           double bytes);
  Task collective(std::uint32_t request, Activity activity, Verb verb, std::uint32_t row, std::uint32_t number) const;
  // Parameters before every piece of every pass, at most two pieces ahead of the computation.
  void write_gathers(int stage);
  // Bytes of a piece over all ranks of one replica: copies for the others are made by the network.
  Task stream(int stage, Verb verb, TaskKind kind, const RankParameters& parameters, double bytes, std::uint32_t row,
              std::size_t number);
  void write_reductions(int stage);
  // The embedding that the first and the last stage share.
  void write_tied();
  void wait_for_gradients(int stage, TaskId task);
  void write_optimisers();
  void write_loads();
  void finish();

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
  std::map<std::tuple<int, bool, bool, schedule::Kind, double>, std::uint32_t>
      over_replicas_;           // requests, by what they are
  std::vector<Time> computed_;  // by every cell
};

}  // namespace helio::placement
