// SPDX-License-Identifier: Apache-2.0
#include "report/pages/sweep_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>

#include "base/error.h"
#include "base/json_dump.h"
#include "base/json_reader.h"
#include "base/units.h"
#include "pipeline/counted.h"
#include "report/figures/chart.h"
#include "report/figures/heat_map.h"

namespace helio::report {
namespace {

constexpr std::size_t kMostPlaces = 40, kMostMaps = 6;  // of a heat map along a side; of maps
constexpr std::size_t kMostLines = 8, kMostOnLine = 2000;
constexpr std::size_t kMostDrawn = 2000;  // of all points, beside the front
constexpr double kWide = 20;              // an axis that spans more is logarithmic
constexpr std::size_t kMostReasons = 100;
constexpr std::size_t kLongestList = 16;  // of an answer that is told

std::string in_seconds(double value) { return format(Time::seconds(value)); }
std::string in_bytes(double value) { return format(Bytes{value}); }
std::string in_bits(double value) { return format(BitRate{value}); }
std::string plain(double value) { return fmt::format("{:.4g}", value); }

// Numbers of a key, by the unit in which it ends.
std::string (*text_of(const std::string& key))(double) {
  return key.ends_with("_bps")     ? in_bits
         : key.ends_with("_bytes") ? in_bytes
         : key.ends_with("_s")     ? in_seconds
                                   : plain;
}

// The names of an axis as numbers, where all of them are: plain ones, or all quantities of one kind.
std::optional<std::vector<double>> numbers_of(const SweptAxis& axis) {
  const auto all = [&](const auto& read) -> std::optional<std::vector<double>> {
    std::vector<double> numbers;
    try {
      for (const std::string& value : axis.values) numbers.push_back(read(value));
    } catch (const Error&) {
      return std::nullopt;
    }
    return numbers;
  };
  if (auto found = all([](const std::string& text) { return parse_number(text); })) return found;
  if (auto found = all([](const std::string& text) { return parse_bytes(text).value; })) return found;
  if (auto found = all([](const std::string& text) { return parse_rate(text).value; })) return found;
  return all([](const std::string& text) { return parse_time(text).to_seconds(); });
}

bool is_wide(const std::vector<double>& numbers) {
  const auto [low, high] = std::ranges::minmax(numbers);
  return low > 0 && high > kWide * low;
}

// The least value at each place of two axes, or of one and none.
std::vector<std::vector<double>> least_at(const Swept& swept, std::size_t x, std::optional<std::size_t> y) {
  std::vector<std::vector<double>> least(
      y ? swept.axes[*y].values.size() : 1,
      std::vector<double>(swept.axes[x].values.size(), std::numeric_limits<double>::quiet_NaN()));
  for (const SweptPoint& point : swept.points) {
    double& there = least[y ? point.at[*y] : 0][point.at[x]];
    if (!(point.value >= there)) there = point.value;
  }
  return least;
}

// The axis whose names make the lines of charts over another: few of them, and no numbers if possible.
std::optional<std::size_t> lines_for(const Swept& swept, std::size_t x) {
  std::optional<std::size_t> best;
  const auto rank = [&](std::size_t a) {
    return std::pair(numbers_of(swept.axes[a]).has_value(), swept.axes[a].values.size());
  };
  for (std::size_t a = 0; a < swept.axes.size(); ++a) {
    const std::size_t count = swept.axes[a].values.size();
    if (a != x && count > 1 && count <= kMostLines && (!best || rank(a) < rank(*best))) best = a;
  }
  return best;
}

std::optional<Chart> along(const Swept& swept, std::size_t x) {
  const SweptAxis& axis = swept.axes[x];
  const auto numbers = numbers_of(axis);
  if (!numbers || axis.values.size() < 2 || axis.values.size() > kMostOnLine) return std::nullopt;
  const std::optional<std::size_t> lines = lines_for(swept, x);
  const auto least = least_at(swept, x, lines);
  std::vector<std::size_t> order(numbers->size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return (*numbers)[i]; });
  Chart chart{.name = name_from("along-" + axis.name),
              .title = fmt::format("{} along {}", swept.value, axis.name),
              .x_label = axis.name,
              .y_label = swept.value,
              .log_x = is_wide(*numbers)};
  std::vector<double> all;
  for (std::size_t k = 0; k < least.size(); ++k) {
    Series series{.name = lines ? fmt::format("{} {}", swept.axes[*lines].name, swept.axes[*lines].values[k])
                                : std::string("the best")};
    for (const std::size_t i : order)
      if (std::isfinite(least[k][i])) {
        series.points.emplace_back((*numbers)[i], least[k][i]);
        all.push_back(least[k][i]);
      }
    if (!series.points.empty()) chart.series.push_back(std::move(series));
  }
  if (all.empty()) return std::nullopt;
  chart.log_y = is_wide(all);
  return chart;
}

std::vector<Figure> maps_of(const Swept& swept) {
  std::vector<Figure> maps;
  const auto fits = [&](std::size_t a) {
    return swept.axes[a].values.size() > 1 && swept.axes[a].values.size() <= kMostPlaces;
  };
  for (std::size_t y = 0; y < swept.axes.size(); ++y)
    for (std::size_t x = y + 1; x < swept.axes.size() && maps.size() < kMostMaps; ++x) {
      if (!fits(x) || !fits(y)) continue;
      const SweptAxis &across = swept.axes[x], &down = swept.axes[y];
      maps.push_back(figure_of(HeatMap{.name = name_from(fmt::format("map-{}-{}", down.name, across.name)),
                                       .title = fmt::format("{} over {} and {}", swept.value, down.name, across.name),
                                       .x_label = across.name,
                                       .y_label = down.name,
                                       .value_label = swept.value,
                                       .columns = across.values,
                                       .rows = down.values,
                                       .cells = least_at(swept, x, y)},
                               text_of(swept.value)));
    }
  return maps;
}

std::string page_name(std::uint64_t number) { return fmt::format("point-{}", number); }

std::string words_of(const Swept& swept, const SweptPoint& point) {
  std::string words;
  for (std::size_t a = 0; a < swept.axes.size(); ++a)
    words += fmt::format("{}{} = {}", words.empty() ? "" : ", ", swept.axes[a].name, swept.axes[a].values[point.at[a]]);
  return words;
}

Chart front_chart(const Swept& swept, const std::vector<std::size_t>& front) {
  Chart chart{.name = "front",
              .title = fmt::format("{} against {}", swept.value, swept.against),
              .x_label = swept.against,
              .y_label = swept.value};
  Series on{.name = "on the front"}, others{.name = "the others", .joined = false};
  const std::set<std::size_t> among(front.begin(), front.end());
  std::vector<double> x, y;
  const std::size_t every = swept.points.size() / kMostDrawn + 1;
  for (std::size_t i = 0; i < swept.points.size(); ++i) {
    const SweptPoint& point = swept.points[i];
    if (!std::isfinite(point.against)) continue;
    x.push_back(point.against);
    y.push_back(point.value);
    if (among.contains(i) || i % every != 0) continue;
    others.points.emplace_back(point.against, point.value);
    others.labels.push_back(words_of(swept, point));
  }
  for (const std::size_t i : front) {
    on.points.emplace_back(swept.points[i].against, swept.points[i].value);
    on.labels.push_back(words_of(swept, swept.points[i]));
  }
  chart.log_x = is_wide(x);
  chart.log_y = is_wide(y);
  chart.series.push_back(std::move(on));
  if (!others.points.empty()) chart.series.push_back(std::move(others));
  return chart;
}

// Numbers and short texts of an answer, by where they stand.
void tell(const Json& json, const std::string& where, Table& table) {
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) tell(value, where.empty() ? key : where + "." + key, table);
  } else if (json.is_array()) {
    for (std::size_t i = 0; i < std::min(json.size(), kLongestList); ++i)
      tell(json[i], fmt::format("{}.{}", where, i), table);
  } else if (json.is_number()) {
    const std::string key = where.substr(where.rfind('.') + 1);
    table.rows.push_back({{where}, {text_of(key)(json.get<double>()), json.get<double>()}});
  } else if (!json.is_null()) {
    table.rows.push_back({{where}, {json.is_string() ? json.get<std::string>() : json_dump(json)}});
  }
}

