// SPDX-License-Identifier: Apache-2.0
// The random choices of a training's data, each from a stream of its own: drawing more of one changes none of the others, and any
// epoch or step can be drawn without those before it.
#pragma once

#include <cstdint>

#include "base/random.h"

namespace helio::train {

enum class DataStream : std::uint64_t {
  kOrder,   // per epoch: the permutation
  kCrops,   // per step: where images are cut and whether they are flipped
  kOffset,  // per epoch: where the first window of tokens starts
};

inline Random data_stream(std::uint64_t seed, DataStream stream, std::int64_t number) {
  return Random(seed).split(static_cast<std::uint64_t>(stream)).split(static_cast<std::uint64_t>(number));
}

}  // namespace helio::train
