// SPDX-License-Identifier: Apache-2.0
// Token files (base/token_bytes.h, docs/training-data.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/token_bytes.h"

namespace helio::train {

// The tokens of all files, in order. `vocabulary` 0 admits every token. Throws Error(kInput) with the file for files that cannot be
// read, that are empty or have an odd number of bytes, and for tokens past the vocabulary, with their place counted from 0.
std::vector<std::uint16_t> read_tokens(const std::vector<std::string>& files, std::int64_t vocabulary);

}  // namespace helio::train
