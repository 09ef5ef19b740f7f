// SPDX-License-Identifier: Apache-2.0
// helio-tokens: text into tokens for training language models (docs/training-data.md).
//
//   xz -dc train.txt.xz | helio-tokens train --text - --vocabulary 16384 --out bpe.model
//   xz -dc train.txt.xz | helio-tokens encode --model bpe.model --text - --out train.u16
//   helio-tokens decode --model bpe.model --tokens train.u16 | head
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "complaint.h"
#include "tokens/byte_pairs.h"

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

// Hands the file, or standard input for "-", to `use`.
void with_input(const std::string& path, const std::string& option, const std::function<void(std::istream&)>& use) {
  if (path == "-") return use(std::cin);
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path))
    throw Error(ErrorKind::kInput, fmt::format("'{}' cannot be read", path), option, "Name a file that exists");
  use(file);
}

std::string whole_file(const std::string& path, const std::string& option) {
  std::string bytes;
  with_input(path, option, [&](std::istream& in) { bytes.assign(std::istreambuf_iterator<char>(in), {}); });
  return bytes;
}

// Nothing that is read may be written to, and nothing that is no file.
void check_output(const std::string& path, const std::vector<std::pair<const char*, std::string>>& inputs) {
  namespace fs = std::filesystem;
  std::error_code unknown;
  for (const auto& [option, input] : inputs)
    if (path == input || fs::equivalent(path, input, unknown) || fs::equivalent(path + ".part", input, unknown))
      throw Error(ErrorKind::kUsage, fmt::format("--out would replace the file of {}, '{}'", option, input), "--out",
                  "Name another file");
  if (fs::exists(path, unknown) && !fs::is_regular_file(path, unknown))
    throw Error(ErrorKind::kInput, fmt::format("'{}' is no file that could be replaced", path), "--out",
                "Name a file in a folder that exists and may be written to");
}

// Written beside and renamed when it is whole.
void with_output(const std::string& path, const std::function<void(std::ostream&)>& fill) {
  const std::string beside = path + ".part";
  std::ofstream file(beside, std::ios::binary | std::ios::trunc);
  const auto refuse = [&] {
    throw Error(ErrorKind::kInput, fmt::format("'{}' cannot be written: {}", path, std::strerror(errno)), "--out",
                "Name a file in a folder that exists and may be written to");
  };
  if (!file) refuse();
  try {
    fill(file);
  } catch (...) {
    file.close();
    std::remove(beside.c_str());
    throw;
  }
  file.close();
  if (!file || std::rename(beside.c_str(), path.c_str()) != 0) refuse();
}

void train(const Options& o) {
  std::int64_t vocabulary = 0;
  check_output(o.out, {{"--text", o.text}});
  with_output(o.out, [&](std::ostream& out) {
    with_input(o.text, "--text", [&](std::istream& text) {
      const std::string model = tokens::train_byte_pairs(text, o.training);
      vocabulary = tokens::BytePairs(model).vocabulary();
      out.write(model.data(), static_cast<std::streamsize>(model.size()));
    });
  });
  if (o.json)
    fmt::print("{}\n", nlohmann::ordered_json{{"model", o.out}, {"vocabulary", vocabulary}}.dump());
  else
    fmt::print("{}: {} tokens\n", o.out, vocabulary);
}

void encode(const Options& o) {
  const tokens::BytePairs pairs(whole_file(o.model, "--model"));
  tokens::EncodedText done;
  check_output(o.out, {{"--text", o.text}, {"--model", o.model}});
  with_output(o.out, [&](std::ostream& out) {
    with_input(o.text, "--text", [&](std::istream& text) { done = pairs.encode(text, out, o.text); });
    if (done.tokens == 0) throw Error(ErrorKind::kInput, "the text is empty", "--text", "Give text");
  });
  if (o.json)
    fmt::print("{}\n", nlohmann::ordered_json{{"file", o.out},
                                              {"vocabulary", pairs.vocabulary()},
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
  const tokens::BytePairs pairs(whole_file(o.model, "--model"));
  const std::string bytes = whole_file(o.tokens, "--tokens");
  if (bytes.size() % 2 != 0)
    throw Error(ErrorKind::kInput, fmt::format("{} bytes are no whole number of 16-bit tokens", bytes.size()),
                "--tokens", "Give a whole file");
  std::vector<std::uint16_t> row;
  for (std::size_t at = 0; at < bytes.size(); at += 2) {
    row.push_back(static_cast<std::uint16_t>(static_cast<std::uint8_t>(bytes[at]) |
                                             static_cast<std::uint8_t>(bytes[at + 1]) << 8));
    if (row.back() >= pairs.vocabulary())
      throw Error(ErrorKind::kInput,
                  fmt::format("token number {} is {}; the model has {}", at / 2, row.back(), pairs.vocabulary()),
                  "--tokens", "Give the model that the tokens were made with");
  }
  const std::string text = pairs.decode(row);
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
