// SPDX-License-Identifier: Apache-2.0
// helio-tokens: text into tokens for training language models (docs/training-data.md).
//
//   xz -dc train.txt.xz | helio-tokens train --text - --vocabulary 16384 --out bpe.model
//   xz -dc train.txt.xz | helio-tokens encode --model bpe.model --text - --out train.u16
//   helio-tokens decode --model bpe.model --tokens train.u16 | head
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"
#include "complaint.h"
#include "tokens/token_files.h"

namespace {

using namespace helio;

constexpr const char* kName = "helio-tokens";

constexpr const char* kExamples = R"(
Each command has its own --help.

Example:
  helio-tokens train  --text train.txt --vocabulary 16384 --out bpe.model
  helio-tokens encode --model bpe.model --text train.txt --out train.u16
  helio-tokens decode --model bpe.model --tokens train.u16 | cmp - train.txt
  helio train llama --data tokens --train train.u16 --test valid.u16
)";

struct Options {
  std::string text, model, tokens, out;
  tokens::BytePairTraining training;
  bool json = false;
};

void train(const Options& o) {
  const std::int64_t vocabulary = tokens::learn({o.text, "--text"}, o.training, {o.out, "--out"});
  if (o.json)
    fmt::print("{}\n", nlohmann::ordered_json{{"model", o.out}, {"vocabulary", vocabulary}}.dump());
  else
    fmt::print("{}: {} tokens\n", o.out, vocabulary);
}

void encode(const Options& o) {
  const auto [done, vocabulary] = tokens::encode({o.model, "--model"}, {o.text, "--text"}, {o.out, "--out"});
  if (o.json)
    fmt::print("{}\n", nlohmann::ordered_json{{"file", o.out},
                                              {"vocabulary", vocabulary},
                                              {"text_bytes", done.bytes},
                                              {"lines", done.lines},
                                              {"articles_ended", done.articles_ended},
                                              {"tokens", done.tokens}}
                           .dump());
  else
    fmt::print("{}: {} tokens of {} bytes of text, {:.4f} tokens a byte\n", o.out, done.tokens, done.bytes,
               static_cast<double>(done.tokens) / static_cast<double>(done.bytes));
}

void decode(const Options& o) {
  const std::string text = tokens::decode({o.model, "--model"}, {o.tokens, "--tokens"});
  std::fwrite(text.data(), 1, text.size(), stdout);
}

int run(int argc, char** argv) {
  CLI::App app("Text into tokens and back: docs/training-data.md", kName);
  app.require_subcommand(1);
  app.footer(kExamples);
  Options o;
  CLI::App* learn = app.add_subcommand("train", "learn a byte-pair vocabulary from text");
  learn->add_option("--text", o.text, "UTF-8, a line <|endoftext|> between articles; - is standard input")->required();
  learn->add_option("--vocabulary", o.training.vocabulary, "tokens in all")->capture_default_str();
  learn->add_option("--lines", o.training.lines, "learn from this many lines, spread evenly; 0: all")
      ->capture_default_str();
  learn->add_option("--out", o.out, "the model, a SentencePiece file")->required();
  CLI::App* code = app.add_subcommand("encode", "write text as 16-bit tokens");
  code->add_option("--model", o.model, "as `train` wrote it")->required();
  code->add_option("--text", o.text, "- is standard input")->required();
  code->add_option("--out", o.out, "unsigned 16-bit numbers, low byte first")->required();
  CLI::App* back = app.add_subcommand("decode", "write tokens as text on standard output");
  back->add_option("--model", o.model, "as `train` wrote it")->required();
  back->add_option("--tokens", o.tokens, "as `encode` wrote them")->required();
  for (CLI::App* command : {learn, code}) command->add_flag("--json", o.json, "one JSON object on standard output");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    if (problem.get_exit_code() == 0) return app.exit(problem);
    return apps::complain(kName, exit_code(ErrorKind::kUsage), problem.what(), "", "See helio-tokens --help");
  }
  if (*learn) train(o);
  if (*code) encode(o);
  if (*back) decode(o);
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    throw Error(ErrorKind::kInput, "cannot write to standard output", "", "Check where it goes");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const Error& problem) {
    return apps::complain(kName, exit_code(problem.kind()), problem.message(), problem.place(), problem.advice());
  } catch (const std::exception& problem) {
    return apps::complain(kName, 1, problem.what(), "", "");
  }
}