Page page_of(const Swept& swept, const SweptPoint& point, const ToldPoint& told) {
  Page page{.name = page_name(told.number),
            .title = fmt::format("Point {} of {}", told.number, swept.source),
            .menu = fmt::format("point {}", told.number),
            .lead = words_of(swept, point) + "."};
  Section section{.name = "answer", .title = "Its answer"};
  section.cards = {{text_of(swept.value)(point.value), swept.value}};
  if (std::isfinite(point.against)) section.cards.push_back({text_of(swept.against)(point.against), swept.against});
  section.words = {fmt::format("helio {}", told.command),
                   fmt::format("It was answered in {}.", format(Time::seconds(told.seconds)))};
  Table table{.name = "values", .title = "Everything it says", .columns = {{"key"}, {"value"}}, .rows = {}};
  tell(parse_json(told.answer, swept.source), "", table);
  section.tables.push_back(std::move(table));
  page.sections.push_back(std::move(section));
  return page;
}

}  // namespace

std::vector<std::size_t> front_of(const std::vector<SweptPoint>& points) {
  std::vector<std::size_t> order, front;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (std::isfinite(points[i].against)) order.push_back(i);
  std::ranges::sort(order, {},
                    [&](std::size_t i) { return std::tuple(points[i].value, points[i].against, points[i].number); });
  double least = std::numeric_limits<double>::infinity();
  for (const std::size_t i : order)
    if (points[i].against < least) {
      least = points[i].against;
      front.push_back(i);
    }
  return front;
}

