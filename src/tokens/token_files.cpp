// SPDX-License-Identifier: Apache-2.0
#include "tokens/token_files.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <vector>

#include "base/error.h"

namespace helio::tokens {
namespace {

// Hands the file, or standard input for "-", to `use`.
void with_input(const NamedFile& named, const std::function<void(std::istream&)>& use) {
  if (named.path == "-") return use(std::cin);
  std::ifstream file(named.path, std::ios::binary);
  if (!file || std::filesystem::is_directory(named.path))
    throw Error(ErrorKind::kInput, fmt::format("'{}' cannot be read", named.path), named.place,
                "Name a file that exists");
  use(file);
}

std::string whole_file(const NamedFile& named) {
  std::string bytes;
  with_input(named, [&](std::istream& in) { bytes.assign(std::istreambuf_iterator<char>(in), {}); });
  return bytes;
}

// Nothing that is read may be written to, and nothing that is no file.
void check_output(const NamedFile& out, const std::vector<NamedFile>& inputs) {
  const std::string& path = out.path;
  namespace fs = std::filesystem;
  std::error_code unknown;
  for (const auto& [input, place] : inputs)
    if (path == input || fs::equivalent(path, input, unknown) || fs::equivalent(path + ".part", input, unknown))
      throw Error(ErrorKind::kUsage, fmt::format("{} would replace the file of {}, '{}'", out.place, place, input),
                  out.place, "Name another file");
  if (fs::exists(path, unknown) && !fs::is_regular_file(path, unknown))
    throw Error(ErrorKind::kInput, fmt::format("'{}' is no file that could be replaced", path), out.place,
                "Name a file in a folder that exists and may be written to");
}

// Written beside and renamed when it is whole.
void with_output(const NamedFile& out, const std::function<void(std::ostream&)>& fill) {
  const std::string& path = out.path;
  const std::string beside = path + ".part";
  std::ofstream file(beside, std::ios::binary | std::ios::trunc);
  const auto refuse = [&] {
    throw Error(ErrorKind::kInput, fmt::format("'{}' cannot be written: {}", path, std::strerror(errno)), out.place,
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

}  // namespace

std::int64_t learn(const NamedFile& text, const BytePairTraining& training, const NamedFile& model) {
  std::int64_t vocabulary = 0;
  check_output(model, {text});
  with_output(model, [&](std::ostream& out) {
    with_input(text, [&](std::istream& in) {
      const std::string bytes = train_byte_pairs(in, training);
      vocabulary = BytePairs(bytes).vocabulary();
      out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    });
  });
  return vocabulary;
}

EncodedFile encode(const NamedFile& model, const NamedFile& text, const NamedFile& tokens) {
  const BytePairs pairs(whole_file(model));
  EncodedFile done{.text = {}, .vocabulary = pairs.vocabulary()};
  check_output(tokens, {text, model});
  with_output(tokens, [&](std::ostream& out) {
    with_input(text, [&](std::istream& in) { done.text = pairs.encode(in, out, text.path); });
    if (done.text.tokens == 0) throw Error(ErrorKind::kInput, "the text is empty", text.place, "Give text");
  });
  return done;
}

std::string decode(const NamedFile& model, const NamedFile& tokens) {
  const BytePairs pairs(whole_file(model));
  const std::string bytes = whole_file(tokens);
  if (bytes.size() % 2 != 0)
    throw Error(ErrorKind::kInput, fmt::format("{} bytes are no whole number of 16-bit tokens", bytes.size()),
                tokens.place, "Give a whole file");
  std::vector<std::uint16_t> row;
  for (std::size_t at = 0; at < bytes.size(); at += 2) {
    row.push_back(static_cast<std::uint16_t>(static_cast<std::uint8_t>(bytes[at]) |
                                             static_cast<std::uint8_t>(bytes[at + 1]) << 8));
    if (row.back() >= pairs.vocabulary())
      throw Error(ErrorKind::kInput,
                  fmt::format("token number {} is {}; the model has {}", at / 2, row.back(), pairs.vocabulary()),
                  tokens.place, "Give the model that the tokens were made with");
  }
  return pairs.decode(row);
}

}  // namespace helio::tokens
