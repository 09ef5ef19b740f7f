// SPDX-License-Identifier: Apache-2.0
// Text as tokens for language models: byte-pair encoding (Sennrich et al. 2016, arXiv:1508.07909) by the SentencePiece library (Kudo &
// Richardson 2018, arXiv:1808.06226), with bytes for characters that the vocabulary lacks.
//
//     text        Punjab Police ↵ The Punjab … ↵ <|endoftext|> ↵ Ledge ↵ …      articles, a line <|endoftext|> between them
//     tokens      [Pun jab ▁Police <0x0A>  The ▁Punjab … <0x0A>  <|endoftext|>  Led ge <0x0A> …]
//
// Invariant: nothing is lost. Neither characters nor spaces are normalised, no space is put before a line, a line's end is the byte
// token <0x0A>, and every line is decoded again and compared while it is encoded. Digits are tokens of their own.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace helio::tokens {

inline constexpr std::string_view kEndOfText = "<|endoftext|>";  // alone on its line, between articles

struct BytePairTraining {
  std::int64_t vocabulary = 16384;  // tokens in all: merges, characters, 256 bytes, <unk>, <|endoftext|>
  std::int64_t lines = 0;           // learn from this many lines, spread evenly over the text; 0: all
};

// A model as SentencePiece stores it, learnt from `text`. The same text gives the same bytes. Throws Error(kInput) for a vocabulary
// that the text or 16 bits do not fill, for text without a line to learn from, and for a stream that fails; Error(kInfeasible) for
// a word of more characters than SentencePiece can count.
std::string train_byte_pairs(std::istream& text, const BytePairTraining& training);

struct EncodedText {
  std::int64_t bytes = 0, lines = 0, articles_ended = 0, tokens = 0;
};

class BytePairs {
 public:
  // `model` as train_byte_pairs returns it. Throws Error(kInput) for other bytes, and for models without byte tokens,
  // <|endoftext|> or with more tokens than 16 bits hold.
  explicit BytePairs(std::string_view model);
  ~BytePairs();
  BytePairs(const BytePairs&) = delete;
  BytePairs& operator=(const BytePairs&) = delete;

  std::int64_t vocabulary() const;
  // Writes `text` to `out` as unsigned 16-bit numbers, low byte first, line by line. Throws Error(kInput) at `place`:line for a line
  // that would not come back as it was: no UTF-8, or holding U+2581, which stands for a space in the model. Throws it also for
  // streams that fail.
  EncodedText encode(std::istream& text, std::ostream& out, std::string_view place) const;
  // The text again. Requires: every token is below vocabulary().
  std::string decode(const std::vector<std::uint16_t>& tokens) const;

 private:
  struct Model;
  std::unique_ptr<Model> model_;
};

}  // namespace helio::tokens
