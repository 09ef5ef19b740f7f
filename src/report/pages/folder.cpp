// SPDX-License-Identifier: Apache-2.0
#include "report/pages/folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "base/error.h"
#include "base/file.h"
#include "base/file_ledger.h"
#include "base/json_dump.h"
#include "base/json_node.h"
#include "report/json/json_values.h"
#include "report/pages/page_html.h"
#include "report/pages/page_json.h"

namespace helio::report {
namespace {

namespace fs = std::filesystem;

constexpr const char *kManifest = "manifest.json", *kFormat = "helio-report-1", *kAbout = "docs/report.md";

// The files of a report that is there, with their sizes.
struct Held {
  std::map<std::string, std::uintmax_t> files = {};
  bool finished = true;
};

bool is_page(const std::string& file) { return file.ends_with(".html"); }

std::string in(const std::string& folder, std::string_view file) { return fmt::format("{}/{}", folder, file); }

std::string text_of(const std::string& folder, const std::string& file, const std::string& place, const char* what) {
  return read_text(in(folder, file), place, what, kAbout, 256 * kMiB);
}

fs::file_status found(const std::string& folder, const std::string& name) {
  std::error_code unknown;
  return fs::symlink_status(in(folder, name), unknown);
}

Held read_manifest(const std::string& folder, const std::string& place) {
  const JsonOrigin origin{in(folder, kManifest), "name another folder, or move the file away"};
  const Json document = parse_json(text_of(folder, kManifest, place, "manifest"), origin.source, origin.advice);
  const JsonNode root(document, origin);
  if (!root.is_object() || !root.has("format") || root.at("format").value() != kFormat)
    throw root.wrong(fmt::format("this is no manifest of a report (format {})", kFormat));
  Held held{.finished = root.at("finished").truth()};
  const JsonNode files = root.at("files");
  for (std::size_t i = 0; i < files.size(); ++i) {
    // Names in the folder, no way out of it.
    const std::string& name = files.at(i).at("name").text();
    if (name.empty() || name.front() == '.' || name.find('/') != std::string::npos)
      throw files.at(i).wrong(fmt::format("'{}' is no name of a report's file", name));
    held.files[name] = files.at(i).at("bytes").unsigned_integer();
  }
  return held;
}

Error in_the_way(const std::string& folder, const std::string& name, const std::string& place) {
  return Error(ErrorKind::kInput,
               fmt::format("'{}/{}' is in the way: no manifest says that a report wrote it", folder, name), place,
               "name another folder, or move the file away");
}

Held held_by(const std::string& folder, const std::string& place) {
  const fs::file_status there = found(folder, kManifest);
  if (!fs::exists(there)) return {};
  if (!fs::is_regular_file(there)) throw in_the_way(folder, kManifest, place);
  return read_manifest(folder, place);
}

// Requires: `names` will be written, and what is held will be replaced or removed.
void refuse_foreign(const std::string& folder, std::vector<std::string> names, const Held& held,
                    const std::string& place) {
  for (const auto& [name, bytes] : held.files) names.push_back(name);
  for (const std::string& name : names) {
    const fs::file_status there = found(folder, name);
    if (fs::exists(there) && (!held.files.contains(name) || !fs::is_regular_file(there)))
      throw in_the_way(folder, name, place);
  }
}

void write_manifest(const std::string& folder, const Held& held, const std::string& place) {
  Json json = {{"format", kFormat}, {"finished", held.finished}, {"files", Json::array()}};
  for (const auto& [name, bytes] : held.files) json["files"].push_back({{"name", name}, {"bytes", bytes}});
  write_file(in(folder, kManifest), json_dump(json, 2) + "\n", place);
}

// Files that wait to be put into a folder of a report, all of them on its disk. Requires: the folder is locked.
class Staged {
 public:
  Staged(std::string folder, const std::string& place) : folder_(std::move(folder)), place_(place) {
    remove_folder(waiting());  // what a killed run left
    make_folders(waiting(), place_);
  }
  ~Staged() {
    files_.clear();
    remove_folder(waiting());
  }

  void add(const std::string& name, const std::string& content) {
    if (name == kManifest || !sizes_.emplace(name, content.size()).second)
      throw std::logic_error(fmt::format("a report has two files '{}'", name));
    names_.push_back(name);
    FileWriter& file = files_.emplace_back(in(folder_, name), place_, Parents::kThere, waiting());
    file << content;
    file.finish();
  }
  const std::vector<std::string>& names() const { return names_; }
  const std::map<std::string, std::uintmax_t>& sizes() const { return sizes_; }
  void commit() {
    for (FileWriter& file : files_) file.commit();
  }

