// SPDX-License-Identifier: Apache-2.0
// The two axes and the winners, in rows, in pictures and in words.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "studies/assumption.h"
#include "studies/optical_family/chapters.h"

namespace helio::studies::optical_family_study {
namespace {

using report::Chart;
using report::Series;

Chart axes() {
  Chart chart{.name = "optical-family-axes",
              .title = "The family on two axes: when a path changes, and who decides",
              .x_label = "when: 1 never, 2 per job, 3 per phase, 4 per flow, 5 per slot",
              .y_label = "who: 1 nobody, 2 a planner, 3 one for all, 4 each receiver"};
  std::map<std::pair<int, int>, int> there;
  for (const Member& one : members()) {
    const int x = 1 + static_cast<int>(one.when), y = 1 + static_cast<int>(one.who), before = there[{x, y}]++;
    chart.series.push_back({.name = one.name,
                            .points = {{x + 0.15 * before, static_cast<double>(y)}},
                            .joined = false,
                            .labels = {fmt::format("{}: {}, {}", one.name, name_of(one.when), name_of(one.who))}});
  }
  return chart;
}

Chart winners(const Map& map, const char* name, const char* title) {
  Chart chart{.name = name,
              .title = title,
              .x_label = "bytes of a flow",
              .y_label = "time that a path takes to change (s)",
              .log_x = true,
              .log_y = true};
  for (const Member* one : map.compared) {
    Series series{.name = one->name, .joined = false};
    for (const Cell& cell : map.cells)
      if (cell.winner == one) {
        series.points.emplace_back(cell.bytes, cell.change);
        series.labels.push_back(fmt::format("{}: {:.3g} s", one->name, cell.seconds));
      }
    if (!series.points.empty()) chart.series.push_back(std::move(series));
  }
  return chart;
}

int cells_of(const Map& map, const char* name) {
  return static_cast<int>(std::ranges::count(map.cells, std::string_view(name),
                                             [](const Cell& cell) { return std::string_view(cell.winner->name); }));
}

std::string told(const Map& map) {
  std::string text;
  for (const Member* one : map.compared)
    if (const int cells = cells_of(map, one->name); cells > 0)
      text += fmt::format("{}{} in {}", text.empty() ? "" : ", ", one->name, cells);
  return fmt::format("{} of {} cells", text, map.cells.size());
}

}  // namespace

std::vector<Chart> charts(const Map& phases, const Map& flows) {
  return {axes(),
          winners(phases, "optical-family-phases",
                  "Who is quickest: a job of 16 of 64 nodes, all-reduce and everyone to everyone in every iteration"),
          winners(flows, "optical-family-flows",
                  "Who is quickest: flows that nobody foresaw, 32 nodes at 0.3 of what they send")};
}

// Where the paths of two are equally quick to change, the formulas of both meet at a flow that takes as long as what the one saves.
Rows map_rows(const Map& phases, const Map& flows) {
  const RowMaker derived{.study = "optical-family", .published = false, .always = {noted(kSameForAll)}};
  const auto slower = [](const Map& map, const char* name, double bytes, double change) {
    const Cell& cell = map.at(bytes, change);
    for (std::size_t i = 0; i < map.compared.size(); ++i)
      if (std::string_view(map.compared[i]->name) == name) return cell.all[i];
    return 0.0;
  };
  const Assumptions job{
      of_our_own("16 of 64 nodes; an all-reduce in 16 pieces and as much for each other node, 1,000 times")};
  Rows rows;
  // 1 MB is 80 us. ODDL: a ring of 30 rounds, asked for and tuned once, and 15 flows, of which each is dark for 1 ms; patched: 30 rounds, and
  // an eighth of 4 x 16 flows over a quarter of the rate, and a thousandth of 1 ms
  rows.push_back(derived("an iteration with flows of 1 MB and changes of 1 ms: ODDL (ms)",
                         1e3 * (45 * 80e-6 + 16 * 1e-3), 1e3 * slower(phases, "ODDL", 1e6, 1e-3), job,
                         "30 + 15 flows of 80 us, 1 + 15 changes (papers/oddl.md 2.5)"));
  rows.push_back(derived("an iteration with flows of 1 MB and changes of 1 ms: TopoOpt-like (ms)",
                         1e3 * (30 * 80e-6 + 16 * 80e-6 * 2 + 1e-6), 1e3 * slower(phases, "TopoOpt-like", 1e6, 1e-3),
                         job,
                         "a torus of 4x4: all-reduce at the bound; half of a node's 16 flows on each of four links"));
  rows.push_back(
      derived("flows of 100 MB that nobody foresaw, changes of 1 us: mean time on the mesh over that on ODDL", 31,
              slower(flows, "mesh", 1e8, 1e-6) / slower(flows, "ODDL", 1e8, 1e-6),
              {of_our_own("300 flows between 32 nodes drawn evenly, at 0.3 of what all nodes send")},
              "a pair has one of 31 lights; on ODDL flows wait for each other, which is left out"));
  return rows;
}

std::vector<report::Headline> headlines() {
  return {{"gradient of VGG19, 64 nodes: ODDL over an ideal switch", "all-reduce of VGG19 on ODDL over an ideal switch",
           ""},
          {"gradient of VGG19, 16 of 64 nodes: mesh over an ideal switch",
           "a job on a quarter of a static mesh over an ideal switch", ""}};
}

std::vector<std::string> words(const Map& phases, const Map& flows) {
  return {fmt::format("Phases that are known beforehand, quickest by flow size and time to change: {}.", told(phases)),
          fmt::format("Flows that nobody foresaw: {}.", told(flows)),
          "Of those within 2 % of the quickest the one is named whose paths change least and are decided most simply."};
}

}  // namespace helio::studies::optical_family_study
