// SPDX-License-Identifier: Apache-2.0
#include "tokens/byte_pairs.h"

#include <fmt/format.h>
#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include <algorithm>
#include <cassert>
#include <istream>
#include <ostream>
#include <unordered_map>

#include "base/error.h"
#include "base/split.h"
#include "base/token_bytes.h"
#include "base/visible.h"

namespace helio::tokens {
namespace {

using sentencepiece::SentencePieceProcessor;
using sentencepiece::SentencePieceTrainer;

constexpr std::string_view kNewLine = "<0x0A>";

// SentencePiece (0.1.97) shifts the place of a character in its word, and of the blank before it, by 16 bits within an int, and crashes
// past that.
constexpr std::size_t kLongestWord = 32767;

// Lines in memory, as the trainer asks for them.
class Lines : public sentencepiece::SentenceIterator {
 public:
  explicit Lines(const std::vector<std::string>& lines) : lines_(lines) {}
  bool done() const override { return at_ == lines_.size(); }
  void Next() override { ++at_; }
  const std::string& value() const override { return lines_[at_]; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  const std::vector<std::string>& lines_;
  std::size_t at_ = 0;
};

// A stream that failed has not ended.
void check_end(const std::istream& text, std::string_view place) {
  if (text.bad())
    throw Error(ErrorKind::kInput, "the text cannot be read to its end", std::string(place), "Give it again");
}

// `wanted` of the lines with text in them, spread evenly; all where it is 0 or more than there are.
std::vector<std::string> lines_to_learn_from(std::istream& text, std::int64_t wanted) {
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);)
    if (!line.empty() && line != kEndOfText) lines.push_back(std::move(line));
  check_end(text, "--text");
  const auto all = static_cast<std::int64_t>(lines.size());
  if (wanted == 0 || wanted >= all) return lines;
  for (std::int64_t i = 0; i < wanted; ++i) {
    const std::int64_t from = i * all / wanted;  // never before i
    if (from != i) lines[static_cast<std::size_t>(i)] = std::move(lines[static_cast<std::size_t>(from)]);
  }
  lines.resize(static_cast<std::size_t>(wanted));
  return lines;
}

void refuse_long_words(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    if (line.size() <= kLongestWord) continue;
    for (const std::string& word : split(line, ' '))
      if (const std::size_t length = characters_in(word); length > kLongestWord)
        throw Error(ErrorKind::kInfeasible,
                    fmt::format("a word has {} characters, and SentencePiece learns from words of at most {}", length,
                                kLongestWord),
                    "--text", "Leave such lines out, or put blanks into them");
  }
}

void append(std::string& bytes, int token) {
  bytes += static_cast<char>(token & 0xff);
  bytes += static_cast<char>(token >> 8);
}

}  // namespace

std::string train_byte_pairs(std::istream& text, const BytePairTraining& training) {
  // What can be refused before the work.
  if (training.vocabulary < 1 || training.vocabulary > kTokenLimit)
    throw Error(ErrorKind::kInput, fmt::format("a vocabulary of {} tokens", training.vocabulary), "--vocabulary",
                fmt::format("Ask for at most {}, which 16 bits can tell apart", kTokenLimit));
  if (training.lines < 0)
    throw Error(ErrorKind::kInput, fmt::format("{} lines to learn from", training.lines), "--lines",
                "Ask for at least one, or 0 for all");
  const std::vector<std::string> lines = lines_to_learn_from(text, training.lines);
  if (lines.empty())
    throw Error(ErrorKind::kInput, "the text has no line to learn from", "--text",
                "Give text, articles separated by a line " + std::string(kEndOfText));

  refuse_long_words(lines);

  // Everything that would change the text is switched off.
  const std::unordered_map<std::string, std::string> settings = {
      {"model_type", "bpe"},
      {"vocab_size", std::to_string(training.vocabulary)},
      {"byte_fallback", "true"},
      {"split_digits", "true"},
      {"normalization_rule_name", "identity"},
      {"remove_extra_whitespaces", "false"},
      {"add_dummy_prefix", "false"},
      {"max_sentence_length", "1073741824"},
      {"input_sentence_size", "0"},
      {"unk_id", "0"},
      {"eos_id", "1"},
      {"eos_piece", std::string(kEndOfText)},
      {"bos_id", "-1"},
      {"pad_id", "-1"},
      {"num_threads", "1"},
      {"minloglevel", "2"},  // errors only
  };
  Lines source(lines);
  std::string model;
  const sentencepiece::util::Status status = SentencePieceTrainer::Train(settings, &source, &model);
  if (!status.ok())
    throw Error(ErrorKind::kInput,
                fmt::format("SentencePiece learns no vocabulary of {} tokens from this text: {}", training.vocabulary,
                            status.error_message()),
                "--vocabulary", "Ask for another number of tokens, or give other text");
  return model;
}

