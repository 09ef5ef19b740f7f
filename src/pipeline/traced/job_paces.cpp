// SPDX-License-Identifier: Apache-2.0
#include "pipeline/traced/job_paces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "pipeline/draft.h"
#include "pipeline/iteration.h"

namespace helio::pipeline {
namespace {

constexpr double kStride = 1.25;  // between factors that are run

}  // namespace

JobPaces::JobPaces(Choice fabric, bool own, const RunOptions& options)
    : fabric_(std::move(fabric)), own_(own), options_(options) {
  options_.values = options_.compare = options_.trace = options_.picture = false;
  rate_ = ChosenFabric(fabric_).parameters().rate("rate");
}

const JobPace& JobPaces::run(std::size_t model, std::uint32_t nodes, int stride) {
  const auto [at, fresh] = known_.try_emplace({model, nodes, stride});
  if (!fresh) return at->second;
  const workload::JobModel& trained = workload::job_models().at(model);
  const std::string& place = fabric_.place;

  // As if it stood in a file
  Draft draft;
  draft.source = place;
  draft.fabric = fabric_.settings;
  draft.fabric["name"] = {fabric_.name, place};
  if (own_) draft.fabric["nodes"] = {fmt::format("{}", std::max(nodes, 2u)), place};
  draft.fabric["rate"] = {fmt::format("{:.17g} b/s", rate_.value / std::pow(kStride, stride)), place};
  JobBlock block{.place = place, .keys = {}, .tables = {}};
  for (const auto& [key, value] : {std::pair<const char*, std::string>{"model", trained.name},
                                   {"npus", fmt::format("{}", nodes)},
                                   {"micro_batch", fmt::format("{}", trained.micro_batch)},
                                   {"algorithm", "usual"}})
    block.keys[key] = {value, place};
  if (nodes > 1) block.tables[std::string(kAlgorithmTable)]["dp"] = {"ring", place};
  if (nodes > 1) block.keys.erase("algorithm");
  draft.jobs.push_back(std::move(block));
  const IterationResult result = run_jobs(interpret(draft), options_).front();
  at->second.iteration_s = result.time_s;
  for (const LinkClass& links : result.links) at->second.duty = std::max(at->second.duty, links.most);
  return at->second;
}

double JobPaces::iteration_s(std::size_t model, std::uint32_t nodes, double slower) {
  assert(slower > 0 && "something moves");
  const double exact = std::log(slower) / std::log(kStride);
  const int below = static_cast<int>(std::floor(exact + 1e-9));
  const double low = std::pow(kStride, below);
  const double at_low = run(model, nodes, below).iteration_s;
  if (slower <= low * (1 + 1e-9)) return at_low;
  const double part = (slower - low) / (low * (kStride - 1));
  return at_low + part * (run(model, nodes, below + 1).iteration_s - at_low);
}

}  // namespace helio::pipeline
