// SPDX-License-Identifier: Apache-2.0
// The least that exchanges of a strategy take on a fabric, as numbers to be multiplied: what pipeline::lower_bound says of each group's
// shape, asked once and then read off.
//
//     bound of d bytes = max( floor, fixed + per_byte · d )         exact, for a bound is the larger of two straight lines in d
//
// Only what holds inside an iteration is in it: light that was set up before may still be there, so no setup; rounds may follow each
// other in dataflow, so as few as those allow; and groups are asked alone, though others may share their links.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "placement/rank_map.h"
#include "placement/strategy.h"
#include "schedule/capabilities.h"
#include "schedule/request.h"

namespace helio::plan {

struct ExchangeBound {
  double floor = 0, fixed = 0, per_byte = 0;  // seconds, seconds, seconds per byte
  double operator()(double bytes) const {
    const double line = fixed + per_byte * bytes;
    return bytes <= 0 ? 0 : line > floor ? line : floor;
  }
};

// Of the groups of a strategy: its degrees and the order of its ranks decide.
struct ExchangeBounds {
  ExchangeBound tensor_all_reduce, tensor_reduce_scatter, tensor_all_gather;
  ExchangeBound replica_all_reduce, replica_reduce_scatter, replica_all_gather;
  ExchangeBound holder_all_reduce, holder_reduce_scatter, holder_all_gather;  // who holds the same experts
  ExchangeBound stage_to_stage;
  ExchangeBound context_all_gather;
  ExchangeBound expert_all_to_all;
  int expert_groups = 0;  // as in placement::Division
};

// One fabric. Strategies share shapes of groups, so what was asked once is remembered. One thread.
class FabricBounds {
 public:
  explicit FabricBounds(const schedule::Capabilities& capabilities);
  ExchangeBounds of(const placement::Strategy& strategy);

 private:
  // `count` ranks of the first cell, `apart`, counted as cells count them: tensor ranks first.
  ExchangeBound bound_of(schedule::Kind kind, const placement::RankMap& ranks, const placement::Strategy& strategy,
                         int count, int apart);
  ExchangeBound bound_of(schedule::Kind kind, const std::vector<NodeId>& group);

  schedule::Capabilities capabilities_;
  std::map<std::tuple<schedule::Kind, std::size_t, std::uint32_t>, ExchangeBound> known_;  // kind, ranks, nodes between
};

}  // namespace helio::plan
