// SPDX-License-Identifier: Apache-2.0
#include "train/data/token_file.h"

#include <fmt/format.h>

#include "base/error.h"
#include "train/safe_file.h"

namespace helio::train {

std::vector<std::uint16_t> read_tokens(const std::vector<std::string>& files, std::int64_t vocabulary) {
  std::vector<std::uint16_t> tokens;
  for (const std::string& file : files) {
    const std::string bytes = read_bytes(file, "");
    if (bytes.empty() || bytes.size() % 2 != 0)
      throw Error(ErrorKind::kInput,
                  bytes.empty() ? "no token: the file is empty"
                                : fmt::format("{} bytes are no whole number of 16-bit tokens", bytes.size()),
                  file, "Give a whole file as helio-tokens encode writes it");
    tokens.reserve(tokens.size() + bytes.size() / 2);
    for (std::size_t at = 0; at < bytes.size(); at += 2) {
      const auto low = static_cast<std::uint8_t>(bytes[at]), high = static_cast<std::uint8_t>(bytes[at + 1]);
      const auto token = static_cast<std::uint16_t>(low | high << 8);
      if (vocabulary > 0 && token >= vocabulary)
        throw Error(ErrorKind::kInput,
                    fmt::format("token number {} is {}; the vocabulary has {} tokens, 0 to {}", at / 2, token,
                                vocabulary, vocabulary - 1),
                    file, "Give the vocabulary that the file was made with");
      tokens.push_back(token);
    }
  }
  return tokens;
}

}  // namespace helio::train
