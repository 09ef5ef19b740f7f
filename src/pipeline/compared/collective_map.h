// SPDX-License-Identifier: Apache-2.0
// Who is best at one collective over sizes and numbers of nodes, all on one footing: what `helio plan collective` answers
// (plan/map_collective.h).
//
//              4 kB      256 kB     16 MB      1 GB
//       8      fred      fred       optinc     optinc        a cell: a Comparison; between two cells of a row with different winners the
//      64      fred   │  optinc     optinc     optinc        size at which the winner changes
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/compared/comparison.h"

namespace helio::pipeline {

struct CollectiveMap {
  std::string kind;
  fabric::Footing footing;
  std::vector<std::uint64_t> nodes;  // rows
  std::vector<Bytes> sizes;          // columns
  std::vector<Comparison> cells;     // row by row; without a winner where nobody can
  std::vector<Switching> switching;
  std::vector<std::string> not_searched;
};

}  // namespace helio::pipeline
