// SPDX-License-Identifier: Apache-2.0
#include "report/html.h"

#include <fmt/format.h>

#include "base/units.h"
#include "pipeline/experiment.h"
#include "pipeline/version.h"
#include "report/html_parts.h"
#include "report/job_html.h"

namespace helio::report {
namespace {

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --ink: #1c2430; --paper: #fdfcf9; --line: #d8d4c8; --quiet: #5c6672; --good: #1d7a46; --bad: #b3401f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8ea; --paper: #14181d; --line: #343b44; --quiet: #98a2ad; --good: #6fd39a; --bad: #f0936f; } }
body { margin: 2rem auto; max-width: 78rem; padding: 0 1rem; color: var(--ink); background: var(--paper); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
p, caption { color: var(--quiet); text-align: left; }
div { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .35rem .7rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.good { color: var(--good); } .bad { color: var(--bad); }
)";

// A difference below this is shown as a match.
constexpr double kMatch = 0.01;

std::string table_of(std::span<const Row> rows) {
  std::string html = table_head({{"study"},
                                 {"quantity"},
                                 {rows.front().versus, true},
                                 {"ours", true},
                                 {"within", true},
                                 {"label"},
                                 {"predicted"},
                                 {"assumptions"},
                                 {"source"}});
  for (const Row& row : rows)
    html += "<tr>" + cell(row.study) + cell(row.quantity) + number_cell(fmt::format("{:.8g}", row.published)) +
            number_cell(fmt::format("{:.8g}", row.ours)) +
            number_cell(fmt::format("{:.2g} %", 100 * row.within()), row.within() <= kMatch ? "good" : "bad") +
            cell(row.label) + cell(row.predicted ? "yes" : "no") +
            cell(fmt::format("{}", fmt::join(row.assumptions, "; "))) + cell(row.source) + "</tr>\n";
  return html + std::string(kTableEnd);
}

std::string table_of(const std::vector<pipeline::Result>& results) {
  std::string html = "<h2>Collectives</h2>\n" + table_head({{"name"},
                                                            {"kind"},
                                                            {"fabric"},
                                                            {"algorithm"},
                                                            {"ranks", true},
                                                            {"bytes", true},
                                                            {"time", true},
                                                            {"time / bound", true},
                                                            {"steps", true},
                                                            {"verified"},
                                                            {"bottleneck"},
                                                            {"label"}});
  for (const pipeline::Result& result : results)
    html += "<tr>" + cell(result.name) + cell(schedule::name_of(result.kind)) + cell(result.fabric) +
            cell(result.algorithm) +
            number_cell(result.groups > 1 ? fmt::format("{} x {}", result.groups, result.ranks)
                                          : fmt::format("{}", result.ranks)) +
            number_cell(format(result.bytes)) + number_cell(format(result.time)) +
            number_cell(fmt::format("{:.3f}", result.bound_ratio)) + number_cell(fmt::format("{}", result.steps)) +
            cell(result.verified ? "yes, " + result.verify_method : "no") + cell(result.bottleneck) +
            cell(result.label) + "</tr>\n";
  return html + std::string(kTableEnd);
}

std::string section_of(const std::vector<Chart>& charts) {
  if (charts.empty()) return "";
  std::string html = "<h2>Charts</h2>\n<div class=\"charts\">\n";
  for (const Chart& chart : charts) html += figure_of(chart);
  return html + "</div>\n";
}

}  // namespace

std::string to_html(const Page& page) {
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width\">\n"
      "<title>{0}</title>\n<style>{1}{3}{4}</style>\n</head>\n<body>\n<h1>{0}</h1>\n<p>Heliograph {2}. Labels: "
      "<b>literal</b>, published "
      "parameters at face value; <b>fitted</b>, an assumption was chosen to meet a published number; "
      "<b>calibrated</b>, one free "
      "parameter was solved from one published number; <b>ours</b>, no published counterpart.</p>\n",
      escaped(page.title), kStyle, pipeline::kVersion, page.jobs.empty() ? "" : bar_style(),
      page.charts.empty() ? "" : chart_style());
  html += section_of(page.charts);
  if (!page.rows.empty()) html += "<h2>Studies</h2>\n";
  for (const std::span<const Row> alike : runs_of_one_sort(page.rows)) html += table_of(alike);
  if (!page.results.empty()) html += table_of(page.results);
  for (const pipeline::IterationResult& job : page.jobs) html += section_of(job);
  return html + "</body>\n</html>\n";
}

}  // namespace helio::report
