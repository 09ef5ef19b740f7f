// SPDX-License-Identifier: Apache-2.0
#include "completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "ask/catalogue.h"
#include "ask/starter.h"
#include "base/error.h"
#include "schedule/request.h"

namespace helio::apps {
namespace {

using Words = std::vector<std::string>;

struct Offer {
  std::string name, meaning;  // "--fabric"
  bool takes_value = true;
  Words values = {};  // of the catalogue; none: files
};
struct Level {
  std::string path;  // " plan collective"
  Words commands = {}, values = {};
  std::vector<Offer> options = {};
};

// What a name may be: of an option or an argument that takes one of the catalogues.
Words values_of(const std::string& name, const std::string& path) {
  const std::vector<ask::ListedRoom> rooms = ask::rooms();
  Words found;
  const auto add = [&](std::string_view room) {
    for (const ask::ListedRoom& one : rooms)
      if (one.name == room)
        for (const ask::Listed& entry : one.entries) found.push_back(entry.name);
  };
  if (name == "--fabric") add("fabrics");
  if (name == "--algorithm") add("algorithms");
  if (name == "--npu") add("npus");
  if (name == "STUDY") add("studies");
  if (name == "MODEL" && path == " plan") add("models");
  if (name == "NAME")
    for (const ask::ListedRoom& one : rooms) add(one.name);
  if (name == "ROOM")
    for (const ask::ListedRoom& one : rooms) found.push_back(one.name);
  if (name == "SHELL") found = {"bash", "zsh", "fish"};
  if (name == "KIND" && path == " new")
    for (const ask::Starter& one : ask::starters()) found.emplace_back(one.kind);
  else if (name == "KIND" || name == "QUESTION")
    for (const schedule::Kind kind : schedule::kAllKinds) found.emplace_back(schedule::name_of(kind));
  return found;
}

void collect(const CLI::App& app, const std::string& path, std::vector<Level>& levels) {
  Level level{.path = path};
  const auto within = app.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* command : within) level.commands.push_back(command->get_name());
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    if (option->get_positional())
      std::ranges::move(values_of(name, path), std::back_inserter(level.values));
    else
      for (const std::string& word : option->get_lnames())
        level.options.push_back({"--" + word, option->get_description(), option->get_items_expected_max() > 0,
                                 values_of("--" + word, path)});
  }
  levels.push_back(level);
  for (const CLI::App* command : within) collect(*command, path + " " + command->get_name(), levels);
}

// bash and zsh read `case` alike: where we are, what the option before takes, what may follow.
std::string cases(const std::vector<Level>& levels) {
  Words paths;
  for (const Level& level : levels)
    if (!level.path.empty()) paths.push_back("\"" + level.path + "\"");
  std::string text = fmt::format(
      "  for word in $given; do\n    case \"$at $word\" in {}) at=\"$at $word\" ;; esac\n  done\n"
      "  case \"$at $before\" in\n",
      fmt::join(paths, "|"));
  for (const Level& level : levels)
    for (const Offer& offer : level.options)
      if (offer.takes_value)
        text += fmt::format("    \"{} {}\") takes=1 offered=\"{}\" ;;\n", level.path, offer.name,
                            fmt::join(offer.values, " "));
  text += "  esac\n  [ -n \"$takes\" ] || case \"$at\" in\n";
  for (const Level& level : levels) {
    Words words = level.commands;
    words.insert(words.end(), level.values.begin(), level.values.end());
    for (const Offer& offer : level.options) words.push_back(offer.name);
    text += fmt::format("    \"{}\") offered=\"{}\" ;;\n", level.path, fmt::join(words, " "));
  }
  return text + "  esac\n";
}

std::string for_bash(const std::vector<Level>& levels) {
  return "# helio completion bash\n_helio() {\n"
         "  local at=\"\" takes=\"\" offered=\"\" word given=\"${COMP_WORDS[*]:1:COMP_CWORD-1}\" "
         "before=\"${COMP_WORDS[COMP_CWORD-1]}\" current=\"${COMP_WORDS[COMP_CWORD]}\"\n" +
         cases(levels) +
         "  COMPREPLY=($(compgen -W \"$offered\" -- \"$current\"))\n"
         "  [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- \"$current\"))\n}\ncomplete -F _helio helio\n";
}

std::string for_zsh(const std::vector<Level>& levels) {
  return "#compdef helio\n_helio() {\n  setopt localoptions shwordsplit\n"
         "  local at=\"\" takes=\"\" offered=\"\" word given=\"${words[2,CURRENT-1]}\" "
         "before=\"${words[CURRENT-1]}\"\n" +
         cases(levels) + "  compadd -- $offered || _files\n}\ncompdef _helio helio\n";
}

// Between apostrophes.
std::string fish_word(std::string text) {
  for (std::size_t at = 0; (at = text.find_first_of("'\\", at)) != std::string::npos; at += 2) text.insert(at, 1, '\\');
  return "'" + text + "'";
}

std::string for_fish(const std::vector<Level>& levels) {
  std::string paths;
  for (const Level& level : levels)
    if (!level.path.empty()) paths += " " + fish_word(level.path);
  std::string text =
      "# helio completion fish\nfunction __helio_at\n  set -l at ''\n  for word in (commandline -opc)[2..-1]\n    if "
      "contains -- "
      "\"$at $word\"" +
      paths + "\n      set at \"$at $word\"\n    end\n  end\n  test \"$at\" = \"$argv[1]\"\nend\n";
  for (const Level& level : levels) {
    const std::string here = "complete -c helio -n " + fish_word("__helio_at " + fish_word(level.path));
    Words words = level.commands;
    words.insert(words.end(), level.values.begin(), level.values.end());
    if (!words.empty()) text += fmt::format("{} -a {}\n", here, fish_word(fmt::format("{}", fmt::join(words, " "))));
    for (const Offer& offer : level.options) {
      text += fmt::format("{} -l {} -d {}", here, offer.name.substr(2), fish_word(offer.meaning));
      if (offer.takes_value)
        text += offer.values.empty() ? " -r" : " -x -a " + fish_word(fmt::format("{}", fmt::join(offer.values, " ")));
      text += "\n";
    }
  }
  return text;
}

}  // namespace

std::string completion(const CLI::App& app, const std::string& shell, const std::string& place) {
  std::vector<Level> levels;
  collect(app, "", levels);
  if (shell == "bash") return for_bash(levels);
  if (shell == "zsh") return for_zsh(levels);
  if (shell == "fish") return for_fish(levels);
  throw unknown_name("shell", shell, {"bash", "zsh", "fish"}, place);
}

}  // namespace helio::apps
