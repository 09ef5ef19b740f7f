// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/error.h"
#include "program.h"

namespace helio::apps {
namespace {

// A first word that is no command gets the nearest one as advice.
void check_command(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.size() < 2 || words[1].starts_with("-") || words[1].empty()) return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (std::ranges::find(names, words[1]) != names.end()) return;
  const Error unknown = unknown_name("command", words[1], names);
  throw Error(ErrorKind::kUsage, unknown.message(), "", unknown.advice());
}

// As a shell takes it.
std::string quoted(std::string_view word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) return std::string(word);
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

bool parse(CLI::App& app, const std::vector<std::string>& words) {
  check_command(app, words);
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  return parse_words(app, static_cast<int>(pointers.size()), pointers.data(),
                     "see helio --help, or --help after a command");
}

std::string command_of(int argc, const char* const* argv) {
  std::string text = "helio";
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--json" || word.starts_with("--report=") || word.starts_with("--trace=")) continue;
    if (word == "--report" || word == "--trace") {
      ++i;
      continue;
    }
    text += " " + quoted(word);
  }
  return text;
}

std::string option(std::string_view field) {
  if (field == "kind") return "KIND";
  std::string name = "--" + std::string(field);
  std::ranges::replace(name, '_', '-');
  return name;
}

std::vector<ask::Assignment> assignments(const std::vector<std::string>& texts) {
  std::vector<ask::Assignment> found;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Error(ErrorKind::kUsage, fmt::format("'{}' is not of the form path=value", text), "--set",
                  "write for example --set \"fabric.rate=400 Gb/s\"");
    found.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  return found;
}

}  // namespace helio::apps
