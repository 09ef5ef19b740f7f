// SPDX-License-Identifier: Apache-2.0
#include "placement/pipeline_order.h"

#include <algorithm>

namespace helio::placement {
namespace {

// Pass k of a stage, in the interleaved count: chunks take turns of P micro-batches.
Pass turn(const Strategy& strategy, std::uint64_t k, bool backward) {
  const auto stages = static_cast<std::uint64_t>(strategy.pp), chunks = static_cast<std::uint64_t>(strategy.chunks);
  const int chunk = static_cast<int>(k % (stages * chunks) / stages);
  return {backward, backward ? strategy.chunks - 1 - chunk : chunk, k / (stages * chunks) * stages + k % stages};
}

}  // namespace

std::uint64_t passes_ahead(const Strategy& strategy, int stage) {
  const std::uint64_t total = strategy.micro_batches * static_cast<std::uint64_t>(strategy.chunks);
  const auto behind = static_cast<std::uint64_t>(strategy.pp - 1 - stage);
  if (strategy.order == PipelineOrder::k1f1b) return std::min(behind, total);
  if (strategy.order == PipelineOrder::kInterleaved)
    return std::min(2 * behind + static_cast<std::uint64_t>((strategy.chunks - 1) * strategy.pp), total);
  return total;  // gpipe
}

std::vector<Pass> passes_of(const Strategy& strategy, int stage) {
  // Streamed: every micro-batch through the layers that are there before the next ones come
  if (strategy.streaming) {
    const std::uint64_t rounds = strategy.pp > 1 ? strategy.micro_batches : 1;
    std::vector<Pass> passes;
    for (const bool backward : {false, true})
      for (int c = 0; c < strategy.chunks; ++c)
        for (std::uint64_t m = 0; m < rounds; ++m)
          passes.push_back({backward, backward ? strategy.chunks - 1 - c : c, m});
    return passes;
  }

  const std::uint64_t total = strategy.micro_batches * static_cast<std::uint64_t>(strategy.chunks);
  const std::uint64_t ahead = passes_ahead(strategy, stage);
  std::vector<Pass> passes;
  passes.reserve(2 * total);
  for (std::uint64_t k = 0; k < ahead; ++k) passes.push_back(turn(strategy, k, false));
  for (std::uint64_t k = ahead; k < total; ++k) {
    passes.push_back(turn(strategy, k, false));
    passes.push_back(turn(strategy, k - ahead, true));
  }
  for (std::uint64_t k = total - ahead; k < total; ++k) passes.push_back(turn(strategy, k, true));
  return passes;
}

}  // namespace helio::placement
