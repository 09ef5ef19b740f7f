// SPDX-License-Identifier: Apache-2.0
#include "plan/map_collective.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/units.h"

namespace helio::plan {
namespace {

using pipeline::Comparison;

// Which of two takes less of so many bytes; nobody where one of them cannot.
std::optional<bool> first_wins(const MapQuestion& question, std::uint64_t nodes, Bytes bytes,
                               const fabric::Footing& footing, std::size_t first, std::size_t second,
                               const pipeline::RunOptions& options) {
  const CompareQuestion asked = question.at(nodes, bytes);
  Comparison scratch{.title = {}, .footing = footing};
  const pipeline::Candidate a = judged(asked.contenders[first], asked, footing, options, scratch);
  const pipeline::Candidate b = judged(asked.contenders[second], asked, footing, options, scratch);
  if (!a.feasible || !b.feasible) return std::nullopt;
  return a.time_s <= b.time_s;
}

}  // namespace

pipeline::CollectiveMap map_collective(const MapQuestion& question, const pipeline::RunOptions& options,
                                       const std::function<void(std::size_t, const std::string&)>& begin) {
  pipeline::CollectiveMap map{.kind = question.kind,
                              .footing = {},
                              .nodes = question.nodes,
                              .sizes = question.sizes,
                              .cells = {},
                              .switching = {},
                              .not_searched = question.not_searched};
  pipeline::RunOptions quick = options;
  quick.values = false;

  // Every cell
  std::optional<Error> nobody;
  for (const std::uint64_t nodes : question.nodes)
    for (const Bytes bytes : question.sizes) {
      if (begin) begin(map.cells.size(), fmt::format("{} nodes, {}", nodes, format(bytes)));
      CompareQuestion asked = question.at(nodes, bytes);
      if (!map.cells.empty()) asked.footing = map.footing;  // settled once, for all cells
      Comparison cell{.title = asked.title, .nodes = 0, .footing = settled(asked), .most_error = asked.most_error};
      map.footing = cell.footing;
      for (const Contender& contender : asked.contenders)
        cell.candidates.push_back(judged(contender, asked, cell.footing, options, cell));
      try {
        rank(cell);
      } catch (const Error& error) {
        if (!nobody) nobody = error;
      }
      cell.nodes = nodes;
      map.cells.push_back(std::move(cell));
    }
  if (std::ranges::none_of(map.cells, [](const Comparison& cell) { return cell.winner.has_value(); })) throw *nobody;

  // Where the winner changes
  const std::size_t columns = question.sizes.size();
  for (std::size_t i = 0; i + 1 < map.cells.size(); ++i) {
    const Comparison &left = map.cells[i], &right = map.cells[i + 1];
    if ((i + 1) % columns == 0 || !left.winner || !right.winner || left.winner == right.winner) continue;
    const double value =
        change_between(question.sizes[i % columns].value, question.sizes[i % columns + 1].value, [&](double middle) {
          return first_wins(question, left.nodes, {middle}, map.footing, *left.winner, *right.winner, quick);
        });
    map.switching.push_back({.parameter = "bytes",
                             .value = value,
                             .nodes = left.nodes,
                             .below = left.candidates[*left.winner].title,
                             .above = right.candidates[*right.winner].title});
  }
  return map;
}

}  // namespace helio::plan
