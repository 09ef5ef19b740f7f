// SPDX-License-Identifier: Apache-2.0
// Tokens of language models as bytes: unsigned 16-bit numbers, low byte first, without a header. helio-tokens makes them from text
// (docs/training-data.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

inline constexpr std::int64_t kTokenLimit = 65536;  // what 16 bits can tell apart

// Throws Error(kInput) at `place` for an odd number of bytes, and for a token past the vocabulary with its number, counted from 0. A
// vocabulary of 0 admits every token.
std::vector<std::uint16_t> parse_tokens(std::string_view bytes, std::int64_t vocabulary, const std::string& place);

}  // namespace helio
