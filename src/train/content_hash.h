// SPDX-License-Identifier: Apache-2.0
// A 64-bit number for the whole content of a file: other content under the same name is noticed, a damaged file too. It is no signature:
// it guards against accidents, not against people.
//
//     h ← seed of the length;   for every 8 bytes, low byte first (the last ones filled up with zeros):   h ← fold((h ⊕ bytes) · odd)
//
// Every step can be undone, so a change within one group of 8 bytes always changes the number.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace helio::train {

std::uint64_t content_hash(std::string_view bytes);

// Sixteen hexadecimal digits.
std::string hash_text(std::uint64_t hash);

// [{"bytes", "hash"}, …] of files, each read whole. Names do not count: a file may move. Throws Error(kInput) at `place`.
nlohmann::json contents_of(const std::vector<std::string>& files, std::string_view place);

}  // namespace helio::train
