// SPDX-License-Identifier: Apache-2.0
#include "tokens/token_files.h"

#include "base/error.h"
#include "base/file.h"
#include "base/token_bytes.h"

namespace helio::tokens {

std::int64_t learn(const NamedFile& text, const BytePairTraining& training, const NamedFile& model) {
  InputStream in(text.path, text.place);
  FileWriter out(model.path, model.place);
  const std::string bytes = train_byte_pairs(in, training);
  out << bytes;
  out.commit();
  return BytePairs(bytes).vocabulary();
}

EncodedFile encode(const NamedFile& model, const NamedFile& text, const NamedFile& tokens) {
  const BytePairs pairs(InputStream(model.path, model.place).rest());
  InputStream in(text.path, text.place);
  FileWriter out(tokens.path, tokens.place);
  const EncodedFile done{.text = pairs.encode(in, out, text.path), .vocabulary = pairs.vocabulary()};
  if (done.text.tokens == 0) throw Error(ErrorKind::kInput, "the text is empty", text.place, "Give text");
  out.commit();
  return done;
}

std::string decode(const NamedFile& model, const NamedFile& tokens) {
  const BytePairs pairs(InputStream(model.path, model.place).rest());
  return pairs.decode(parse_tokens(InputStream(tokens.path, tokens.place).rest(), pairs.vocabulary(), tokens.place));
}

}  // namespace helio::tokens
