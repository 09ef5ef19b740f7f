// SPDX-License-Identifier: Apache-2.0
#include "report/text/row_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace helio::report {
namespace {

constexpr std::size_t kWithinCells = 10;  // of a difference of 100 %
constexpr std::size_t kMostBars = 48;     // of a line of small bars

// Rows that are held against the same sort of number, under one head.
std::string table_of(std::span<const Row> rows, std::size_t study, std::size_t quantity, const Look& look) {
  const auto cells = [&](const std::string& drawn) {
    return look.terminal ? drawn + std::string(kWithinCells - width_of(drawn) + 2, ' ') : "";
  };
  std::string text =
      paint(look, Ink::kTitle,
            fmt::format("{:<{}}  {:<{}}  {:>14}  {:>14}  {:>9}  {}{:<10}  source", "study", study, "quantity", quantity,
                        rows.front().versus(), "ours", "within", cells(""), "label")) +
      "\n";
  for (const Row& row : rows) {
    const Ink ink = row.met() ? Ink::kGood : Ink::kDoubtful;
    text += fmt::format("{:<{}}  {:<{}}  {:>14.8g}  {:>14.8g}  {}  {}{:<10}  {}\n", row.study, study, row.quantity,
                        quantity, row.beside(), row.ours, paint(look, ink, fmt::format("{:>9.2g}", row.within())),
                        paint(look, ink, cells(bar(look, row.within(), kWithinCells))),
                        row.label() + (row.predicted() ? "" : "*"), row.source);
  }
  return text;
}

// Heights of the small bars, at most so many: on a log axis what is not above 0 has none.
std::vector<double> heights(const Series& series, bool log) {
  const std::size_t bars = std::min(series.points.size(), kMostBars);
  std::vector<double> values;
  for (std::size_t i = 0; i < bars; ++i) {
    const double y = series.points[i * series.points.size() / bars].second;
    values.push_back(!log ? y : y > 0 ? std::log(y) : NAN);
  }
  return values;
}

}  // namespace

std::string to_text(const std::vector<Row>& rows, const Look& look) {
  std::size_t quantity = 8, study = 5;
  for (const Row& row : rows) {
    quantity = std::max(quantity, row.quantity.size());
    study = std::max(study, row.study.size());
  }
  std::string text;
  for (const std::span<const Row> alike : runs_of_one_sort(rows)) {
    if (!text.empty()) text += '\n';
    text += table_of(alike, study, quantity, look);
  }
  if (std::any_of(rows.begin(), rows.end(), [](const Row& row) { return !row.predicted(); }))
    text += "* not predicted: what it rests on used this number (chosen to meet it, solved from it, or restated)\n";
  return text;
}

std::string to_text(const std::vector<Chart>& charts, const Look& look) {
  std::string text;
  for (const Chart& chart : charts) {
    if (!look.terminal || std::ranges::none_of(chart.series, &Series::joined)) continue;
    std::size_t name = 0, line = 0;
    for (const Series& series : chart.series) {
      name = std::max(name, width_of(series.name));
      line = std::max(line, std::min(series.points.size(), kMostBars));
    }
    text += fmt::format(
        "\n{}\n", paint(look, Ink::kTitle, fmt::format("{}: {} over {}", chart.title, chart.y_label, chart.x_label)));
    for (const Series& series : chart.series) {
      if (series.points.empty()) continue;
      const auto [least, most] = std::ranges::minmax(series.points, {}, &std::pair<double, double>::second);
      const std::string drawn = sparkline(look, heights(series, chart.log_y));
      text +=
          fmt::format("  {}{}  {}{}  {:.4g} to {:.4g}\n", series.name, std::string(name - width_of(series.name), ' '),
                      paint(look, series.published ? Ink::kOther : Ink::kBar, drawn),
                      std::string(line - width_of(drawn), ' '), least.second, most.second);
    }
  }
  return text;
}

}  // namespace helio::report
