// SPDX-License-Identifier: Apache-2.0
#include "schedule/binary_tree.h"

#include "schedule/tree.h"

namespace helio::schedule {
namespace {

Schedule build_binary_tree(const CollectiveRequest& request, const Capabilities&, const Parameters& parameters) {
  Schedule schedule{.algorithm = "binary-tree",
                    .kind = request.kind,
                    .ranks = request.ranks(),
                    .root = request.root,
                    .chunks = static_cast<std::uint32_t>(parameters.integer("chunks"))};
  schedule.phases.push_back(climb(schedule, {binomial_tree(schedule.ranks, request.root)}, schedule.chunks));
  return schedule;
}

}  // namespace

AlgorithmEntry binary_tree() {
  return {
      {.name = "binary-tree",
       .summary = "whole vectors up and down a binomial tree; 2 ceil(log2 n) steps for all-reduce",
       .reference = "Thakur, Rabenseifner & Gropp 2005",
       .parameters = {{.name = "chunks",
                       .type = ParameterType::kInteger,
                       .fallback = "1",
                       .minimum = "1",
                       .maximum = "65536",
                       .description =
                           "pieces that follow each other through the tree; 1: each step moves the whole vector",
                       .matters = {.question = "all-reduce fabric=full-mesh nodes=8 bytes=1MB algorithm=binary-tree",
                                   .other = "4"}}}},
      {.kinds = {Kind::kAllReduce, Kind::kBroadcast, Kind::kReduce}, .build = build_binary_tree}};
}

}  // namespace helio::schedule
