// SPDX-License-Identifier: Apache-2.0
// What stands before and after the blocks of a transformer.
//
//     words    look-up · positions · [norm]   …   [norm] · logits · loss        or BERT's pooler
//     images   patches · class token          …   [norm] · classes · loss       or ViT's pooler
#pragma once

#include "workload/transformer.h"

namespace helio::workload {

// Requires of both: fault(shape) has nothing to say.
Layer transformer_embedding(const TransformerShape& shape);
Layer transformer_head(const TransformerShape& shape);

}  // namespace helio::workload