 private:
  std::string waiting() const { return folder_ + "/.helio-report"; }

  std::string folder_, place_;
  std::vector<std::string> names_;
  std::map<std::string, std::uintmax_t> sizes_;
  std::deque<FileWriter> files_;
};

// Always from what was saved, so that a rebuilt page cannot differ; the first page last.
void add_pages(Staged& staged, const std::vector<Page>& pages) {
  std::vector<Neighbour> neighbours;
  for (const Page& page : pages) neighbours.push_back({page.name, page.menu.empty() ? page.title : page.menu});
  for (std::size_t i = pages.size(); i-- > 0;) staged.add(html_file_of(pages[i].name), to_html(pages[i], neighbours));
}

}  // namespace

void declare_report(const std::string& folder, const std::string& data, const std::string& place) {
  std::error_code unknown;
  if (fs::exists(folder, unknown) && !fs::is_directory(folder, unknown))
    throw Error(ErrorKind::kInput, fmt::format("'{}' is no folder", folder), place, "name another place");
  const Held held = held_by(folder, place);
  std::vector<std::string> names = {html_file_of("index"), json_file_of("index"), data};
  refuse_foreign(folder, names, held, place);
  for (const auto& [name, bytes] : held.files) names.push_back(name);
  declare_files(folder, names, place);
  declare_output(in(folder, kManifest), place, OutputUse::kUpdated);
}

void write_report(const Report& report, const std::string& folder, const std::string& place) {
  make_folders(folder, place);
  const FileLock lock(in(folder, kManifest), place);
  const Held old = held_by(folder, place);

  // Everything that is new, beside what is there.
  Staged staged(folder, place);
  std::vector<Page> pages;
  for (Page page : report.pages) {
    if (pages.empty())
      for (std::size_t i = 1; i < report.pages.size(); ++i) page.further.push_back(report.pages[i].name);
    for (Section& section : page.sections)
      for (Figure& figure : section.figures) {
        if (!figure.csv.empty()) staged.add(figure.name + ".csv", figure.csv);
        if (figure.csv.size() <= kMostCsvInPage) continue;
        figure.csv.clear();
        figure.csv_beside = true;
      }
    const std::string json = to_json(page);
    staged.add(json_file_of(page.name), json);
    pages.push_back(read_page(json, place));
  }
  for (const auto& [name, text] : report.files) staged.add(name, text);
  add_pages(staged, pages);
  refuse_foreign(folder, staged.names(), old, place);

  // From here on until the end a kill leaves a folder that says so.
  Held both{staged.sizes(), false};
  both.files.insert(old.files.begin(), old.files.end());
  write_manifest(folder, both, place);
  for (const auto& [name, bytes] : old.files)
    if (is_page(name)) remove_file(in(folder, name), place);
  staged.commit();
  for (const auto& [name, bytes] : old.files)
    if (!staged.sizes().contains(name)) remove_file(in(folder, name), place);
  write_manifest(folder, {staged.sizes(), true}, place);
}

std::vector<std::string> rebuild_report(const std::string& folder, const std::string& place) {
  const auto expect = [&](const std::string& file) {
    if (!fs::is_regular_file(found(folder, file)))
      throw Error(ErrorKind::kInput, fmt::format("'{}' holds no saved report: there is no {}", folder, file), place,
                  "name a folder that --report wrote");
  };
  const auto saved = [&](const std::string& name) {
    const std::string file = json_file_of(name);
    expect(file);
    return read_page(text_of(folder, file, place, "saved page"), in(folder, file));
  };
  expect(json_file_of("index"));
  const FileLock lock(in(folder, kManifest), place);
  declare_output(in(folder, kManifest), place, OutputUse::kUpdated);
  Held held = held_by(folder, place);
  if (!held.finished)
    throw Error(ErrorKind::kInput, fmt::format("the report in '{}' was not written to its end", folder), place,
                "write it again with --report, as its question was asked");
  std::vector<Page> pages = {saved("index")};
  for (const std::string& name : std::vector(pages.front().further)) pages.push_back(saved(name));

  Staged staged(folder, place);
  add_pages(staged, pages);
  // Where no manifest is, the saved pages say which are theirs.
  const bool listed = !held.files.empty();
  if (!listed) held.files = staged.sizes();
  refuse_foreign(folder, staged.names(), held, place);
  staged.commit();
  for (const auto& [name, bytes] : staged.sizes()) held.files[name] = bytes;
  if (listed) write_manifest(folder, held, place);
  std::vector<std::string> written;
  for (const Page& page : pages) written.push_back(in(folder, html_file_of(page.name)));
  return written;
}

}  // namespace helio::report