struct BytePairs::Model {
  SentencePieceProcessor processor;
  int end_of_text = 0, new_line = 0;
};

BytePairs::BytePairs(std::string_view model) : model_(std::make_unique<Model>()) {
  SentencePieceProcessor& processor = model_->processor;
  const Error wrong(ErrorKind::kInput, "this is no model with byte tokens and " + std::string(kEndOfText), "--model",
                    "Make one with helio-tokens train");
  if (model.empty() || !processor.LoadFromSerializedProto(model).ok()) throw wrong;
  model_->end_of_text = processor.PieceToId(kEndOfText);
  model_->new_line = processor.PieceToId(kNewLine);
  if (!processor.IsControl(model_->end_of_text) || !processor.IsByte(model_->new_line)) throw wrong;
  if (vocabulary() > kTokenLimit)
    throw Error(ErrorKind::kInput, fmt::format("the model has {} tokens", vocabulary()), "--model",
                fmt::format("Use one of at most {}, which 16 bits can tell apart", kTokenLimit));
}

BytePairs::~BytePairs() = default;

std::int64_t BytePairs::vocabulary() const { return model_->processor.GetPieceSize(); }

EncodedText BytePairs::encode(std::istream& text, std::ostream& out, std::string_view place) const {
  EncodedText done;
  std::string bytes, back;
  std::vector<int> tokens;
  for (std::string line; std::getline(text, line);) {
    const bool ended = !text.eof();  // the last line of a file may lack its end
    done.bytes += static_cast<std::int64_t>(line.size()) + (ended ? 1 : 0);
    ++done.lines;
    bytes.clear();
    if (ended && line == kEndOfText) {
      ++done.articles_ended;
      append(bytes, model_->end_of_text);
    } else {
      // The line, and the proof that it comes back.
      const bool coded = model_->processor.Encode(line, &tokens).ok() && model_->processor.Decode(tokens, &back).ok();
      if (!coded || back != line)
        throw Error(ErrorKind::kInput, "this line would not come back as it was",
                    fmt::format("{}:{}", place, done.lines), "Give UTF-8 without the character U+2581");
      for (const int token : tokens) append(bytes, token);
      if (ended) append(bytes, model_->new_line);
    }
    done.tokens += static_cast<std::int64_t>(bytes.size() / 2);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  check_end(text, place);
  if (!out) throw Error(ErrorKind::kInput, "the tokens cannot be written", "", "Make room");
  return done;
}

std::string BytePairs::decode(const std::vector<std::uint16_t>& tokens) const {
  std::string text, part;
  std::vector<int> ids;
  const auto flush = [&] {
    const bool decoded = model_->processor.Decode(ids, &part).ok();
    assert(decoded && "tokens of this vocabulary");
    if (decoded) text += part;
    ids.clear();
  };
  for (const std::uint16_t token : tokens) {
    if (token == model_->end_of_text || token == model_->new_line) {
      flush();
      if (token == model_->end_of_text) text += kEndOfText;
      text += '\n';
    } else {
      ids.push_back(token);
    }
  }
  flush();
  return text;
}

}  // namespace helio::tokens
