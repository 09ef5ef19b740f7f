// SPDX-License-Identifier: Apache-2.0
#include "reference_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <vector>

#include "base/error.h"
#include "catalogue_text.h"
#include "man_text.h"
#include "pipeline/version.h"
#include "reference_text.h"
#include "report/pages/folder.h"

namespace helio::apps {
namespace {

struct Page {
  std::string name, text;
};

// The one that was named, all into a folder, or else the first.
std::string given(const std::vector<Page>& pages, const std::string& name, const std::string& folder,
                  const char* ending, const char* what, const char* place) {
  if (!folder.empty()) {
    if (!name.empty())
      throw Error(ErrorKind::kUsage, "--out takes all pages", place, fmt::format("leave out {}, or --out", name));
    std::string written;
    for (const Page& page : pages) {
      const std::string path = folder + "/" + page.name + ending;
      report::write_file(path, page.text, "--out");
      written += path + "\n";
    }
    return written;
  }
  std::vector<std::string> names;
  for (const Page& page : pages) {
    if (page.name == name || name.empty()) return page.text;
    names.push_back(page.name);
  }
  throw unknown_name(what, name, names, place);
}

}  // namespace

struct ReferenceCommand::Parsed {
  const CLI::App* app = nullptr;
  CLI::App *list = nullptr, *describe = nullptr, *reference = nullptr, *man = nullptr;
  std::string room, name, page, folder;
  std::vector<std::string> command;
};

ReferenceCommand::ReferenceCommand(CLI::App& app) : parsed_(std::make_unique<Parsed>()) {
  Parsed& p = *parsed_;
  p.app = &app;
  p.list = app.add_subcommand("list", "What there is: fabrics, algorithms, models, npus, studies");
  p.list->add_option("ROOM", p.room, "fabrics, algorithms, models, npus or studies; all when left out");

  p.describe = app.add_subcommand("describe", "One of them in full: parameters, bounds, references");
  p.describe->add_option("NAME", p.name, "a name that helio list prints; job; keys, for those of all JSON")->required();

  p.reference = app.add_subcommand("reference", "All of them in full, in Markdown");
  p.reference->add_option("PAGE", p.page,
                          "commands (when left out), fabrics, algorithms, models, npus, jobs, studies or keys");
  p.reference->add_option("--out", p.folder, "write every page into this folder instead");

  p.man = app.add_subcommand("man", "Pages for man(1), such as helio man onn evaluate | man -l -");
  p.man->add_option("COMMAND", p.command, "whose page; that of helio itself when left out");
  p.man->add_option("--out", p.folder, "write every page into this folder instead");
}

ReferenceCommand::~ReferenceCommand() = default;

bool ReferenceCommand::asked() const {
  const Parsed& p = *parsed_;
  return p.list->parsed() || p.describe->parsed() || p.reference->parsed() || p.man->parsed();
}

std::string ReferenceCommand::run(const report::Look& look) const {
  const Parsed& p = *parsed_;
  if (*p.list) return list(p.room, look);
  if (*p.describe) return describe(p.name, look);
  std::vector<Page> pages;
  if (*p.reference) {
    pages.push_back({"commands", commands_in_markdown(*p.app)});
    for (ReferencePage& page : reference_pages()) pages.push_back({std::move(page.name), std::move(page.text)});
    return given(pages, p.page, p.folder, ".md", "page", "helio reference");
  }
  for (ManPage& page : man_pages(*p.app, std::string(pipeline::kVersion)))
    pages.push_back({std::move(page.name), std::move(page.text)});
  // "onn build" and "helio-onn-build", as the list has it, are one page.
  std::string name = fmt::format("{}", fmt::join(p.command, "-"));
  if (!name.empty() && !name.starts_with("helio")) name = "helio-" + name;
  return given(pages, name, p.folder, ".1", "page", "helio man");
}

}  // namespace helio::apps
