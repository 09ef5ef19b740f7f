// SPDX-License-Identifier: Apache-2.0
#include "report/pages/validation_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>

#include "base/units.h"
#include "report/figures/chart.h"

namespace helio::report {
namespace {

Figure scatter_of(const pipeline::Validation& validation) {
  Chart chart{.name = "predicted-against-measured",
              .title = fmt::format("Predicted against measured: {}", validation.kind),
              .x_label = "measured (ms)",
              .y_label = "predicted (ms)",
              .log_x = true,
              .log_y = true,
              .series = {{.name = validation.kind, .points = {}, .joined = false}},
              .kind = ChartKind::kScatter,
              .words =
                  "A point for each row of the file. On the dashed line the prediction is what was measured; above it "
                  "is too slow."};
  for (const pipeline::ComparedRow& row : validation.rows) {
    chart.series[0].points.emplace_back(1e3 * row.measured_s, 1e3 * row.predicted_s);
    chart.series[0].labels.push_back(fmt::format("line {}: {}", row.line, row.what));
  }
  return figure_of(chart);
}

Table rows_of(const pipeline::Validation& validation) {
  Table table{.name = "predictions",
              .title = "Every row",
              .columns = {{"line", true}, {"what"}, {"measured", true}, {"predicted", true}, {"error", true}},
              .rows = {}};
  for (const pipeline::ComparedRow& row : validation.rows)
    table.rows.push_back({{.text = fmt::format("{}", row.line), .value = static_cast<double>(row.line)},
                          {row.what},
                          {.text = format(Time::seconds(row.measured_s)), .value = row.measured_s},
                          {.text = format(Time::seconds(row.predicted_s)), .value = row.predicted_s},
                          {.text = fmt::format("{:+.1f} %", row.error_percent()),
                           .value = row.error_percent(),
                           .mark = std::abs(row.error_percent()) <= 10 ? "good" : "bad"}});
  return table;
}

// With its sign, over what was measured.
Figure signed_of(const pipeline::Validation& validation) {
  Chart chart{.name = "error-against-measured",
              .title = "Error of each row",
              .x_label = "measured (ms)",
              .y_label = "error (%)",
              .log_x = true,
              .series = {{.name = validation.kind, .points = {}, .joined = false}},
              .kind = ChartKind::kScatter,
              .words = "Above zero is predicted too slow."};
  for (const pipeline::ComparedRow& row : validation.rows) {
    chart.series[0].points.emplace_back(1e3 * row.measured_s, row.error_percent());
    chart.series[0].labels.push_back(fmt::format("line {}: {}", row.line, row.what));
  }
  return figure_of(chart);
}

Table groups_of(const pipeline::Validation& validation) {
  Table table{.name = "groups",
              .title = "Errors by group",
              .columns = {{"group"}, {"rows", true}, {"mean", true}, {"median", true}, {"p90", true}, {"bias", true}},
              .rows = {}};
  const auto percent = [](double value) { return Cell{.text = fmt::format("{:.1f} %", value), .value = value}; };
  for (const pipeline::Errors& group : validation.groups())
    table.rows.push_back({{group.name},
                          {.text = fmt::format("{}", group.rows), .value = static_cast<double>(group.rows)},
                          percent(group.mean),
                          percent(group.median),
                          percent(group.p90),
                          {.text = fmt::format("{:+.1f} %", group.bias), .value = group.bias}});
  return table;
}

}  // namespace

Page page_of(const pipeline::Validation& validation) {
  Page page{.title = fmt::format("Predictions against {}", std::filesystem::path(validation.file).filename().string())};
  Section section{.name = "validation", .title = ""};
  const pipeline::Errors errors = validation.errors();
  section.cards = {{fmt::format("{:.2f} %", errors.mean), "mean error", "without sign"},
                   {fmt::format("{:.2f} %", errors.median), "median error", fmt::format("p90 {:.1f} %", errors.p90)},
                   {fmt::format("{:+.2f} %", errors.bias), "bias", "above zero: predicted too slow"},
                   {fmt::format("{}", validation.rows.size()), "rows", validation.kind},
                   {fmt::format("{}", validation.refused.size()), "rows refused", "in no mean"},
                   {"fitted", "label", "constants of the model"}};
  if (const auto worst = validation.worst(1); !worst.empty())
    section.words.push_back(fmt::format("The farthest off is line {}: {} measured, {} predicted, {:+.1f} % ({}).",
                                        worst[0].line, format(Time::seconds(worst[0].measured_s)),
                                        format(Time::seconds(worst[0].predicted_s)), worst[0].error_percent(),
                                        worst[0].what));
  for (const auto& row : validation.refused)
    section.words.push_back(fmt::format("Line {} is not among them: {}.", row.line, row.reason));
  if (!validation.fitted_on.empty())
    section.words.push_back(
        fmt::format("The constants behind these predictions were fitted on public measurements: {}. A file of those "
                    "same rows shows a fit, any other a prediction (docs/validate.md).",
                    fmt::join(validation.fitted_on, ", ")));
  section.figures.push_back(scatter_of(validation));
  section.figures.push_back(signed_of(validation));
  if (!validation.groups().empty()) section.tables.push_back(groups_of(validation));
  section.tables.push_back(rows_of(validation));
  page.sections.push_back(std::move(section));
  return page;
}

}  // namespace helio::report
