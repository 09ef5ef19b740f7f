// SPDX-License-Identifier: Apache-2.0
// Token files: unsigned 16-bit numbers, low byte first, without a header. helio-tokens makes them from text (docs/training-data.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace helio::train {

inline constexpr std::int64_t kTokenLimit = 65536;  // what 16 bits can tell apart

// The tokens of all files, in order. `vocabulary` 0 admits every token. Throws Error(kInput) with the file for files that cannot be
// read, that are empty or have an odd number of bytes, and for tokens past the vocabulary, with their place counted from 0.
std::vector<std::uint16_t> read_tokens(const std::vector<std::string>& files, std::int64_t vocabulary);

}  // namespace helio::train
