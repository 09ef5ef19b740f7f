// SPDX-License-Identifier: Apache-2.0
// A decoder as LLaMA has it (Touvron et al. 2023): RMSNorm before each part, rotary embeddings, SwiGLU, causal attention, no biases, an
// output head of its own.
//
//     tokens ─▷ embedding ─▷ x ─┬─▷ norm ─▷ q k v ─▷ rotate ─▷ attention ─▷ out ─▷ + ─┬─▷ norm ─▷ gate up ─▷ SwiGLU ─▷ down ─▷ + ─▷ … ─▷ norm ─▷ head
//                               └────────────────────────────────────────────────────┘└───────────────────────────────────────┘
//
// With width D, L blocks, vocabulary V and hidden H = ⌈8D/3⌉ rounded up to a multiple of 64 there are
// 2·V·D + L·(4·D² + 3·D·H + 2·D) + D parameters. Start values (ours, after GPT-2): N(0, 0.02²), what is added to x scaled by 1/√(2L).
#pragma once

#include <memory>

#include "train/models/model.h"

namespace helio::train {

// Requires: sizes of `spec` that ModelSpec::resolved let pass.
std::unique_ptr<Model> make_llama(const ModelSpec& spec, int servers, const at::Device& device,
                                  at::ScalarType precision, std::uint64_t seed);

}  // namespace helio::train
