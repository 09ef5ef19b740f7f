// SPDX-License-Identifier: Apache-2.0
// `helio plan collective`: the best fabric and schedule for a collective at equal injection, over sizes and numbers of nodes. Every fabric
// is asked in every cell, with the fastest algorithm that it admits, so that the answer is the best there is within the model; where the
// winner changes between two sizes, the size at which it does is found by bisection on runs of the two.
#pragma once

#include <functional>

#include "pipeline/compared/collective_map.h"
#include "plan/compare.h"
#include "plan/switching.h"

namespace helio::plan {

struct MapQuestion {
  std::string kind;
  std::vector<std::uint64_t> nodes;
  std::vector<Bytes> sizes;  // in increasing order
  std::function<CompareQuestion(std::uint64_t nodes, Bytes bytes)> at;
  std::vector<std::string> not_searched;
};

// `begin` is told which cell begins. Throws as compare does, Error(kInfeasible) where nobody can do anything of it.
pipeline::CollectiveMap map_collective(const MapQuestion& question, const pipeline::RunOptions& options,
                                       const std::function<void(std::size_t, const std::string&)>& begin = {});

}  // namespace helio::plan
