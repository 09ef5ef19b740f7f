// SPDX-License-Identifier: Apache-2.0
#include "plan/exchange_bound.h"

#include <algorithm>

#include "pipeline/bound.h"

namespace helio::plan {

using placement::RankMap;
using placement::Strategy;
using schedule::Capabilities;
using schedule::Kind;

FabricBounds::FabricBounds(const Capabilities& capabilities) : capabilities_(capabilities) {
  capabilities_.first_setup = Time();
  for (Capabilities::Part& part : capabilities_.parts) part.capabilities.first_setup = Time();
}

ExchangeBound FabricBounds::bound_of(Kind kind, const std::vector<NodeId>& group) {
  if (group.size() < 2) return {};

  // Nodes as far from each other as the first two are: the same whoever asks
  const std::uint32_t apart = group[1].value - group[0].value;
  bool even = group[0].value == 0;
  for (std::size_t i = 2; i < group.size() && even; ++i) even = group[i].value - group[i - 1].value == apart;
  const auto key = std::tuple(kind, group.size(), apart);
  if (even)
    if (const auto found = known_.find(key); found != known_.end()) return found->second;

  schedule::CollectiveRequest request{kind, Bytes{0}, {group}, 0};
  const auto seconds = [&](double bytes) {
    request.bytes = {bytes};
    return pipeline::lower_bound(capabilities_, request, schedule::Order::kDataflow).seconds;
  };
  constexpr double kMany = 1e12;         // where the line is above the floor
  constexpr double kRounded = 1 - 1e-9;  // the intercept is a difference of much larger numbers
  const double one = seconds(kMany), two = seconds(2 * kMany), slope = (two - one) / kMany * kRounded;
  const ExchangeBound bound{
      .floor = seconds(0), .fixed = std::max(0.0, (one - (two - one)) * kRounded), .per_byte = slope};
  if (even) known_[key] = bound;
  return bound;
}

ExchangeBound FabricBounds::bound_of(Kind kind, const RankMap& ranks, const Strategy& s, int count, int apart) {
  std::vector<NodeId> group;
  for (int k = 0; k < count; ++k) group.push_back(ranks.node(0, k * apart / s.tp, k * apart % s.tp));
  return bound_of(kind, group);
}

ExchangeBounds FabricBounds::of(const Strategy& s) {
  const RankMap ranks(s);
  const auto among = [&](Kind kind, int count, int apart) { return bound_of(kind, ranks, s, count, apart); };
  std::vector<NodeId> stages;
  for (int p = 0; p < std::min(2, s.pp); ++p) stages.push_back(ranks.node(p, 0, 0));
  const int holders = s.expert_holders(), experts = s.expert_ranks();
  return {.tensor_all_reduce = among(Kind::kAllReduce, s.tp, 1),
          .tensor_reduce_scatter = among(Kind::kReduceScatter, s.tp, 1),
          .tensor_all_gather = among(Kind::kAllGather, s.tp, 1),
          .replica_all_reduce = among(Kind::kAllReduce, s.replicas(), s.tp),
          .replica_reduce_scatter = among(Kind::kReduceScatter, s.replicas(), s.tp),
          .replica_all_gather = among(Kind::kAllGather, s.replicas(), s.tp),
          .holder_all_reduce = among(Kind::kAllReduce, holders, experts),
          .holder_reduce_scatter = among(Kind::kReduceScatter, holders, experts),
          .holder_all_gather = among(Kind::kAllGather, holders, experts),
          .stage_to_stage = bound_of(Kind::kBroadcast, stages),
          .context_all_gather = among(Kind::kAllGather, s.cp, s.tp),
          .expert_all_to_all = among(Kind::kAllToAll, s.ep, s.of_expert())};
}

}  // namespace helio::plan
