// SPDX-License-Identifier: Apache-2.0
#include "report/json/model_map.h"

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
using pipeline::ModelMap;
using pipeline::ModelPlan;
using pipeline::PlannedRun;

namespace {

std::string seconds(double time) { return format(Time::seconds(time)); }

const PlannedRun* winner_of(const ModelPlan& cell) { return cell.runs.empty() ? nullptr : &cell.runs.front(); }
// The best of another fabric.
const PlannedRun* next_of(const ModelPlan& cell) {
  return cell.best_of_family.size() > 1 ? &cell.runs[cell.best_of_family[1]] : nullptr;
}

// Who wins most cells; the earlier name of those that win as many.
std::string most_of(const ModelMap& map) {
  std::map<std::string, int> won;
  for (const ModelPlan& cell : map.cells)
    if (const PlannedRun* winner = winner_of(cell)) ++won[winner->candidate.title];
  return std::ranges::max_element(won, {}, [](const auto& entry) { return entry.second; })->first;
}

std::string batch_words(double batch) { return fmt::format("{:g}", batch); }

}  // namespace

std::string to_json(const ModelMap& map) {
  Json json = {{"model", map.model},
               {"npu", map.npu},
               {"injection_bps", map.footing.injection ? number(map.footing.injection->value) : Json(nullptr)},
               {"latency_s", map.footing.latency ? number(map.footing.latency->to_seconds()) : Json(nullptr)},
               {"overhead_s", map.footing.overhead ? number(map.footing.overhead->to_seconds()) : Json(nullptr)},
               {"map", Json::array()},
               {"candidates", Json::array()}};
  double gap = 0;
  for (std::size_t i = 0; i < map.cells.size(); ++i) {
    const ModelPlan& cell = map.cells[i];
    const PlannedRun *first = winner_of(cell), *next = next_of(cell);
    gap = std::max(gap, cell.gap);
    json["map"].push_back(
        {{"npus", cell.npus},
         {"batch", number(cell.batch)},
         {"winner", first ? Json(first->candidate.title) : Json(nullptr)},
         {"strategy", first ? Json(first->candidate.strategy) : Json(nullptr)},
         {"time_s", first ? Json(first->candidate.time_s) : Json(nullptr)},
         {"samples_per_s", first ? Json(first->samples_per_s) : Json(nullptr)},
         {"runner_up", next ? Json(next->candidate.title) : Json(nullptr)},
         {"margin", next ? Json(next->candidate.time_s / first->candidate.time_s - 1) : Json(nullptr)},
         {"gap", first ? Json(cell.gap) : Json(nullptr)},
         {"reason", map.reasons[i]}});
    for (const std::size_t run : cell.best_of_family) {
      Json one = {{"npus", cell.npus}, {"batch", number(cell.batch)}};
      one.update(candidate_json(cell.runs[run].candidate));
      json["candidates"].push_back(std::move(one));
    }
  }
  json["winner"] = most_of(map);
  json["gap"] = gap;
  json["front"] = Json::array();
  for (const auto& [cell, run] : map.front) {
    const Candidate& one = map.cells[cell].runs[run].candidate;
    json["front"].push_back({{"npus", map.cells[cell].npus},
                             {"batch", number(map.cells[cell].batch)},
                             {"fabric", one.title},
                             {"time_s", one.time_s},
                             {"watts", number(one.watts.middle())},
                             {"cost", number(one.cost.middle())}});
  }
  add_switching(json, {}, {});
  json["defaults"] = map.defaults;
  json["not_searched"] = map.not_searched;
  return json_dump(json, 2) + "\n";
}

