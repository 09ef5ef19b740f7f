// SPDX-License-Identifier: Apache-2.0
#include "ask/report.h"

#include <fmt/format.h>

#include <optional>

#include "ask/what_if.h"
#include "base/visible.h"
#include "pipeline/run.h"
#include "pipeline/version.h"
#include "report/figures/fred_figure.h"
#include "report/figures/levels_figure.h"
#include "report/figures/network_figure.h"
#include "report/figures/ring_figure.h"
#include "report/figures/timeline_figure.h"
#include "report/figures/wavelength_figure.h"
#include "report/json/collective_map.h"
#include "report/json/json.h"
#include "report/json/model_map.h"
#include "report/json/model_plan.h"
#include "report/json/slices.h"
#include "report/json/testbed.h"
#include "report/json/validation.h"
#include "report/pages/result_sections.h"
#include "report/pages/slice_page.h"
#include "report/pages/testbed_page.h"
#include "report/pages/validation_page.h"
#include "schedule/fitted/fitted.h"

namespace helio::ask {
namespace {

// Names of figures are unique on a page: each begins with that of its section.
void add(std::vector<report::Figure>& figures, const std::string& section, std::optional<report::Figure> figure) {
  if (!figure) return;
  figure->name = section + "-" + figure->name;
  figures.push_back(*std::move(figure));
}

std::vector<report::Figure> pictures_of(const pipeline::Result& result, const std::string& section) {
  std::vector<report::Figure> figures;
  if (result.composite) add(figures, section, report::levels_figure(*result.composite, result.levels));
  add(figures, section, report::timeline_figure({result}));
  if (const auto* light = std::get_if<fabric::LitRing>(&result.picture); light && !light->steps.empty()) {
    add(figures, section, report::wavelength_figure(*light, result.algorithm));
    add(figures, section, report::ring_figure(*light, result.algorithm));
  }
  if (const auto* switches = std::get_if<fabric::FredPicture>(&result.picture))
    add(figures, section, report::fred_figure(*switches));
  return figures;
}

}  // namespace

report::Report report_of(const Answer& answer, const Watch& watch, bool reasons) {
  const pipeline::RunOptions options = watch.run_options(true);
  std::vector<report::ToldResult> told;
  for (std::size_t i = 0; i < answer.results.size(); ++i) {
    const pipeline::Result& result = answer.results[i];
    told.push_back({result, {}, {}});
    if (reasons) told.back().asked = what_if(answer.experiment, answer.experiment.collectives[i], result, options);
    told.back().answer.name = shown(result.name);
    const std::string section = fmt::format("collective-{}", i + 1);
    told.back().figures = pictures_of(told.back().answer, section);
    if (result.built_by == schedule::kFitted)
      if (const auto why = pipeline::certificate_of(answer.experiment, answer.experiment.collectives[i]))
        add(told.back().figures, section, report::network_figure(*why));
  }
  std::vector<report::ToldJob> told_jobs;
  const std::vector<std::vector<report::WhatIf>> asked =
      reasons ? what_if(answer.experiment, answer.jobs, options)
              : std::vector<std::vector<report::WhatIf>>(answer.jobs.size());
  for (std::size_t i = 0; i < answer.jobs.size(); ++i) {
    report::ToldJob& job = told_jobs.emplace_back(answer.jobs[i], asked[i]);
    job.answer.name = shown(job.answer.name);
    if (job.answer.composite)
      add(job.figures, fmt::format("job-{}", i + 1),
          report::levels_figure(*job.answer.composite, job.answer.level_uses));
    add(job.figures, fmt::format("job-{}", i + 1), report::timeline_figure({}, {job.answer}));
  }
  return {{report::page_of(answer.title, told, told_jobs)}, {{kResultsFile, to_json(answer)}}};
}

report::Report report_of(const std::vector<report::Study>& studies) {
  std::vector<report::Row> rows;
  for (const report::Study& study : studies) rows.insert(rows.end(), study.rows.begin(), study.rows.end());
  return {report::pages_of(studies), {{kRowsFile, report::to_short_json(rows)}}};
}

report::Report report_of(const pipeline::Validation& validation) {
  return {{report::page_of(validation)}, {{kValidationFile, report::to_json(validation)}}};
}

report::Report report_of(const pipeline::SliceTold& told) {
  return {{report::page_of(told)}, {{kSlicesFile, report::to_json(told)}}};
}

report::Report report_of(const pipeline::TestbedResult& result) {
  return {{report::page_of(result)}, {{kTestbedFile, report::to_json(result)}}};
}

report::Report report_of(const pipeline::CollectiveMap& map) {
  return {{report::page_of(map)}, {{kPlanFile, report::to_json(map)}}};
}

report::Report report_of(const pipeline::ModelPlan& plan) {
  return {{report::page_of(plan)}, {{kPlanFile, report::to_json(plan)}}};
}

report::Report report_of(const pipeline::ModelMap& map) {
  return {{report::page_of(map)}, {{kPlanFile, report::to_json(map)}}};
}

void write(report::Report report, const std::string& folder, const std::string& command, const std::string& place) {
  for (report::Page& page : report.pages) {
    page.command = command;
    page.version = pipeline::kVersion;
  }
  report::write_report(report, folder, place);
}

}  // namespace helio::ask
