// SPDX-License-Identifier: Apache-2.0
#include "report_command.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "pipeline/version.h"
#include "report/figures/fred_figure.h"
#include "report/figures/ring_figure.h"
#include "report/figures/timeline_figure.h"
#include "report/figures/wavelength_figure.h"
#include "report/json/json.h"
#include "report/json/validation.h"
#include "report/pages/folder.h"
#include "report/pages/result_sections.h"
#include "report/pages/validation_page.h"
#include "what_if.h"

namespace helio::apps {
namespace {

constexpr const char* kPlace = "--report";

// As a shell takes it.
std::string quoted(std::string_view word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) return std::string(word);
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// Names of figures are unique on a page: each begins with that of its section.
void add(std::vector<report::Figure>& figures, const std::string& section, std::optional<report::Figure> figure) {
  if (!figure) return;
  figure->name = section + "-" + figure->name;
  figures.push_back(*std::move(figure));
}

std::vector<report::Figure> pictures_of(const pipeline::Result& result, const std::string& section) {
  std::vector<report::Figure> figures;
  add(figures, section, report::timeline_figure({result}));
  if (const auto* light = std::get_if<fabric::LitRing>(&result.picture); light && !light->steps.empty()) {
    add(figures, section, report::wavelength_figure(*light, result.algorithm));
    add(figures, section, report::ring_figure(*light, result.algorithm));
  }
  if (const auto* switches = std::get_if<fabric::FredPicture>(&result.picture))
    add(figures, section, report::fred_figure(*switches));
  return figures;
}

void finish(report::Page& page, const std::string& command) {
  page.command = command;
  page.version = pipeline::kVersion;
}

}  // namespace

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

void report_results(const ReportRequest& request, const std::string& title, const pipeline::Experiment& experiment,
                    const std::vector<pipeline::Result>& results, const std::vector<pipeline::IterationResult>& jobs,
                    const std::string& json, const pipeline::RunOptions& options) {
  std::vector<report::ToldResult> told;
  for (std::size_t i = 0; i < results.size(); ++i)
    told.push_back(
        {results[i], what_if(experiment, experiment.collectives[i], results[i], options),
         pictures_of(results[i], fmt::format("collective-{}", i + 1))});
  std::vector<report::ToldJob> told_jobs;
  const std::vector<std::vector<report::WhatIf>> asked = what_if(experiment, jobs, options);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    told_jobs.push_back({jobs[i], asked[i]});
    add(told_jobs.back().figures, fmt::format("job-{}", i + 1), report::timeline_figure({}, {jobs[i]}));
  }
  report::Page page = report::page_of(title, told, told_jobs);
  finish(page, request.command);
  report::write_report({{page}, {{"results.json", json}}}, request.folder, kPlace);
}

void report_studies(const ReportRequest& request, const std::vector<report::Study>& studies) {
  std::vector<report::Row> rows;
  for (const report::Study& study : studies) rows.insert(rows.end(), study.rows.begin(), study.rows.end());
  std::vector<report::Page> pages = report::pages_of(studies);
  for (report::Page& page : pages) finish(page, request.command);
  report::write_report({std::move(pages), {{"rows.json", report::to_json(rows)}}}, request.folder, kPlace);
}

void report_validation(const ReportRequest& request, const pipeline::Validation& validation) {
  report::Page page = report::page_of(validation);
  finish(page, request.command);
  report::write_report({{page}, {{"validation.json", report::to_json(validation)}}}, request.folder, kPlace);
}

std::string rebuild(const std::string& folder) {
  std::string text;
  for (const std::string& file : report::rebuild_report(folder, "DIR")) text += file + "\n";
  return text;
}

}  // namespace helio::apps
