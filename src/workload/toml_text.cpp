// SPDX-License-Identifier: Apache-2.0
#include "workload/toml_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace helio::workload {
namespace {

// Where the string that begins at `at` ends; one that does not end where it must is the library's to refuse.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const bool escapes = quote == '"';
  const std::string three(3, quote);
  const bool lines = text.substr(at).starts_with(three);
  for (at += lines ? 3 : 1; at < text.size(); ++at) {
    if (escapes && text[at] == '\\') {
      ++at;
    } else if (!lines && (text[at] == quote || text[at] == '\n')) {
      return at + 1;
    } else if (lines && text.substr(at).starts_with(three)) {
      for (at += 3; at < text.size() && text[at] == quote; ++at) continue;  // it may end in quotes of its own
      return at;
    }
  }
  return text.size();
}

// Throws for keys with too many parts and for brackets too deep. Up to its first mistake the text is taken apart as the library does.
void check_nesting(std::string_view text, const std::string& source) {
  std::size_t depth = 0, parts = 1, line = 1, start = 0;
  const auto refuse = [&](std::size_t at, std::string what, const char* advice) {
    throw Error(ErrorKind::kInput, std::move(what), fmt::format("{}:{}:{}", source, line, at - start + 1), advice);
  };
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      const std::size_t end = end_of_string(text, at);
      for (; at < end; ++at)
        if (text[at] == '\n') ++line, start = at + 1;
      continue;
    }
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (c == '[' || c == '{') {
      if (++depth > kDeepestToml)
        refuse(at, fmt::format("nested more than {} deep", kDeepestToml), "Write a flatter file.");
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
    if (c == '.') {
      if (++parts > kMostKeyParts)
        refuse(at, fmt::format("a key of more than {} parts", kMostKeyParts), "Write a shorter key.");
    } else if (c == '\n' || c == ',' || c == '=' || c == '[' || c == '{') {
      parts = 1;
    }
    if (c == '\n') ++line, start = at + 1;
    ++at;
  }
}

}  // namespace

std::optional<std::string> value_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* integer = node.as_integer()) return fmt::format("{}", integer->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
  return std::nullopt;
}

std::string toml_place(const std::string& source, const toml::source_region& region) {
  return fmt::format("{}:{}:{}", source, region.begin.line, region.begin.column);
}

toml::table parse_toml(std::string_view text, const std::string& source, std::string_view page) {
  check_nesting(text, source);
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw Error(ErrorKind::kInput, fmt::format("not a TOML file: {}", error.description()),
                toml_place(source, error.source()), fmt::format("Correct the line; {} shows a whole file.", page));
  }
}

}  // namespace helio::workload
