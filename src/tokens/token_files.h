// SPDX-License-Identifier: Apache-2.0
// Text and tokens in files: a vocabulary learnt from a file, a file as tokens, and back (docs/training-data.md).
//
//     text ─▶ learn ─▶ model          text, model ─▶ encode ─▶ tokens          tokens, model ─▶ decode ─▶ text
#pragma once

#include <cstdint>
#include <string>

#include "tokens/byte_pairs.h"

namespace helio::tokens {

// A path, and what the front end calls it in messages ("--text"). "-" as a text is standard input.
struct NamedFile {
  std::string path, place;
};

// What is written is there when it is whole (base/file.h). Throw Error(kInput) at the file's place for what cannot be read to its end or
// written.
std::int64_t learn(const NamedFile& text, const BytePairTraining& training, const NamedFile& model);  // tokens in all

struct EncodedFile {
  EncodedText text;
  std::int64_t vocabulary = 0;
};
EncodedFile encode(const NamedFile& model, const NamedFile& text, const NamedFile& tokens);

std::string decode(const NamedFile& model, const NamedFile& tokens);

}  // namespace helio::tokens
