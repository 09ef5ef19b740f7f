// SPDX-License-Identifier: Apache-2.0
#include "report/figures/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "report/figures/axis.h"
#include "report/pages/html_parts.h"

namespace helio::report {
namespace {

constexpr std::size_t kColours = 8;  // of the page: .series0 to .series7 in web/page.css

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

// "1: mesh, 2: Fred-A": where x counts cases, its ticks are their numbers.
std::string numbered(const std::vector<std::string>& cases) {
  std::string text;
  for (std::size_t i = 0; i < cases.size(); ++i) text += fmt::format("{}{}: {}", i ? ", " : "", i + 1, cases[i]);
  return text;
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
  svg += text_at((kLeft + kRight) / 2, kBottom + 38, "middle",
                 chart.cases.empty() ? chart.x_label : numbered(chart.cases));
  const double middle = (kTop + kBottom) / 2;
  return svg + fmt::format("<text transform=\"translate(13 {0}) rotate(-90)\" text-anchor=\"middle\">{1}</text>\n",
                           middle, escaped(chart.y_label));
}

bool has_line(const Series& series) { return series.joined && !series.published; }

// Opens what is drawn of a series: in its colour, or in the page's ink when it was published.
std::string group_of(const Series& series, std::size_t index) {
  return series.published ? "<g>\n" : fmt::format("<g class=\"series{}\">\n", index % kColours);
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

}  // namespace

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

}  // namespace helio::report
