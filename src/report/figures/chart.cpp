// SPDX-License-Identifier: Apache-2.0
#include "report/figures/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "base/csv_field.h"
#include "report/figures/axis.h"

namespace helio::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 3> kKinds = {"sweep", "curves", "scatter"};
constexpr std::string_view kBars = "bars";

// Four digits; large ones in full, "1,048,576", as far as people read them.
std::string in_words(double value) {
  if (std::abs(value) < 1e4 || std::abs(value) >= 1e7) return fmt::format("{:.4g}", value);
  std::string digits = fmt::format("{:.0f}", std::abs(value));
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return (value < 0 ? "-" : "") + digits;
}

// "128 to 4096" of what can be drawn; "" where nothing can.
std::string range_of(const std::vector<double>& values) {
  if (values.empty()) return "";
  const auto [least, most] = std::ranges::minmax(values);
  return least == most ? in_words(least) : fmt::format("{} to {}", in_words(least), in_words(most));
}

// For those who cannot see it: what is over what, and where each series lies.
std::string default_words(const Chart& chart) {
  std::vector<double> all;
  std::string series;
  for (const Series& one : chart.series) {
    std::vector<double> values;
    for (const auto& [x, y] : one.points) {
      if (!Axis::shows(x, chart.log_x) || !Axis::shows(y, chart.log_y)) continue;
      all.push_back(x);
      values.push_back(y);
    }
    series += fmt::format("{}{}: {}", series.empty() ? "" : "; ", one.name,
                          values.empty() ? "nothing to draw" : range_of(values));
  }
  const std::string along =
      chart.cases.empty() ? range_of(all) : fmt::format("{} to {}", chart.cases.front(), chart.cases.back());
  return fmt::format("{} over {}{}. {}.", chart.y_label, chart.x_label, along.empty() ? "" : fmt::format(", {}", along),
                     series);
}

// The name of the case that x counts, or x.
std::string x_field(const Chart& chart, double x) {
  const auto count = static_cast<double>(chart.cases.size());
  if (!(x >= 1 && x <= count && x == std::floor(x))) return csv_field(x);
  return csv_field(chart.cases[static_cast<std::size_t>(x) - 1]);
}

// JSON has no word for what is not finite.
double value_of(const Json& json) { return json.is_null() ? NAN : json.get<double>(); }

}  // namespace

std::string to_csv(const Chart& chart) {
  std::string csv = csv_line({"series", "published", csv_field(chart.x_label), csv_field(chart.y_label)});
  for (const Series& series : chart.series)
    for (const auto& [x, y] : series.points)
      csv += csv_line({csv_field(series.name), series.published ? "yes" : "no", x_field(chart, x), csv_field(y)});
  return csv;
}

Figure figure_of(const Chart& chart) {
  Json series = Json::array();
  for (const Series& one : chart.series) {
    Json points = Json::array();
    for (const auto& [x, y] : one.points) points.push_back({x, y});
    Json item = {
        {"name", one.name}, {"published", one.published}, {"joined", one.joined}, {"points", std::move(points)}};
    if (!one.labels.empty()) item["labels"] = one.labels;
    series.push_back(std::move(item));
  }
  Json data = {{"x_label", chart.x_label}, {"y_label", chart.y_label}, {"log_x", chart.log_x}, {"log_y", chart.log_y}};
  if (!chart.cases.empty()) data["cases"] = chart.cases;
  data["series"] = std::move(series);
  return {.name = chart.name,
          .kind = std::string(chart.cases.empty() ? kKinds[static_cast<std::size_t>(chart.kind)] : kBars),
          .title = chart.title,
          .words = chart.words.empty() ? default_words(chart) : chart.words,
          .data = std::move(data),
          .csv = to_csv(chart)};
}

bool is_chart(const Figure& figure) {
  for (const std::string_view kind : kKinds)
    if (figure.kind == kind) return true;
  return figure.kind == kBars;
}

Chart chart_of(const Figure& figure) {
  const Json& data = figure.data;
  Chart chart{.name = figure.name,
              .title = figure.title,
              .x_label = data.at("x_label"),
              .y_label = data.at("y_label"),
              .log_x = data.at("log_x"),
              .log_y = data.at("log_y"),
              .words = figure.words};
  for (std::size_t i = 0; i < kKinds.size(); ++i)
    if (figure.kind == kKinds[i]) chart.kind = static_cast<ChartKind>(i);
  if (const auto cases = data.find("cases"); cases != data.end()) chart.cases = cases->get<std::vector<std::string>>();
  for (const Json& item : data.at("series")) {
    Series& series = chart.series.emplace_back(
        Series{.name = item.at("name"), .points = {}, .published = item.at("published"), .joined = item.at("joined")});
    for (const Json& point : item.at("points"))
      series.points.emplace_back(value_of(point.at(0)), value_of(point.at(1)));
    if (const auto labels = item.find("labels"); labels != item.end())
      series.labels = labels->get<std::vector<std::string>>();
  }
  return chart;
}

}  // namespace helio::report
