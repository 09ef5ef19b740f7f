// SPDX-License-Identifier: Apache-2.0
#include "train/content_hash.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "base/mix.h"

namespace helio::train {
namespace {

std::uint64_t folded(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * kGolden;  // odd
  return hash ^ (hash >> 32);
}

}  // namespace

std::uint64_t content_hash(std::string_view bytes) {
  constexpr std::size_t kWord = 8;
  std::uint64_t hash = folded(0, bytes.size());
  for (std::size_t first = 0; first < bytes.size(); first += kWord) {
    std::uint64_t word = 0;
    const std::size_t count = std::min(kWord, bytes.size() - first);
    for (std::size_t i = 0; i < count; ++i)
      word |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[first + i])) << (8 * i);
    hash = folded(hash, word);
  }
  return hash;
}

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

nlohmann::json contents_of(const std::vector<std::string>& files, std::string_view place) {
  nlohmann::json contents = nlohmann::json::array();
  for (const std::string& file : files) {
    const std::string bytes = read_bytes(file, place);
    contents.push_back({{"bytes", bytes.size()}, {"hash", hash_text(content_hash(bytes))}});
  }
  return contents;
}

}  // namespace helio::train
