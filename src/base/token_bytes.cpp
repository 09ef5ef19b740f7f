// SPDX-License-Identifier: Apache-2.0
#include "base/token_bytes.h"

#include <fmt/format.h>

#include "base/error.h"

namespace helio {

std::vector<std::uint16_t> parse_tokens(std::string_view bytes, std::int64_t vocabulary, const std::string& place) {
  if (bytes.size() % 2 != 0)
    throw Error(ErrorKind::kInput, fmt::format("{} bytes are no whole number of 16-bit tokens", bytes.size()), place,
                "Give a whole file as helio-tokens encode writes it");
  std::vector<std::uint16_t> tokens(bytes.size() / 2);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto low = static_cast<std::uint8_t>(bytes[2 * i]), high = static_cast<std::uint8_t>(bytes[2 * i + 1]);
    tokens[i] = static_cast<std::uint16_t>(low | high << 8);
    if (vocabulary > 0 && tokens[i] >= vocabulary)
      throw Error(ErrorKind::kInput,
                  fmt::format("token number {} is {}; the vocabulary has {} tokens, 0 to {}", i, tokens[i], vocabulary,
                              vocabulary - 1),
                  place, "Give the vocabulary or the model that the tokens were made with");
  }
  return tokens;
}

}  // namespace helio
