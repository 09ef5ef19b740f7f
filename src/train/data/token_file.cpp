// SPDX-License-Identifier: Apache-2.0
#include "train/data/token_file.h"

#include "base/error.h"
#include "base/file.h"

namespace helio::train {

std::vector<std::uint16_t> read_tokens(const std::vector<std::string>& files, std::int64_t vocabulary) {
  std::vector<std::uint16_t> tokens;
  for (const std::string& file : files) {
    const std::vector<std::uint16_t> found = parse_tokens(read_bytes(file, ""), vocabulary, file);
    if (found.empty())
      throw Error(ErrorKind::kInput, "no token: the file is empty", file,
                  "Give a whole file as helio-tokens encode writes it");
    tokens.insert(tokens.end(), found.begin(), found.end());
  }
  return tokens;
}

}  // namespace helio::train
