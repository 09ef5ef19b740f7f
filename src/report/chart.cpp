// SPDX-License-Identifier: Apache-2.0
#include "report/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <set>
#include <string_view>

#include "report/axis.h"
#include "report/html_parts.h"

namespace helio::report {
namespace {

// Light and dark, told apart by the colour-blind (Okabe and Ito, 2008; brighter where the page is dark).
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kColours = {{{"#0072b2", "#56a8e0"},
                                                                                    {"#d55e00", "#f28a3c"},
                                                                                    {"#009e73", "#3ccaa0"},
                                                                                    {"#cc79a7", "#e09cc3"},
                                                                                    {"#b07d00", "#e6b422"},
                                                                                    {"#3f3f9f", "#9c9cf0"},
                                                                                    {"#7a7a7a", "#b0b0b0"},
                                                                                    {"#8c3b1f", "#d58a6c"}}};

// The picture's own units, which are pixels on a page of two columns.
constexpr double kWidth = 600, kLeft = 66, kRight = 586, kTop = 12, kBottom = 300;
constexpr double kLegendTop = 362, kLegendRow = 18, kLegendColumn = 264, kMark = 4, kLetter = 6.6;
constexpr std::size_t kOwnTicks = 10;  // a log axis of so few different x has its ticks there

std::vector<double> values_of(const Chart& chart, bool x) {
  std::vector<double> values;
  for (const Series& series : chart.series)
    for (const auto& [at, value] : series.points)
      if (Axis::shows(at, chart.log_x) && Axis::shows(value, chart.log_y)) values.push_back(x ? at : value);
  return values;
}

struct Frame {
  Axis x, y;
  explicit Frame(const Chart& chart)
      : x(values_of(chart, true), chart.log_x), y(values_of(chart, false), chart.log_y) {}
  double across(double value) const { return kLeft + x.place(value) * (kRight - kLeft); }
  double down(double value) const { return kBottom - y.place(value) * (kBottom - kTop); }
  bool shows(const std::pair<double, double>& point) const {
    return Axis::shows(point.first, x.log()) && Axis::shows(point.second, y.log());
  }
};

std::string text_at(double x, double y, std::string_view anchor, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, escaped(text));
}

// A shape for each series, so that a print without colours can be read; hollow when published.
std::string mark(std::size_t shape, bool hollow, double x, double y, std::string_view words) {
  const double r = kMark;
  const auto corners = [&](std::initializer_list<std::pair<double, double>> list) {
    std::string points;
    for (const auto& [dx, dy] : list)
      points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", x + dx * r, y + dy * r);
    return fmt::format("polygon points=\"{}\"", points);
  };
  std::string element;
  switch (shape % 4) {
    case 0: element = fmt::format("circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"", x, y, r); break;
    case 1: element = corners({{-.9, -.9}, {.9, -.9}, {.9, .9}, {-.9, .9}}); break;
    case 2: element = corners({{0, -1.2}, {1.1, .9}, {-1.1, .9}}); break;
    default: element = corners({{0, -1.3}, {1.3, 0}, {0, 1.3}, {-1.3, 0}});
  }
  return fmt::format("<{} fill=\"{}\" stroke=\"currentColor\" stroke-width=\"1.5\">{}</{}>\n", element,
                     hollow ? "none" : "currentColor",
                     words.empty() ? "" : fmt::format("<title>{}</title>", escaped(words)),
                     element.substr(0, element.find(' ')));
}

// The values of x themselves where they are few and far enough apart to be read.
std::vector<double> x_ticks(const Chart& chart, const Frame& frame) {
  const std::vector<double> values = values_of(chart, true);
  const std::set<double> different(values.begin(), values.end());
  if (!chart.log_x || different.empty() || different.size() > kOwnTicks) return frame.x.ticks();
  std::vector<double> ticks;
  double free = 0;
  for (const double value : different) {
    const double half = kLetter * static_cast<double>(tick_label(value).size()) / 2;
    if (frame.across(value) - half < free) continue;
    free = frame.across(value) + half + kLetter;
    ticks.push_back(value);
  }
  return ticks;
}

std::string axes(const Chart& chart, const Frame& frame) {
  std::string svg;
  for (const double tick : frame.y.ticks()) {
    const double y = frame.down(tick);
    svg += fmt::format("<path class=\"grid\" d=\"M{} {:.1f}H{}\"/>\n", kLeft, y, kRight) +
           text_at(kLeft - 6, y + 4, "end", tick_label(tick));
  }
  for (const double tick : x_ticks(chart, frame)) {
    const double x = frame.across(tick);
    svg += fmt::format("<path class=\"axis\" d=\"M{:.1f} {}v5\"/>\n", x, kBottom) +
           text_at(x, kBottom + 18, "middle", tick_label(tick));
  }
  svg += fmt::format("<path class=\"axis\" d=\"M{} {}V{}H{}\"/>\n", kLeft, kTop, kBottom, kRight);
  svg += text_at((kLeft + kRight) / 2, kBottom + 38, "middle", chart.x_label);
  const double middle = (kTop + kBottom) / 2;
  return svg + fmt::format("<text transform=\"translate(13 {0}) rotate(-90)\" text-anchor=\"middle\">{1}</text>\n",
                           middle, escaped(chart.y_label));
}

bool has_line(const Series& series) { return series.joined && !series.published; }

// Opens what is drawn of a series: in its colour, or in the page's ink when it was published.
std::string group_of(const Series& series, std::size_t index) {
  return series.published ? "<g>\n" : fmt::format("<g class=\"series{}\">\n", index % kColours.size());
}

std::string drawn(const Series& series, std::size_t index, const Chart& chart, const Frame& frame) {
  std::string line, marks;
  for (const auto& point : series.points) {
    if (!frame.shows(point)) continue;
    const double x = frame.across(point.first), y = frame.down(point.second);
    line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", x, y);
    marks += mark(
        index, series.published, x, y,
        fmt::format("{}: {} {:.6g}, {} {:.6g}", series.name, chart.x_label, point.first, chart.y_label, point.second));
  }
  if (has_line(series) && !line.empty()) marks = fmt::format("<path class=\"line\" d=\"{}\"/>\n", line) + marks;
  return group_of(series, index) + marks + "</g>\n";
}

// Two columns, or one where a name would not fit.
struct Legend {
  std::string svg;
  double bottom = kLegendTop;
};

Legend legend_of(const Chart& chart) {
  Legend legend;
  std::size_t longest = 0;
  for (const Series& series : chart.series) longest = std::max(longest, series.name.size());
  const std::size_t columns = static_cast<double>(longest) * kLetter + 30 > kLegendColumn ? 1 : 2;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const Series& series = chart.series[i];
    const double x = kLeft + static_cast<double>(i % columns) * kLegendColumn,
                 y = kLegendTop + static_cast<double>(i / columns) * kLegendRow;
    const std::string line =
        has_line(series) ? fmt::format("<path class=\"line\" d=\"M{:.1f} {:.1f}h20\"/>\n", x, y) : "";
    legend.svg += group_of(series, i) + line + mark(i, series.published, x + 10, y, "") + "</g>\n" +
                  text_at(x + 27, y + 4, "start", series.name);
    legend.bottom = y + kLegendRow;
  }
  return legend;
}

std::string quoted(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string safe = "\"";
  for (const char c : text) safe += c == '"' ? std::string("\"\"") : std::string(1, c);
  return safe + '"';
}

}  // namespace

