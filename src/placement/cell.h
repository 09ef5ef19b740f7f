// SPDX-License-Identifier: Apache-2.0
// One cell: the tensor-, context- and expert-parallel ranks of one stage and block of replicas, which run every layer in lock-step.
//
// A cell writes the bodies of its layers, each once and each with its own requests, because cells stand on different nodes:
//
//     layer:   compute ─▶ [exchange] ─▶ compute ─▶ [exchange]         ended when the host has issued all of it, too; or, where
//                                                                    the host runs ahead:
//     pass:    layers ─▶ layers ─▶ …         each after the ones before, and when the host has issued those; ended when it
//     host:    issue  ─▶ issue  ─▶ …         has issued all
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "placement/compute.h"
#include "placement/program.h"
#include "placement/rank_map.h"
#include "placement/stages.h"
#include "placement/strategy.h"

namespace helio::placement {

// The accelerator that computes, and how.
struct Machine {
  Npu npu;
  ComputeConstants constants;
};

enum class Direction : std::uint8_t { kForward, kBackward };

class Cell {
 public:
  // `block`: which replicas, `strategy.block()` of them. All references must outlive it.
  Cell(const workload::Workload& workload, const Strategy& strategy, const Machine& machine, const RankMap& ranks,
       int stage, int block, Program& program);

  // A task that runs the part in this direction on `times` micro-batches, one after the other.
  struct Pass {
    Task task;
    Time compute;      // of each rank: what it takes without exchanges
    double flops = 0;  // of each rank
  };
  Pass pass(const Part& part, Direction direction, std::uint64_t times = 1);
  Time optimiser(double parameters) const;

  // The members of group `t` (or of all) at this stage and block.
  std::vector<std::vector<NodeId>> tensor_groups() const;
  std::vector<std::vector<NodeId>> expert_groups() const;
  std::vector<std::vector<NodeId>> context_groups() const;
  // Each rank of this cell with the rank at the same place in another cell.
  std::vector<std::vector<NodeId>> pairs_with(const Cell& other) const;
  // Of each replica: the first tensor rank of this cell, then all of another.
  std::vector<std::vector<NodeId>> first_with_all(const Cell& other) const;

  std::uint32_t row() const { return row_; }

 private:
  std::uint32_t layer_body(std::uint32_t layer, Direction direction);
  // The host's part of `count` layers: issues them, then waits for ranks that arrive late. The first and the last task, if any.
  std::pair<std::uint32_t, std::uint32_t> append_host(Body& body, const Slice& slice, Direction direction);
  bool runs_ahead() const { return machine_.constants.runs_ahead > 0; }
  std::vector<std::vector<NodeId>> groups_of(int size, int stride) const;
  NodeId member(int rank) const {
    return ranks_.node(stage_, block_ * strategy_.block() + rank / strategy_.tp, rank % strategy_.tp);
  }
  void append_exchange(Body& body, const Piece& piece, std::uint32_t& last);
  std::uint32_t request(Activity activity, schedule::Kind kind, Bytes bytes);
  Time scaled(Time time) const;
  const Work& work(std::uint32_t layer, Direction direction);

  const workload::Workload& workload_;
  const Strategy& strategy_;
  const Machine& machine_;
  const RankMap& ranks_;
  int stage_, block_;
  Program& program_;
  std::uint32_t row_ = 0;
  double slowness_ = 1;
  std::map<std::pair<std::uint32_t, Direction>, Work> works_;
  std::map<std::pair<std::uint32_t, Direction>, std::uint32_t> bodies_;
  std::map<std::tuple<Activity, schedule::Kind, double>, std::uint32_t> requests_;
};

}  // namespace helio::placement
