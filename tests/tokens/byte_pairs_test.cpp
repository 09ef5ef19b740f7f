// SPDX-License-Identifier: Apache-2.0
#include "tokens/byte_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <sstream>
#include <stdexcept>

#include "base/error.h"

namespace helio::tokens {
namespace {

// Text with every kind of thing that a normaliser would touch: double, leading and trailing spaces, a tab, a carriage return, an empty
// line, ligatures and full-width letters (which NFKC changes), characters too rare to be learnt, digits, an end in mid-line.
const std::string kAwkward =
    "  leading and  double\ttab \r\n\nﬁne Ａ 𝔄𝕏 ☃\nyear 1984\nalmost <|endoftext|> an end\n<|endoftext|>\nnext";

std::string words(int lines) {
  std::string text;
  for (int i = 0; i < lines; ++i)
    text += i % 10 == 9 ? "<|endoftext|>\n"
                        : "the light that moves the gradients moves in the ring " + std::to_string(i) + "\n";
  return text;
}

std::string learn(const std::string& text, std::int64_t vocabulary, std::int64_t lines = 0) {
  std::istringstream in(text);
  return train_byte_pairs(in, {vocabulary, lines});
}

std::vector<std::uint16_t> encode(const BytePairs& pairs, const std::string& text, EncodedText* counts = nullptr) {
  std::istringstream in(text);
  std::ostringstream out;
  const EncodedText done = pairs.encode(in, out, "a.txt");
  if (counts) *counts = done;
  std::vector<std::uint16_t> tokens;
  const std::string bytes = out.str();
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2)
    tokens.push_back(static_cast<std::uint16_t>(static_cast<unsigned char>(bytes[i]) +
                                                256 * static_cast<unsigned char>(bytes[i + 1])));
  return tokens;
}

TEST(BytePairs, NothingIsLost) {
  const BytePairs pairs(learn(words(200), 320));
  EXPECT_EQ(pairs.vocabulary(), 320);
  std::string blanks(1000, ' ');
  blanks += '\n';
  for (const std::string& text : {kAwkward, words(30), std::string("\n"), std::string("x"), blanks})
    EXPECT_EQ(pairs.decode(encode(pairs, text)), text);
}

// <unk> is 0 and <|endoftext|> 1, then the 256 bytes: byte b is token 2 + b. A snowman, U+2603, is E2 98 83 in UTF-8 and not in the
// text that was learnt from, so it becomes three byte tokens; so does the end of the line, 0A, become one. Three tokens and one per
// line's end; the line <|endoftext|> is one token with its end.
TEST(BytePairs, BytesStandForWhatTheVocabularyLacks) {
  const BytePairs pairs(learn(words(200), 320));
  EXPECT_EQ(encode(pairs, "☃\n<|endoftext|>\n☃"),
            (std::vector<std::uint16_t>{2 + 0xe2, 2 + 0x98, 2 + 0x83, 2 + 0x0a, 1, 2 + 0xe2, 2 + 0x98, 2 + 0x83}));
}

// Only a line of its own ends an article: within a line the same characters are text.
TEST(BytePairs, CountsWhatItEncoded) {
  const BytePairs pairs(learn(words(200), 320));
  EncodedText counts;
  const std::vector<std::uint16_t> tokens = encode(pairs, kAwkward, &counts);
  EXPECT_EQ(counts.bytes, static_cast<std::int64_t>(kAwkward.size()));
  EXPECT_EQ(counts.lines, 7);
  EXPECT_EQ(counts.articles_ended, 1);
  EXPECT_EQ(counts.tokens, static_cast<std::int64_t>(tokens.size()));
  EXPECT_EQ(std::ranges::count(tokens, 1), 1);
}

// "moves" is in every line: 5 letters and the space before it merge into fewer tokens than characters. Digits never merge: "11"
// is two tokens however often it was seen.
TEST(BytePairs, MergesWhatIsFrequentButDigits) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "moves moves moves 11 11 11\n";
  const BytePairs pairs(learn(text, 272));
  EXPECT_LT(encode(pairs, "moves moves").size(), 6u);
  EXPECT_EQ(encode(pairs, "11").size(), 2u);
}

