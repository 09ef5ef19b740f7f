// SPDX-License-Identifier: Apache-2.0
// The language models of the zoo by their published shapes. A shape's `sequence` and `vocabulary` are the defaults of the
// model's parameters.
#pragma once

#include <string>
#include <vector>

#include "workload/transformer.h"

namespace helio::workload {

struct TransformerModel {
  std::string name, title, summary, reference;
  TransformerShape shape;
};

const std::vector<TransformerModel>& transformer_models();

// The shapes of families, as the sizes that differ within one.
TransformerShape gpt_shape(std::uint64_t layers, std::uint64_t hidden, std::uint64_t heads, std::uint64_t sequence);
TransformerShape bert_shape(std::uint64_t layers, std::uint64_t hidden, std::uint64_t heads);
TransformerShape llama_shape(std::uint64_t layers, std::uint64_t hidden, std::uint64_t heads,
                             std::uint64_t feed_forward);

}  // namespace helio::workload
