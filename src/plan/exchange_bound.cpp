// SPDX-License-Identifier: Apache-2.0
#include "plan/exchange_bound.h"

#include <algorithm>

#include "pipeline/bound.h"
#include "placement/rank_map.h"

namespace helio::plan {
namespace {

using schedule::Capabilities;
using schedule::Kind;

ExchangeBound bound_of(const Capabilities& capabilities, Kind kind, std::vector<NodeId> group) {
  if (group.size() < 2) return {};
  schedule::CollectiveRequest request{kind, Bytes{0}, {std::move(group)}, 0};
  const auto seconds = [&](double bytes) {
    request.bytes = {bytes};
    return pipeline::lower_bound(capabilities, request, schedule::Order::kDataflow).seconds;
  };
  constexpr double kMany = 1e12;         // where the line is above the floor
  constexpr double kRounded = 1 - 1e-9;  // the intercept is a difference of much larger numbers
  const double one = seconds(kMany), two = seconds(2 * kMany), slope = (two - one) / kMany * kRounded;
  return {.floor = seconds(0), .fixed = std::max(0.0, (one - (two - one)) * kRounded), .per_byte = slope};
}

}  // namespace

ExchangeBounds exchange_bounds(const Capabilities& given, const placement::Strategy& strategy) {
  Capabilities capabilities = given;
  capabilities.first_setup = Time();
  for (Capabilities::Part& part : capabilities.parts) part.capabilities.first_setup = Time();
  const placement::RankMap ranks(strategy);
  std::vector<NodeId> tensor, replicas, stages, experts;
  for (int t = 0; t < strategy.tp; ++t) tensor.push_back(ranks.node(0, 0, t));
  for (int d = 0; d < strategy.dp; ++d) replicas.push_back(ranks.node(0, d, 0));
  for (int p = 0; p < std::min(2, strategy.pp); ++p) stages.push_back(ranks.node(p, 0, 0));
  for (int e = 0; e < strategy.ep; ++e) experts.push_back(ranks.node(0, e, 0));
  return {.tensor_all_reduce = bound_of(capabilities, Kind::kAllReduce, tensor),
          .tensor_reduce_scatter = bound_of(capabilities, Kind::kReduceScatter, tensor),
          .tensor_all_gather = bound_of(capabilities, Kind::kAllGather, tensor),
          .replica_all_reduce = bound_of(capabilities, Kind::kAllReduce, replicas),
          .replica_reduce_scatter = bound_of(capabilities, Kind::kReduceScatter, replicas),
          .replica_all_gather = bound_of(capabilities, Kind::kAllGather, replicas),
          .stage_to_stage = bound_of(capabilities, Kind::kBroadcast, stages),
          .expert_all_to_all = bound_of(capabilities, Kind::kAllToAll, experts)};
}

}  // namespace helio::plan
