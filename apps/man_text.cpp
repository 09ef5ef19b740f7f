// SPDX-License-Identifier: Apache-2.0
#include "man_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/split.h"
#include "path_options.h"

namespace helio::apps {
namespace {

using Options = std::vector<const CLI::Option*>;

// Exit codes, messages and surroundings are the same for every command.
struct Fixed {
  const char *what, *meaning;
};
constexpr Fixed kExits[] = {{"0", "done"},
                            {"1", "our fault"},
                            {"2", "the command line is wrong"},
                            {"3", "an input file or value is wrong"},
                            {"4", "what was asked for is infeasible, with the reason"}};
constexpr Fixed kEnvironment[] = {
    {"NO_COLOR", "set and not empty: no colours on a terminal"},
    {"TERM", "dumb: neither colours nor a line of progress"},
    {"LC_ALL, LC_CTYPE, LANG", "a UTF-8 locale: bars are drawn with block characters on a terminal"},
    {"HELIO_SIMGRID", "the program that --engine simgrid asks; helio-simgrid beside helio when it is not set"}};

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

// "helio onn evaluate", joined by `joint`.
std::string full_name(const CLI::App& app, const char* joint) {
  return app.get_parent() ? full_name(*app.get_parent(), joint) + joint + app.get_name() : app.get_name();
}

Options options_of(const CLI::App& app, bool positional) {
  Options options = app.get_options([&](const CLI::Option* option) { return option->get_positional() == positional; });
  return options;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

// "--set VALUE", "KIND"
std::string spelt(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true);
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  const std::optional<PathWord> path = path_word(option);
  return fmt::format("{}{}{}", fmt::join(names, ", "), takes_value(option) ? " " : "",
                     path                  ? path->word
                     : takes_value(option) ? "VALUE"
                                           : "");
}

bool repeats(const CLI::Option& option) { return takes_value(option) && option.get_items_expected_max() > 1; }

// "required", "may be repeated", what it needs
std::string remarks(const CLI::Option& option) {
  std::vector<std::string> words;
  if (option.get_required()) words.emplace_back("required");
  if (repeats(option)) words.emplace_back("may be repeated");
  for (const CLI::Option* other : option.get_needs()) words.push_back("needs " + other->get_name());
  return words.empty() ? "" : fmt::format(" ({})", fmt::join(words, "; "));
}

std::string synopsis(const CLI::App& app) {
  std::string text = full_name(app, " ");
  for (const CLI::Option* option : options_of(app, true))
    text += option->get_required() ? " " + spelt(*option) : " [" + spelt(*option) + "]";
  for (const CLI::Option* option : options_of(app, false))
    if (option->get_required()) text += " " + spelt(*option);
  if (!commands_of(app).empty()) text += " COMMAND";
  return text + " [OPTIONS]";
}

// A line of plain text for groff: no character of it is taken for a request or an escape.
std::string plain(const std::string& text) {
  std::string line;
  for (const char c : text) {
    if (c == '\\')
      line += "\\e";
    else if (c == '-')
      line += "\\-";
    else if (c == '\'')
      line += "\\(aq";
    else
      line += c;
  }
  if (line.starts_with('.')) line = "\\&" + line;
  return line;
}

std::string item(const std::string& tag, const std::string& words) {
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", plain(tag), plain(words));
}

// Text as it stands, in lines.
std::string example(const std::string& text) {
  std::string block = ".nf\n";
  for (const std::string& line : split(text, '\n'))
    if (line.starts_with("  ")) block += plain(line) + "\n";
  return block + ".fi\n";
}

std::string man_page(const CLI::App& app, const std::string& version) {
  std::string text =
      fmt::format(".TH {} 1 \"\" \"Heliograph {}\" \"Heliograph\"\n", plain(full_name(app, "-")), version);
  text += fmt::format(".SH NAME\n{} \\- {}\n", plain(full_name(app, "-")), plain(app.get_description()));
  text += fmt::format(".SH SYNOPSIS\n\\fB{}\\fR\n", plain(synopsis(app)));
  text += fmt::format(".SH DESCRIPTION\n{}.\n", plain(app.get_description()));
  if (const auto commands = commands_of(app); !commands.empty()) {
    text += ".SH COMMANDS\n";
    for (const CLI::App* command : commands) text += item(full_name(*command, "-") + "(1)", command->get_description());
  }
  if (const Options options = options_of(app, true); !options.empty()) {
    text += ".SH ARGUMENTS\n";
    for (const CLI::Option* option : options)
      text += item(spelt(*option), option->get_description() + remarks(*option));
  }
  if (const Options options = options_of(app, false); !options.empty()) {
    text += ".SH OPTIONS\n";
    for (const CLI::Option* option : options)
      text += item(spelt(*option), option->get_description() + remarks(*option));
  }
  text += ".SH EXIT STATUS\n";
  for (const Fixed& exit : kExits) text += item(exit.what, exit.meaning);
  text += ".SH ENVIRONMENT\n";
  for (const Fixed& variable : kEnvironment) text += item(variable.what, variable.meaning);
  if (!app.get_footer().empty()) text += ".SH EXAMPLES\n" + example(app.get_footer());
  return text + ".SH SEE ALSO\n" +
         plain(app.get_parent() ? full_name(*app.get_parent(), "-") + "(1)" : "helio-list(1), helio-describe(1)") +
         "\n";
}

void add_pages(const CLI::App& app, const std::string& version, std::vector<ask::ReferencePage>& pages) {
  pages.push_back({full_name(app, "-"), man_page(app, version)});
  for (const CLI::App* command : commands_of(app)) add_pages(*command, version, pages);
}

// What each command does to files, a row for each that does something.
void add_files(const CLI::App& app, std::string& rows) {
  std::string options;
  for (const CLI::Option* option : app.get_options())
    if (const std::optional<PathWord> path = path_word(*option))
      options +=
          fmt::format("{}`{}`", options.empty() ? "" : ", ",
                      option->get_positional() ? fmt::format("{} {}", spelt(*option), path->word) : spelt(*option));
  if (!options.empty()) rows += fmt::format("| `{}` | {} |\n", full_name(app, " "), options);
  for (const CLI::App* command : commands_of(app)) add_files(*command, rows);
}

// A cell of a Markdown table.
std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, 1, '\\');
  return text;
}

