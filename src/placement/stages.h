// SPDX-License-Identifier: Apache-2.0
// Which layers a pipeline stage holds.
//
// A model whose depth is made of equal blocks (a transformer) is cut into equal numbers of blocks, what stands before them goes
// to the first part and what stands after them to the last, as Megatron does. Any other model is cut where the largest part
// has the least work.
#pragma once

#include <cstdint>
#include <vector>

#include "workload/workload.h"

namespace helio::placement {

// `count` consecutive equal ones of a layer of the workload.
struct Slice {
  std::uint32_t layer = 0;
  std::uint64_t count = 1;
};

using Part = std::vector<Slice>;

// The layers that recomputation covers: the equal blocks of a model that is made of them, as in Megatron-LM; else all.
bool is_recomputed(const workload::Workload& workload, std::uint32_t layer);

// Of a model made of equal blocks, how what stands before and after them counts where blocks are dealt out.
enum class Ends : std::uint8_t {
  kBeside,  // not at all
  kCount,   // as a block each
  kLight,  // not at all, but the last part, which has the head, takes what the others leave: none has more than it must
};

// Requires: 1 <= parts <= workload.depth().
std::vector<Part> cut(const workload::Workload& workload, std::uint32_t parts, Ends ends = Ends::kBeside);

// A part in pieces of whole layers, in order: a piece is closed when its parameters reach `parameters` (0: one piece).
std::vector<Part> pieces_of(const Part& part, const workload::Workload& workload, double parameters);

}  // namespace helio::placement