std::vector<std::uint64_t> worth_telling(const Swept& swept) {
  std::vector<std::size_t> best(swept.points.size());
  std::iota(best.begin(), best.end(), std::size_t{0});
  const std::size_t most = std::min(best.size(), kMostToldPoints);
  std::ranges::partial_sort(best, best.begin() + static_cast<std::ptrdiff_t>(most), {},
                            [&](std::size_t i) { return std::pair(swept.points[i].value, swept.points[i].number); });
  best.resize(most);
  std::vector<std::uint64_t> numbers;
  for (const std::size_t i : best) numbers.push_back(swept.points[i].number);
  for (const std::size_t i : front_of(swept.points))
    if (numbers.size() < 2 * kMostToldPoints && std::ranges::find(numbers, swept.points[i].number) == numbers.end())
      numbers.push_back(swept.points[i].number);
  return numbers;
}

std::vector<Page> pages_of(const Swept& swept) {
  std::map<std::uint64_t, const SweptPoint*> by_number;
  for (const SweptPoint& point : swept.points) by_number[point.number] = &point;
  Page index{.title = fmt::format("The sweep {}", swept.source), .menu = "the sweep"};
  const std::uint64_t refused = std::accumulate(swept.refused.begin(), swept.refused.end(), std::uint64_t{0},
                                                [](std::uint64_t sum, const auto& one) { return sum + one.second; });
  index.lead = fmt::format("{} of {} have an answer, {} have none.", swept.points.size(),
                           pipeline::counted(swept.asked, "point"), refused);

  // The best
  Section best{.name = "best", .title = "The best"};
  Table table{.name = "told", .title = "", .columns = {{"point", true}}, .rows = {}};
  for (const SweptAxis& axis : swept.axes) table.columns.push_back({axis.name, numbers_of(axis).has_value()});
  table.columns.push_back({swept.value, true});
  if (!swept.against.empty()) table.columns.push_back({swept.against, true});
  std::vector<std::vector<double>> numbers;
  for (const SweptAxis& axis : swept.axes) numbers.push_back(numbers_of(axis).value_or(std::vector<double>()));
  for (const ToldPoint& told : swept.told) {
    const SweptPoint& point = *by_number.at(told.number);
    std::vector<Cell> row = {{.text = fmt::format("{}", told.number),
                              .value = static_cast<double>(told.number),
                              .page = page_name(told.number)}};
    for (std::size_t a = 0; a < swept.axes.size(); ++a) {
      Cell cell{swept.axes[a].values[point.at[a]]};
      if (!numbers[a].empty()) cell.value = numbers[a][point.at[a]];
      row.push_back(std::move(cell));
    }
    row.push_back({text_of(swept.value)(point.value), point.value});
    if (!swept.against.empty())
      row.push_back(std::isfinite(point.against) ? Cell{text_of(swept.against)(point.against), point.against}
                                                 : Cell{"-"});
    table.rows.push_back(std::move(row));
  }
  if (!swept.told.empty()) {
    const SweptPoint& first = *by_number.at(swept.told.front().number);
    best.cards = {{text_of(swept.value)(first.value), fmt::format("least {}", swept.value), words_of(swept, first),
                   page_name(first.number)}};
  } else {
    best.words.push_back("No point has an answer with a value yet.");
  }
  index.sections.push_back(std::move(best));

  // Along the axes, over pairs of them, against what it costs
  Section pictures{.name = "pictures",
                   .title = "Where it is good",
                   .words = {"At each place the best of all points there is shown."}};
  for (std::size_t x = 0; x < swept.axes.size(); ++x)
    if (const std::optional<Chart> chart = along(swept, x)) pictures.figures.push_back(figure_of(*chart));
  if (!swept.points.empty())
    for (Figure& map : maps_of(swept)) pictures.figures.push_back(std::move(map));
  if (const auto front = front_of(swept.points); !front.empty())
    pictures.figures.push_back(figure_of(front_chart(swept, front)));
  if (!pictures.figures.empty()) index.sections.push_back(std::move(pictures));
  if (!swept.told.empty()) {
    Section points{.name = "points", .title = "The best points, each with its page"};
    points.tables.push_back(std::move(table));
    index.sections.push_back(std::move(points));
  }
  if (!swept.refused.empty()) {
    Section none{.name = "refused", .title = "Points without an answer"};
    Table reasons{.name = "reasons", .title = "Why", .columns = {{"points", true}, {"reason"}}, .rows = {}};
    for (const auto& [reason, count] : std::span(swept.refused).first(std::min(swept.refused.size(), kMostReasons)))
      reasons.rows.push_back({{fmt::format("{}", count), static_cast<double>(count)}, {reason}});
    none.tables.push_back(std::move(reasons));
    index.sections.push_back(std::move(none));
  }
  make_names_unique(index);

  std::vector<Page> pages = {std::move(index)};
  for (const ToldPoint& told : swept.told) pages.push_back(page_of(swept, *by_number.at(told.number), told));
  return pages;
}

}  // namespace helio::report
