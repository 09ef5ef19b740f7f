// SPDX-License-Identifier: Apache-2.0
#include "report/json/collective_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/json_dump.h"
#include "base/units.h"
#include "base/visible.h"
#include "report/figures/chart.h"
#include "report/json/comparison.h"
#include "report/text/bill_text.h"
#include "report/text/table_text.h"

namespace helio::report {

using pipeline::Candidate;
using pipeline::CollectiveMap;
using pipeline::Comparison;

namespace {

Bytes size_of(const CollectiveMap& map, std::size_t cell) { return map.sizes[cell % map.sizes.size()]; }

const Candidate* who(const Comparison& cell, const std::optional<std::size_t>& index) {
  return index ? &cell.candidates[*index] : nullptr;
}

// By how much the runner-up takes longer.
std::optional<double> margin_of(const Comparison& cell) {
  const Candidate *first = who(cell, cell.winner), *second = who(cell, cell.runner_up);
  if (!second) return std::nullopt;
  return second->time_s / first->time_s - 1;
}

// Of all cells, who wins most of them; the earlier name of those that win as many.
std::string winner_of(const CollectiveMap& map) {
  std::map<std::string, int> won;
  for (const Comparison& cell : map.cells)
    if (const Candidate* winner = who(cell, cell.winner)) ++won[winner->title];
  return std::ranges::max_element(won, {}, [](const auto& entry) { return entry.second; })->first;
}

std::string seconds(double time) { return format(Time::seconds(time)); }

std::string switching_words(const pipeline::Switching& at) {
  return fmt::format("{} nodes: {} up to {}, then {}", at.nodes, shown(at.below), format(Bytes{at.value}),
                     shown(at.above));
}

// A mark for each cell in the colour of who wins it.
Chart winners_chart(const CollectiveMap& map) {
  Chart chart{.name = "map",
              .title = "Who wins",
              .x_label = "bytes",
              .y_label = "nodes",
              .log_x = true,
              .log_y = true,
              .words = "Who wins at each size and number of nodes."};
  std::map<std::string, Series> by_winner;
  for (std::size_t i = 0; i < map.cells.size(); ++i)
    if (const Candidate* winner = who(map.cells[i], map.cells[i].winner)) {
      Series& series = by_winner[winner->title];
      series.name = winner->title;
      series.joined = false;
      series.points.emplace_back(size_of(map, i).value, static_cast<double>(map.cells[i].nodes));
      series.labels.push_back(seconds(winner->time_s));
    }
  for (auto& [title, series] : by_winner) chart.series.push_back(std::move(series));
  return chart;
}

}  // namespace

std::string to_json(const CollectiveMap& map) {
  Json json = {{"question", map.kind},
               {"injection_bps", map.footing.injection ? number(map.footing.injection->value) : Json(nullptr)},
               {"latency_s", map.footing.latency ? number(map.footing.latency->to_seconds()) : Json(nullptr)},
               {"overhead_s", map.footing.overhead ? number(map.footing.overhead->to_seconds()) : Json(nullptr)},
               {"map", Json::array()},
               {"candidates", Json::array()}};
  for (std::size_t i = 0; i < map.cells.size(); ++i) {
    const Comparison& cell = map.cells[i];
    const Candidate *first = who(cell, cell.winner), *second = who(cell, cell.runner_up);
    const std::optional<double> margin = margin_of(cell);
    const Json bytes = number(size_of(map, i).value);
    json["map"].push_back({{"nodes", cell.nodes},
                           {"bytes", bytes},
                           {"winner", first ? Json(first->title) : Json(nullptr)},
                           {"algorithm", first ? Json(first->algorithm) : Json(nullptr)},
                           {"time_s", first ? Json(first->time_s) : Json(nullptr)},
                           {"runner_up", second ? Json(second->title) : Json(nullptr)},
                           {"margin", margin ? Json(*margin) : Json(nullptr)}});
    for (const Candidate& candidate : cell.candidates) {
      Json one = {{"nodes", cell.nodes}, {"bytes", bytes}};
      one.update(candidate_json(candidate));
      json["candidates"].push_back(std::move(one));
    }
  }
  json["winner"] = winner_of(map);
  json["gap"] = 0;  // all of them ran
  json["switching"] = Json::array();
  for (const pipeline::Switching& at : map.switching)
    json["switching"].push_back({{"parameter", at.parameter},
                                 {"value", number(at.value)},
                                 {"nodes", at.nodes},
                                 {"below", at.below},
                                 {"above", at.above}});
  json["not_searched"] = map.not_searched;
  return json_dump(json, 2) + "\n";
}

std::string to_text(const CollectiveMap& map, const Look& look) {
  std::string text = fmt::format("the best fabric for {}\n  {}\n\n", map.kind, in_words(map.footing));

  // Who wins where
  std::vector<std::vector<std::string>> rows(1, {"nodes"});
  for (const Bytes bytes : map.sizes) rows[0].push_back(format(bytes));
  for (std::size_t i = 0; i < map.cells.size(); ++i) {
    if (i % map.sizes.size() == 0) rows.push_back({fmt::format("{}", map.cells[i].nodes)});
    const Candidate* first = who(map.cells[i], map.cells[i].winner);
    rows.back().push_back(first ? fmt::format("{} {}", shown(first->title), seconds(first->time_s)) : "nobody");
  }
  text += table_of(rows, {0}, look);

  // And by what
  rows.assign(1, {"nodes", "bytes", "winner", "time", "x bound", "algorithm", "value error", "W", "runner-up"});
  for (std::size_t i = 0; i < map.cells.size(); ++i) {
    const Comparison& cell = map.cells[i];
    const Candidate *first = who(cell, cell.winner), *second = who(cell, cell.runner_up);
    if (!first) continue;
    rows.push_back({fmt::format("{}", cell.nodes), format(size_of(map, i)), shown(first->title), seconds(first->time_s),
                    first->bound_s > 0 ? fmt::format("{:.3f}", first->time_s / first->bound_s) : "-", first->algorithm,
                    first->value_error ? fmt::format("{:.2g}", *first->value_error) : "exact", in_words(first->watts),
                    second ? fmt::format("{}, {:.3g} % longer", shown(second->title), 100 * *margin_of(cell)) : "-"});
  }
  text += "\n" + table_of(rows, {0, 1, 3, 4, 6, 7}, look);
  if (!map.switching.empty()) text += "\n  the winner changes\n";
  for (const pipeline::Switching& at : map.switching) text += fmt::format("    {}\n", switching_words(at));
  text += "\n  not searched\n";
  for (const std::string& what : map.not_searched) text += fmt::format("    {}\n", what);
  return text;
}

Page page_of(const CollectiveMap& map) {
  Page page{.title = fmt::format("Which network for {}?", map.kind), .lead = in_words(map.footing)};
  Section best{.name = "best", .title = "Who is best where"};
  Table winners{.name = "winners", .title = "The fastest of each cell", .columns = {{"nodes", true}}, .rows = {}};
  for (const Bytes bytes : map.sizes) winners.columns.push_back({format(bytes)});
  Table all{.name = "all",
            .title = "Everything that was judged",
            .columns = {{"nodes", true},
                        {"bytes", true},
                        {"fabric"},
                        {"algorithm"},
                        {"time", true},
                        {"bound", true},
                        {"value error", true},
                        {"W", true},
                        {"USD", true},
                        {"why"}},
            .rows = {}};
  const std::size_t columns = map.sizes.size();
  for (std::size_t i = 0; i < map.cells.size(); ++i) {
    const Comparison& cell = map.cells[i];
    const Cell nodes{fmt::format("{}", cell.nodes), static_cast<double>(cell.nodes)};
    if (i % columns == 0) winners.rows.push_back({nodes});
    const Candidate* first = who(cell, cell.winner);
    winners.rows.back().push_back(
        {first ? fmt::format("{}, {}", first->title, seconds(first->time_s)) : std::string("nobody")});
    for (const Candidate& one : cell.candidates) {
      const Cell bytes{format(size_of(map, i)), size_of(map, i).value};
      if (one.feasible)
        all.rows.push_back({nodes,
                            bytes,
                            {one.title},
                            {one.algorithm},
                            {seconds(one.time_s), one.time_s},
                            {seconds(one.bound_s), one.bound_s},
                            {fmt::format("{:.2g}", one.value_error.value_or(0)), one.value_error.value_or(0)},
                            {in_words(one.watts), one.watts.middle()},
                            {in_words(one.cost), one.cost.middle()},
                            {one.why}});
      else
        all.rows.push_back({nodes, bytes, {one.title}, {"-"}, {"-"}, {"-"}, {"-"}, {"-"}, {"-"}, {one.reason.text()}});
    }
  }
  best.figures.push_back(figure_of(winners_chart(map)));
  best.tables.push_back(std::move(winners));
  for (const pipeline::Switching& at : map.switching) best.words.push_back(switching_words(at) + ".");
  page.sections.push_back(std::move(best));

  // Time over size, a chart for each number of nodes
  Section over{.name = "times", .title = "Time over size"};
  for (std::size_t row = 0; row < map.nodes.size(); ++row) {
    Chart chart{.name = fmt::format("nodes-{}", map.nodes[row]),
                .title = fmt::format("{} on {} nodes", map.kind, map.nodes[row]),
                .x_label = "bytes",
                .y_label = "time (s)",
                .log_x = true,
                .log_y = true};
    for (std::size_t k = 0; k < map.cells[row * columns].candidates.size(); ++k) {
      Series series{.name = map.cells[row * columns].candidates[k].title};
      for (std::size_t column = 0; column < columns; ++column)
        if (const Candidate& one = map.cells[row * columns + column].candidates[k]; one.feasible)
          series.points.emplace_back(map.sizes[column].value, one.time_s);
      if (!series.points.empty()) chart.series.push_back(std::move(series));
    }
    over.figures.push_back(figure_of(chart));
  }
  page.sections.push_back(std::move(over));
  Section everything{.name = "everything", .title = "Everything that was judged"};
  everything.tables.push_back(std::move(all));
  for (const std::string& what : map.not_searched) everything.words.push_back("Not searched: " + what + ".");
  page.sections.push_back(std::move(everything));
  make_names_unique(page);
  return page;
}

}  // namespace helio::report
