// SPDX-License-Identifier: Apache-2.0
// helio-tokens: text into tokens for training language models (docs/training-data.md).
//
//   xz -dc train.txt.xz | helio-tokens train --text - --vocabulary 16384 --out bpe.model
//   xz -dc train.txt.xz | helio-tokens encode --model bpe.model --text - --out train.u16
//   helio-tokens decode --model bpe.model --tokens train.u16 | head
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "base/json_dump.h"
#include "base/visible.h"
#include "option_bounds.h"
#include "path_options.h"
#include "program.h"
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
  const nlohmann::ordered_json result = {{"model", o.out}, {"vocabulary", vocabulary}};
  apps::print(o.json ? json_dump(result) + "\n" : fmt::format("{}: {} tokens\n", visible(o.out), vocabulary));
}

void encode(const Options& o) {
  const auto [done, vocabulary] = tokens::encode({o.model, "--model"}, {o.text, "--text"}, {o.out, "--out"});
  const nlohmann::ordered_json result = {{"file", o.out},
                                         {"vocabulary", vocabulary},
                                         {"text_bytes", done.bytes},
                                         {"lines", done.lines},
                                         {"articles_ended", done.articles_ended},
                                         {"tokens", done.tokens}};
  apps::print(o.json ? json_dump(result) + "\n"
                     : fmt::format("{}: {} tokens of {} bytes of text, {:.4f} tokens a byte\n", visible(o.out),
                                   done.tokens, done.bytes,
                                   static_cast<double>(done.tokens) / static_cast<double>(done.bytes)));
}

void decode(const Options& o) { apps::print_bytes(tokens::decode({o.model, "--model"}, {o.tokens, "--tokens"})); }

int run(int argc, char** argv) {
  CLI::App app("Text into tokens and back: docs/training-data.md", kName);
  app.require_subcommand(1);
  app.footer(kExamples);
  Options o;
  CLI::App* learn = app.add_subcommand("train", "learn a byte-pair vocabulary from text");
  apps::add_path(*learn, "--text", o.text, apps::PathUse::kRead,
                 "UTF-8, a line <|endoftext|> between articles; - is standard input")
      ->required();
  apps::add_integer(*learn, "--vocabulary", o.training.vocabulary, "tokens in all")->capture_default_str();
  apps::add_integer(*learn, "--lines", o.training.lines, "learn from this many lines, spread evenly; 0: all")
      ->capture_default_str();
  apps::add_path(*learn, "--out", o.out, apps::PathUse::kWritten, "the model, a SentencePiece file")->required();
  CLI::App* code = app.add_subcommand("encode", "write text as 16-bit tokens");
  apps::add_path(*code, "--model", o.model, apps::PathUse::kRead, "as `train` wrote it")->required();
  apps::add_path(*code, "--text", o.text, apps::PathUse::kRead, "- is standard input")->required();
  apps::add_path(*code, "--out", o.out, apps::PathUse::kWritten, "unsigned 16-bit numbers, low byte first")->required();
  CLI::App* back = app.add_subcommand("decode", "write tokens as text on standard output");
  apps::add_path(*back, "--model", o.model, apps::PathUse::kRead, "as `train` wrote it")->required();
  apps::add_path(*back, "--tokens", o.tokens, apps::PathUse::kRead, "as `encode` wrote them")->required();
  for (CLI::App* command : {learn, code}) command->add_flag("--json", o.json, "one JSON object on standard output");
  if (!apps::parse_words(app, argc, argv, "see helio-tokens --help, or --help after a command")) return 0;
  if (*learn) train(o);
  if (*code) encode(o);
  if (*back) decode(o);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return apps::run_program({.name = kName, .smaller = "give less text, or shorter lines"},
                           [&] { return run(argc, argv); });
}
