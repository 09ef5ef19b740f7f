// SPDX-License-Identifier: Apache-2.0
#include "report/pages/page_scripts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "report/figures/chart.h"

namespace helio::report {
namespace {

constexpr std::string_view kPage = "page.js";
constexpr std::array<std::string_view, 2> kCharts = {"chart.min.js", "charts.js"};
constexpr std::array<std::string_view, 2> kShared = {"picture.js", "spans.js"};  // by pictures of the domain

bool stands_alone(std::string_view name) {
  return name.ends_with(".js") && name != kPage && !std::ranges::count(kCharts, name) &&
         !std::ranges::count(kShared, name);
}

}  // namespace

std::vector<const WebFile*> scripts_for(const Page& page) {
  bool charts = false;
  std::set<std::string> modules;  // of pictures
  for (const Section& section : page.sections)
    for (const Figure& figure : section.figures) {
      if (is_chart(figure) || figure.kind == "stacked") {
        charts = true;
        continue;
      }
      std::string module = figure.kind + ".js";
      if (!std::ranges::any_of(web_files(),
                               [&](const WebFile& file) { return stands_alone(file.name) && file.name == module; }))
        throw Error(ErrorKind::kInput,
                    fmt::format("no module draws '{}', which figure '{}' asks for", figure.kind, figure.name), "",
                    "use the helio that wrote the report");
      modules.insert(std::move(module));
    }
  std::vector<const WebFile*> scripts = {&web_file(kPage)};
  if (charts)
    for (const std::string_view name : kCharts) scripts.push_back(&web_file(name));
  if (modules.empty()) return scripts;
  for (const std::string_view name : kShared) scripts.push_back(&web_file(name));
  for (const std::string& module : modules) scripts.push_back(&web_file(module));
  return scripts;
}

}  // namespace helio::report
