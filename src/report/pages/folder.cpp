// SPDX-License-Identifier: Apache-2.0
#include "report/pages/folder.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/text_file.h"
#include "report/pages/page_html.h"
#include "report/pages/page_json.h"

namespace helio::report {

namespace {

void make_folder(const std::filesystem::path& folder, const std::string& place) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    throw Error(ErrorKind::kInput, fmt::format("cannot make the folder '{}': {}", folder.string(), failed.message()),
                place, "name a place that can be written");
}

}  // namespace

void write_file(const std::string& path, const std::string& text, const std::string& place) {
  namespace fs = std::filesystem;
  if (const auto parent = fs::path(path).parent_path(); !parent.empty()) make_folder(parent, place);
  // Beside it first, so that a full disk leaves the old file; a device, a pipe or a link is written to as it is.
  std::error_code unknown;
  const fs::file_status there = fs::symlink_status(path, unknown);
  const bool beside = !fs::exists(there) || fs::is_regular_file(there);
  const std::string to = beside ? path + ".part" : path;
  std::ofstream file(to, std::ios::binary);
  file << text;
  file.close();
  if (!file || (beside && std::rename(to.c_str(), path.c_str()) != 0)) {
    const std::string reason = std::strerror(errno);
    if (beside) fs::remove(to, unknown);
    throw Error(ErrorKind::kInput, fmt::format("cannot write '{}': {}", path, reason), place,
                "name a place that can be written");
  }
}

namespace {

std::vector<Neighbour> neighbours_of(const std::vector<Page>& pages) {
  std::vector<Neighbour> neighbours;
  for (const Page& page : pages) neighbours.push_back({page.name, page.menu.empty() ? page.title : page.menu});
  return neighbours;
}

// Always from what was saved, so that a rebuilt page cannot differ.
std::vector<std::string> write_pages(const std::vector<Page>& pages, const std::string& folder,
                                     const std::string& place) {
  std::vector<std::string> written;
  for (const Page& page : pages) {
    written.push_back(folder + "/" + html_file_of(page.name));
    write_file(written.back(), to_html(page, neighbours_of(pages)), place);
  }
  return written;
}

std::string saved(const std::string& folder, const std::string& page, const std::string& place) {
  const std::string path = folder + "/" + json_file_of(page);
  if (!std::filesystem::is_regular_file(path))
    throw Error(ErrorKind::kInput,
                fmt::format("'{}' holds no saved report: there is no {}", folder, json_file_of(page)), place,
                "name a folder that --report wrote");
  return read_text(path, place, "saved page", "docs/report.md");
}

}  // namespace

void write_report(const Report& report, const std::string& folder, const std::string& place) {
  make_folder(folder, place);
  std::vector<Page> pages;
  for (Page page : report.pages) {
    if (pages.empty())
      for (std::size_t i = 1; i < report.pages.size(); ++i) page.further.push_back(report.pages[i].name);
    for (Section& section : page.sections)
      for (Figure& figure : section.figures) {
        if (!figure.csv.empty()) write_file(folder + "/" + figure.name + ".csv", figure.csv, place);
        if (figure.csv.size() <= kMostCsvInPage) continue;
        figure.csv.clear();
        figure.csv_beside = true;
      }
    const std::string json = to_json(page);
    write_file(folder + "/" + json_file_of(page.name), json, place);
    pages.push_back(read_page(json, place));
  }
  write_pages(pages, folder, place);
  for (const auto& [name, text] : report.files) write_file(folder + "/" + name, text, place);
}

std::vector<std::string> rebuild_report(const std::string& folder, const std::string& place) {
  std::vector<Page> pages;
  const auto read = [&](const std::string& name) {
    pages.push_back(read_page(saved(folder, name, place), folder + "/" + json_file_of(name)));
  };
  read("index");
  for (const std::string& name : std::vector(pages.front().further)) read(name);
  return write_pages(pages, folder, place);
}

}  // namespace helio::report
