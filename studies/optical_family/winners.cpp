// SPDX-License-Identifier: Apache-2.0
#include "studies/optical_family/winners.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace helio::studies::optical_family_study {
namespace {

constexpr int kMapFlows = 300;
constexpr double kMapLoad = 0.3;

// RotorNet and Sirius are one calendar at two times of changing; RotorNet's traffic may go both ways.
std::vector<const Member*> compared(bool flows) {
  std::vector<const Member*> some;
  for (const Member& one : members())
    if (std::string(one.name) != "Sirius-like" && (!flows || one.builds.front().flows)) some.push_back(&one);
  return some;
}

template <class Seconds>
Map map_of(std::vector<const Member*> of, const Seconds& seconds) {
  Map map{.compared = std::move(of), .cells = {}};
  for (const double bytes : kMapSizes)
    for (const double change : kMapChanges) {
      Cell& cell = map.cells.emplace_back(Cell{.bytes = bytes, .change = change});
      for (const Member* one : map.compared) cell.all.push_back(seconds(*one, bytes, change));
      const double least = *std::ranges::min_element(cell.all);
      for (std::size_t i = 0; !cell.winner; ++i)
        if (cell.all[i] <= kTie * least) cell.winner = map.compared[i], cell.seconds = cell.all[i];
    }
  return map;
}

}  // namespace

const Cell& Map::at(double bytes, double change) const {
  const auto found =
      std::ranges::find_if(cells, [&](const Cell& cell) { return cell.bytes == bytes && cell.change == change; });
  assert(found != cells.end() && "a cell of the map");
  return *found;
}

Map phases_map(FamilyRuns& runs) {
  return map_of(compared(false), [&](const Member& one, double bytes, double change) {
    return runs.seconds(one, {{"all-reduce", kMapJob.nodes * bytes}, {"all-to-all", kMapJob.nodes * bytes}}, kMapJob,
                        change);
  });
}

Map flows_map(FamilyRuns& runs) {
  return map_of(compared(true), [&](const Member& one, double bytes, double change) {
    const auto found =
        runs.flows(one, {.sizes = {{bytes, 1}}, .flows = kMapFlows, .nodes = kMapNodes, .load = kMapLoad}, change);
    return found ? found->flows.mean_s + (one.when == When::kPerJob ? change / kIterations : 0)
                 : std::numeric_limits<double>::infinity();
  });
}

}  // namespace helio::studies::optical_family_study
