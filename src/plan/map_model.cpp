// SPDX-License-Identifier: Apache-2.0
#include "plan/map_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/units.h"

namespace helio::plan {
namespace {

using pipeline::ModelMap;

struct Built {
  double time, watts, cost, npus;
};
Built built(const ModelMap& map, const std::pair<std::size_t, std::size_t>& where) {
  const pipeline::ModelPlan& plan = map.cells[where.first];
  const pipeline::Candidate& one = plan.runs[where.second].candidate;
  return {one.time_s, one.watts.middle(), one.cost.middle(), static_cast<double>(plan.npus)};
}
bool dominates(const Built& a, const Built& b) {
  return a.time <= b.time && a.watts <= b.watts && a.cost <= b.cost && a.npus <= b.npus &&
         (a.time < b.time || a.watts < b.watts || a.cost < b.cost || a.npus < b.npus);
}

}  // namespace

ModelMap map_model(const std::vector<PlanQuestion>& cells, const std::vector<double>& batches,
                   const pipeline::RunOptions& options,
                   const std::function<void(std::size_t, const std::string&)>& begin) {
  ModelMap map;
  map.batches = batches;
  std::optional<Error> nobody;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    PlanQuestion question = cells[i];
    const auto npus = static_cast<std::uint64_t>(
        parse_integer(question.fabrics.contenders.front().experiment.fabric.settings.at("nodes").text));
    if (i % batches.size() == 0) map.npus.push_back(npus);
    if (begin) begin(i, fmt::format("{} NPUs, a batch of {:g}", npus, question.batch));
    map.reasons.emplace_back();
    try {
      map.cells.push_back(plan_model(question, options));
      if (map.model.empty()) {
        map.model = map.cells.back().model;
        map.npu = map.cells.back().npu;
        map.footing = map.cells.back().footing;
      }
    } catch (const Error& error) {  // a batch that these do not divide is no mistake of who asks for many
      if (error.kind() != ErrorKind::kInfeasible && error.place() != question.space_place) throw;
      if (!nobody) nobody = error;
      pipeline::ModelPlan empty;
      empty.npus = npus;
      empty.batch = question.batch;
      map.cells.push_back(std::move(empty));
      map.reasons.back() = error.message();
    }
  }
  if (map.model.empty()) throw *nobody;

  // Of each batch, what nothing beats in everything
  for (std::size_t column = 0; column < batches.size(); ++column) {
    std::vector<std::pair<std::size_t, std::size_t>> all;
    for (std::size_t i = column; i < map.cells.size(); i += batches.size())
      for (const std::size_t run : map.cells[i].best_of_family) all.emplace_back(i, run);
    for (const auto& one : all)
      if (std::ranges::none_of(all, [&](const auto& other) { return dominates(built(map, other), built(map, one)); }))
        map.front.push_back(one);
  }
  return map;
}

}  // namespace helio::plan
