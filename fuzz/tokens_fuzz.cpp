// SPDX-License-Identifier: Apache-2.0
// Tokens as bytes: half as many as bytes, and each within the vocabulary.
#include <algorithm>

#include "base/token_bytes.h"
#include "reading.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace helio;
  for (const std::int64_t vocabulary : {std::int64_t{0}, std::int64_t{1}, std::int64_t{300}, kTokenLimit})
    fuzz::reads([&] {
      const std::vector<std::uint16_t> tokens = parse_tokens(fuzz::as_text(data, size), vocabulary, "fuzz.u16");
      if (tokens.size() * 2 != size) fuzz::finding("tokens were lost");
      if (vocabulary > 0 && std::ranges::any_of(tokens, [&](std::uint16_t token) { return token >= vocabulary; }))
        fuzz::finding("a token past the vocabulary");
    });
  return 0;
}