std::string to_text(const ModelMap& map, const Look& look) {
  std::string text =
      fmt::format("{} on {}, over numbers of NPUs and batches\n  {}\n", map.model, map.npu, in_words(map.footing));
  for (const std::string& words : map.defaults) text += fmt::format("  default      {}\n", words);

  // Who wins where
  const std::size_t columns = map.batches.size();
  std::vector<std::vector<std::string>> rows(1, {"NPUs"});
  for (const double batch : map.batches) rows[0].push_back(batch_words(batch));
  for (std::size_t i = 0; i < map.cells.size(); ++i) {
    if (i % columns == 0) rows.push_back({fmt::format("{}", map.cells[i].npus)});
    const PlannedRun* winner = winner_of(map.cells[i]);
    rows.back().push_back(
        winner ? fmt::format("{} {}", shown(winner->candidate.title), seconds(winner->candidate.time_s)) : "nobody");
  }
  text += "\n" + table_of(rows, {0}, look);

  // And how
  rows.assign(1, {"NPUs", "batch", "winner", "time", "samples/s", "gap", "runner-up", "strategy"});
  for (std::size_t i = 0; i < map.cells.size(); ++i) {
    const ModelPlan& cell = map.cells[i];
    const PlannedRun *first = winner_of(cell), *next = next_of(cell);
    if (!first) {
      text += fmt::format("  {} NPUs, a batch of {}: {}\n", cell.npus, batch_words(cell.batch), shown(map.reasons[i]));
      continue;
    }
    rows.push_back({fmt::format("{}", cell.npus), batch_words(cell.batch), shown(first->candidate.title),
                    seconds(first->candidate.time_s), fmt::format("{:.4g}", first->samples_per_s),
                    fmt::format("{:.3g} %", 100 * cell.gap),
                    next ? fmt::format("{}, {:.3g} % longer", shown(next->candidate.title),
                                       100 * (next->candidate.time_s / first->candidate.time_s - 1))
                         : "-",
                    first->candidate.strategy});
  }
  text += "\n" + table_of(rows, {0, 1, 3, 4, 5}, look);

  text += "\n  of each batch, what nothing beats in time, watts, cost and NPUs at once\n";
  rows.assign(1, {"batch", "NPUs", "fabric", "time", "W", "USD"});
  for (const auto& [cell, run] : map.front) {
    const Candidate& one = map.cells[cell].runs[run].candidate;
    rows.push_back({batch_words(map.cells[cell].batch), fmt::format("{}", map.cells[cell].npus), shown(one.title),
                    seconds(one.time_s), in_words(one.watts), in_words(one.cost)});
  }
  text += table_of(rows, {0, 1, 3, 4, 5}, look) + "\n  not searched\n";
  for (const std::string& what : map.not_searched) text += fmt::format("    {}\n", what);
  return text;
}

Page page_of(const ModelMap& map) {
  Page page{.title = fmt::format("Which machine for {}, of which size?", map.model), .lead = in_words(map.footing)};
  Section best{.name = "best", .title = "Who is best where"};
  Table winners{.name = "winners", .title = "The fastest of each cell", .columns = {{"NPUs", true}}, .rows = {}};
  for (const double batch : map.batches) winners.columns.push_back({"batch " + batch_words(batch)});

  // The map: a mark in the colour of who wins
  Chart chart{.name = "map",
              .title = "Who wins",
              .x_label = "batch",
              .y_label = "NPUs",
              .log_x = true,
              .log_y = true,
              .words = "Who wins at each batch and number of NPUs."};
  std::map<std::string, Series> by_winner;
  for (std::size_t i = 0; i < map.cells.size(); ++i) {
    const ModelPlan& cell = map.cells[i];
    const auto npus = static_cast<double>(cell.npus);
    if (i % map.batches.size() == 0) winners.rows.push_back({{fmt::format("{}", cell.npus), npus}});
    const PlannedRun* winner = winner_of(cell);
    if (!winner) {
      winners.rows.back().push_back({"nobody: " + map.reasons[i]});
      continue;
    }
    const Candidate& one = winner->candidate;
    winners.rows.back().push_back({fmt::format("{}, {}: {}", one.title, seconds(one.time_s), one.strategy)});
    Series& series = by_winner[one.title];
    series.name = one.title;
    series.joined = false;
    series.points.emplace_back(cell.batch, npus);
    series.labels.push_back(seconds(one.time_s));
  }
  for (auto& [title, series] : by_winner) chart.series.push_back(std::move(series));
  best.figures.push_back(figure_of(chart));
  best.tables.push_back(std::move(winners));
  page.sections.push_back(std::move(best));

  Section everything{.name = "everything", .title = "The best of each fabric in each cell"};
  Table all{.name = "all",
            .title = "Cell by cell",
            .columns = {{"NPUs", true},
                        {"batch", true},
                        {"fabric"},
                        {"time", true},
                        {"bound", true},
                        {"W", true},
                        {"USD", true},
                        {"strategy"},
                        {"why"}},
            .rows = {}};
  for (const ModelPlan& cell : map.cells)
    for (const std::size_t run : cell.best_of_family) {
      const Candidate& one = cell.runs[run].candidate;
      all.rows.push_back({{fmt::format("{}", cell.npus), static_cast<double>(cell.npus)},
                          {batch_words(cell.batch), cell.batch},
                          {one.title},
                          {seconds(one.time_s), one.time_s},
                          {seconds(one.bound_s), one.bound_s},
                          {in_words(one.watts), one.watts.middle()},
                          {in_words(one.cost), one.cost.middle()},
                          {one.strategy},
                          {one.why}});
    }
  everything.tables.push_back(std::move(all));
  for (const std::string& what : map.not_searched) everything.words.push_back("Not searched: " + what + ".");
  page.sections.push_back(std::move(everything));
  make_names_unique(page);
  return page;
}

}  // namespace helio::report
