// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "ask/catalogue.h"
#include "base/error.h"
#include "base/other_words.h"
#include "fabric/fabric.h"
#include "program.h"
#include "schedule/request.h"

namespace helio::apps {
namespace {

// What was meant by a word that is no command but something to ask about; "" where that is not known.
std::string question_about(const std::string& word) {
  const std::string plain = plain_name(word);
  for (const schedule::Kind kind : schedule::kAllKinds)
    if (plain == plain_name(schedule::name_of(kind)))
      return fmt::format("helio collective {}", schedule::name_of(kind));
  for (const ask::ListedRoom& room : ask::rooms()) {
    if (room.name == word) return "helio list " + word;
    for (const ask::Listed& entry : room.entries)
      if (plain == plain_name(entry.name)) return "helio describe " + entry.name;
  }
  if (word.ends_with(".toml")) return "helio simulate " + word;
  return word.ends_with(".json") ? "helio describe " + word : "";
}

// A first word that is no command gets the nearest one as advice.
void check_command(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.size() < 2)
    throw Error(ErrorKind::kUsage, "a subcommand is required", "",
                "begin with helio new job > my.toml, then helio simulate my.toml; helio help lists all commands");
  if (words[1].starts_with("-") || words[1].empty()) return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (std::ranges::find(names, words[1]) != names.end()) return;
  const Error unknown = unknown_name("command", words[1], names);
  const std::string meant = question_about(words[1]);
  throw Error(ErrorKind::kUsage, unknown.message(), "",
              meant.empty() ? unknown.advice() : "did you mean '" + meant + "'? Commands: helio help");
}

const CLI::App& innermost(const CLI::App& app) {
  const auto within = app.get_subcommands();
  return within.empty() ? app : innermost(*within.back());
}

// What CLI11 says of the words, in terms of the command that was typed. An option that there is not comes before one that is missing, for
// it is often the same under another name.
Error mistake(const CLI::App& app, const Error& said) {
  const CLI::App& command = innermost(app);
  std::string path = command.get_name();
  for (const CLI::App* above = command.get_parent(); above && above != &app; above = above->get_parent())
    path = above->get_name() + " " + path;
  const std::string advice = &command == &app ? "See helio help" : "See helio help " + path;

  std::vector<std::string> options;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) options.push_back(name);
  for (const std::string& word : app.remaining(true)) {
    if (!word.starts_with("--") || word.size() == 2) continue;
    const std::string name = word.substr(2, word.find('=') - 2);
    std::string meant = name_for(name, options);
    const auto has = [&](const auto& entry) {
      return std::ranges::find(entry.description.parameters, name, &Parameter::name) !=
             entry.description.parameters.end();
    };
    const bool sets = std::ranges::find(options, "set") != options.end();
    if (meant.empty() && sets && std::ranges::any_of(fabric::fabrics().entries(), has))
      meant = "set fabric." + name + "=VALUE";
    if (meant.empty()) meant = nearest_name(name, options);
    return Error(ErrorKind::kUsage, fmt::format("{} has no option '--{}'", "helio " + path, name), "",
                 (meant.empty() ? "" : "did you mean --" + meant + "? ") + advice);
  }
  for (const CLI::Option* option : command.get_options())
    if (said.message() == option->get_name() + " is required" && !option->get_description().empty())
      return Error(ErrorKind::kUsage, fmt::format("{}: {}", said.message(), option->get_description()), "", advice);
  return Error(ErrorKind::kUsage, said.message(), "", advice);
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
  try {
    return parse_words(app, static_cast<int>(pointers.size()), pointers.data(), "");
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kUsage || !error.place().empty()) throw;
    throw mistake(app, error);
  }
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