// Same text, same bytes; of the lines asked for only: with 1 line of 2, "zzzz" is not learnt and stays four byte tokens.
TEST(BytePairs, LearnsFromTheLinesAskedFor) {
  EXPECT_EQ(learn(words(200), 320), learn(words(200), 320));
  std::string text;
  for (int i = 0; i < 100; ++i) text += i % 2 == 0 ? "aaaa aaab\n" : "zzzz zzzy\n";
  const BytePairs half(learn(text, 264, 50)), all(learn(text, 264));
  EXPECT_EQ(encode(half, "zzzz"), (std::vector<std::uint16_t>(4, 2 + 'z')));
  EXPECT_NE(encode(all, "zzzz"), (std::vector<std::uint16_t>(4, 2 + 'z')));
}

Error refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error;
  }
  ADD_FAILURE() << "nothing was refused";
  return Error(ErrorKind::kUsage, "");
}

TEST(BytePairs, RefusesWhatCannotBeLearnt) {
  EXPECT_EQ(refusal([] { learn(words(200), 65537); }).place(), "--vocabulary");
  EXPECT_EQ(refusal([] { learn(words(200), 0); }).place(), "--vocabulary");
  // 258 tokens hold only <unk>, <|endoftext|> and the bytes: no room for a character of the text.
  EXPECT_EQ(refusal([] { learn(words(200), 258); }).place(), "--vocabulary");
  // A few words do not merge into 60,000 tokens.
  EXPECT_EQ(refusal([] { learn(words(20), 60000); }).place(), "--vocabulary");
  EXPECT_EQ(refusal([] { learn("\n<|endoftext|>\n", 300); }).place(), "--text");
  EXPECT_EQ(refusal([] { learn(words(20), 300, -1); }).place(), "--lines");
}

TEST(BytePairs, RefusesWhatWouldNotComeBack) {
  const BytePairs pairs(learn(words(200), 320));
  EXPECT_EQ(refusal([&] { encode(pairs, "good\nbad \xff\n"); }).place(), "a.txt:2");
  EXPECT_EQ(refusal([&] { encode(pairs, "good\n\ngood\nan \u2581\n"); }).place(), "a.txt:4");
}

TEST(BytePairs, RefusesOtherModels) {
  for (const std::string& bytes : {std::string(), std::string("no model"), std::string(100, '\0')})
    EXPECT_EQ(refusal([&] { BytePairs pairs(bytes); }).place(), "--model");
}

// Gives some bytes and then fails, as a disk or a network does.
class Failing : public std::stringbuf {
 public:
  explicit Failing(const std::string& text) : std::stringbuf(text, std::ios::in) {}
  int_type underflow() override {
    const int_type next = std::stringbuf::underflow();
    if (traits_type::eq_int_type(next, traits_type::eof())) throw std::runtime_error("gone");
    return next;
  }
};

// The failure of a plain stream is a bit in it, which is not the end of the text.
TEST(BytePairs, AStreamThatFailsHasNotEnded) {
  const BytePairs pairs(learn(words(200), 320));
  for (const bool learns : {true, false}) {
    Failing buffer(words(200));
    std::istream text(&buffer);
    std::ostringstream out;
    EXPECT_THROW(learns ? (void)train_byte_pairs(text, {320, 0}) : (void)pairs.encode(text, out, "a.txt"), Error);
  }
  std::istringstream text(words(5));
  std::ostringstream full;
  full.setstate(std::ios::badbit);
  EXPECT_THROW(pairs.encode(text, full, "a.txt"), Error);
}

}  // namespace
}  // namespace helio::tokens
