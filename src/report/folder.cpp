// SPDX-License-Identifier: Apache-2.0
#include "report/folder.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "report/json.h"

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
  if (const auto parent = std::filesystem::path(path).parent_path(); !parent.empty()) make_folder(parent, place);
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file)
    throw Error(ErrorKind::kInput, fmt::format("cannot write '{}': {}", path, std::strerror(errno)), place,
                "name a place that can be written");
}

void write_report(const Page& page, const std::string& folder, const std::string& place) {
  make_folder(folder, place);
  write_file(folder + "/index.html", to_html(page), place);
  if (!page.rows.empty()) write_file(folder + "/rows.json", to_json(page.rows), place);
  for (const Chart& chart : page.charts) write_file(folder + "/" + csv_file_of(chart), to_csv(chart), place);
  if (!page.results.empty() || !page.jobs.empty())
    write_file(folder + "/results.json", to_json(page.results, page.jobs, page.title), place);
}

}  // namespace helio::report
