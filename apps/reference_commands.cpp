// SPDX-License-Identifier: Apache-2.0
// What there is, told in four forms: `helio list` and `helio describe` for people, `helio reference` in Markdown for the documentation,
// `helio man` for man(1).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <vector>

#include "ask/catalogue.h"
#include "ask/reference.h"
#include "ask/starter.h"
#include "base/error.h"
#include "base/file.h"
#include "colour.h"
#include "commands.h"
#include "completion.h"
#include "man_text.h"
#include "pipeline/version.h"

namespace helio::apps {
namespace {

using ask::ReferencePage;

// The one that was named, all into a folder, or else the first.
std::string given(const std::vector<ReferencePage>& pages, const std::string& name, const std::string& folder,
                  const char* ending, const char* what, const char* place) {
  if (!folder.empty()) {
    if (!name.empty())
      throw Error(ErrorKind::kUsage, "--out takes all pages", place, fmt::format("leave out {}, or --out", name));
    std::string written;
    for (const ReferencePage& page : pages) {
      const std::string path = folder + "/" + page.name + ending;
      write_file(path, page.text, "--out", Parents::kMade);
      written += path + "\n";
    }
    return written;
  }
  std::vector<std::string> names;
  for (const ReferencePage& page : pages) {
    if (page.name == name || name.empty()) return page.text;
    names.push_back(page.name);
  }
  throw unknown_name(what, name, names, place);
}

struct PageQuestion {
  std::string page, folder;
  std::vector<std::string> command;
};

}  // namespace

void add_start_commands(CLI::App& app, Commands& commands) {
  CLI::App& fresh = *app.add_subcommand("new", "A file to start from, with comments, that runs");
  auto& kind = add<PageQuestion>(commands, fresh, [](auto& a) {
    const PageQuestion& q = a.question;
    const std::string text = ask::starter(q.page, q.folder.empty() ? q.page + ".toml" : q.folder, "helio new");
    if (q.folder.empty()) return text;
    write_file(q.folder, text, "--out", Parents::kMade);
    return q.folder + "\n";
  });
  fresh.add_option("KIND", kind.question.page, "collective, job, slices, sweep or plan")->required();
  add_path(fresh, "--out", kind.question.folder, PathUse::kWritten, "the file to write; printed when left out");

  CLI::App& list = *app.add_subcommand("list", "What there is: fabrics, algorithms, models, npus, parts, studies");
  auto& room = add<std::string>(commands, list, [](auto& a) {
    return a.output.json ? ask::list_in_json(a.question, "helio list")
                         : ask::list(a.question, standard_output(), "helio list");
  });
  list.add_option("ROOM", room.question, "fabrics, algorithms, models, npus, parts or studies; all when left out");
  add_json(list, room.output);

  CLI::App& describe = *app.add_subcommand("describe", "One of them in full: parameters, bounds, references");
  auto& name = add<ask::DescribeQuestion>(commands, describe, [](auto& a) {
    a.question.set = assignments(a.set);
    return a.output.json ? ask::describe_in_json(a.question) : ask::describe(a.question, standard_output());
  });
  name.question.place = "helio describe";
  describe.add_option("NAME", name.question.name, "a name that helio list prints; job; keys, for those of all JSON")
      ->required();
  describe.add_option("--nodes", name.question.nodes, "of a fabric: so many, and then its parts are counted")
      ->type_name("INT");
  describe.add_option("--set", name.set, "fabric.NAME=VALUE or part.NAME.KEY=VALUE: for the count of its parts")
      ->allow_extra_args(false);
  add_json(describe, name.output);

  // Read before options are (help.h); it stands here to be listed
  CLI::App& help = *app.add_subcommand("help", "The help of a command: helio help onn build");
  auto& helped = add<PageQuestion>(commands, help, [&app](auto&) { return app.help(); });
  help.add_option("COMMAND", helped.question.command, "whose help; that of helio itself when left out");
}

void add_reference_commands(CLI::App& app, Commands& commands) {
  CLI::App& reference = *app.add_subcommand("reference", "All of them in full, in Markdown");
  auto& page = add<PageQuestion>(commands, reference, [&app](auto& a) {
    std::vector<ReferencePage> pages = ask::reference_pages();
    pages.insert(pages.begin(), {"commands", commands_in_markdown(app)});
    return given(pages, a.question.page, a.question.folder, ".md", "page", "helio reference");
  });
  reference.add_option("PAGE", page.question.page,
                       "commands (when left out), fabrics, algorithms, models, npus, parts, jobs, studies or keys");
  add_path(reference, "--out", page.question.folder, PathUse::kWrittenFolder,
           "write every page into this folder instead");

  CLI::App& man = *app.add_subcommand("man", "Pages for man(1), such as helio man onn evaluate | man -l -");
  auto& manual = add<PageQuestion>(commands, man, [&app](auto& a) {
    // "onn build" and "helio-onn-build", as the list has it, are one page.
    std::string title = fmt::format("{}", fmt::join(a.question.command, "-"));
    if (!title.empty() && !title.starts_with("helio")) title = "helio-" + title;
    return given(man_pages(app, std::string(pipeline::kVersion)), title, a.question.folder, ".1", "page", "helio man");
  });
  man.add_option("COMMAND", manual.question.command, "whose page; that of helio itself when left out");
  add_path(man, "--out", manual.question.folder, PathUse::kWrittenFolder, "write every page into this folder instead");

  CLI::App& tab = *app.add_subcommand("completion", "What a shell offers after the Tab key");
  auto& shell = add<PageQuestion>(commands, tab,
                                  [&app](auto& a) { return completion(app, a.question.page, "helio completion"); });
  tab.add_option("SHELL", shell.question.page, "bash, zsh or fish")->required();
}

}  // namespace helio::apps
