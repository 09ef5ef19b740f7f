// SPDX-License-Identifier: Apache-2.0
// What the block of a transformer and its two ends count with.
#pragma once

#include <cstdint>

#include "workload/kernel.h"
#include "workload/transformer.h"

namespace helio::workload {

// The sizes of a block as real numbers, for counts of elements per sample.
struct Sizes {
  explicit Sizes(const TransformerShape& shape)
      : s(static_cast<double>(shape.sequence)),
        h(static_cast<double>(shape.hidden)),
        a(static_cast<double>(shape.heads)),
        d(static_cast<double>(shape.head_size)),
        q(static_cast<double>(shape.heads * shape.head_size)),
        kv(static_cast<double>(shape.kv_heads * shape.head_size)),
        v(static_cast<double>(shape.heads * (shape.value_size > 0 ? shape.value_size : shape.head_size))),
        f(static_cast<double>(shape.experts > 0 ? shape.expert_feed_forward : shape.feed_forward)),
        k(static_cast<double>(shape.top_k)),
        e(static_cast<double>(shape.experts)),
        mask(shape.dropout ? 0.5 : 0) {}
  double s, h, a, d, q, kv, v, f, k, e;  // v: of the values that heads put together
  double mask;                           // elements of a dropout mask (one byte) per element that it covers
};

inline std::uint64_t norm_parameters(const TransformerShape& shape) {
  return (shape.norm == Norm::kLayer ? 2 : 1) * shape.hidden;
}

// Reads and writes s·h, the statistics in one pass: 2sh.
inline Kernel norm_kernel(const Sizes& z) { return memory("norm", Share::kSequence, 2 * z.s * z.h); }

}  // namespace helio::workload