std::string chart_style() {
  std::string css =
      ".charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(34rem, 100%), 1fr)); gap: 1.5rem; "
      "}\n"
      "figure { margin: 0; break-inside: avoid; } figcaption { font-weight: 600; }\n"
      ".chart { width: 100%; max-width: 46rem; height: auto; } .chart text { fill: currentColor; font-size: 12px; }\n"
      ".chart .axis { fill: none; stroke: currentColor; } .chart .grid { stroke: currentColor; stroke-opacity: .18; }\n"
      ".chart .line { fill: none; stroke: currentColor; stroke-width: 1.75; }\n";
  std::string dark;
  for (std::size_t i = 0; i < kColours.size(); ++i) {
    css += fmt::format(".series{} {{ color: {}; }}\n", i, kColours[i].first);
    dark += fmt::format(" .series{} {{ color: {}; }}", i, kColours[i].second);
  }
  return css + fmt::format("@media (prefers-color-scheme: dark) {{{} }}\n", dark);
}

std::string to_svg(const Chart& chart) {
  const Frame frame(chart);
  const Legend legend = legend_of(chart);
  std::vector<std::string_view> names;
  for (const Series& series : chart.series) names.push_back(series.name);
  std::string svg = fmt::format(
      "<svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\">\n<title>{}</title>\n<desc>{} over {}: {}</desc>\n",
      kWidth, legend.bottom, escaped(chart.title), escaped(chart.y_label), escaped(chart.x_label),
      escaped(fmt::format("{}", fmt::join(names, "; "))));
  svg += axes(chart, frame);
  for (std::size_t i = 0; i < chart.series.size(); ++i) svg += drawn(chart.series[i], i, chart, frame);
  return svg + legend.svg + "</svg>\n";
}

std::string to_csv(const Chart& chart) {
  std::string csv = fmt::format("series,published,{},{}\n", quoted(chart.x_label), quoted(chart.y_label));
  for (const Series& series : chart.series)
    for (const auto& [x, y] : series.points)
      csv += fmt::format("{},{},{},{}\n", quoted(series.name), series.published ? "yes" : "no", x, y);
  return csv;
}

std::string csv_file_of(const Chart& chart) {
  assert(!chart.name.empty() &&
         chart.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos &&
         "a chart's name is that of its file");
  return chart.name + ".csv";
}

std::string figure_of(const Chart& chart) {
  return fmt::format("<figure>\n<figcaption>{}</figcaption>\n{}<p><a href=\"{}\">data (CSV)</a></p>\n</figure>\n",
                     escaped(chart.title), to_svg(chart), csv_file_of(chart));
}

}  // namespace helio::report