void add_markdown(const CLI::App& app, std::string& text) {
  text += fmt::format("\n## {}\n\n{}.\n\n```\n{}\n```\n", full_name(app, " "), app.get_description(), synopsis(app));
  std::string rows;
  for (const bool positional : {true, false})
    for (const CLI::Option* option : options_of(app, positional))
      rows += fmt::format("| `{}` | {} |\n", spelt(*option), cell(option->get_description() + remarks(*option)));
  for (const CLI::App* command : commands_of(app))
    rows += fmt::format("| `{}` | {} |\n", full_name(*command, " "), cell(command->get_description()));
  if (!rows.empty()) text += "\n| written | meaning |\n|---|---|\n" + rows;
  for (const CLI::App* command : commands_of(app)) add_markdown(*command, text);
}

}  // namespace

std::vector<ask::ReferencePage> man_pages(const CLI::App& app, const std::string& version) {
  std::vector<ask::ReferencePage> pages;
  add_pages(app, version, pages);
  return pages;
}

std::string commands_in_markdown(const CLI::App& app) {
  std::string text =
      "# Commands\n\nEvery command with its arguments and options, as `helio man` and `--help` tell them. Exit "
      "codes:\n\n"
      "| code | meaning |\n|---|---|\n";
  for (const Fixed& exit : kExits) text += fmt::format("| {} | {} |\n", exit.what, exit.meaning);
  text += "\n| environment | meaning |\n|---|---|\n";
  for (const Fixed& variable : kEnvironment) text += fmt::format("| `{}` | {} |\n", variable.what, variable.meaning);
  text +=
      "\nWhat a command does to a file that it is given says the word behind its option. What is read is never "
      "replaced: a "
      "command line that would do so ends with 2 before anything is computed.\n\n| word | meaning |\n|---|---|\n";
  for (const PathWord& path : kPathWords) text += fmt::format("| `{}` | {} |\n", path.word, path.meaning);
  text += "\n| command | files |\n|---|---|\n";
  add_files(app, text);
  add_markdown(app, text);
  return text;
}

}  // namespace helio::apps
