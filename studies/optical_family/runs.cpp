// SPDX-License-Identifier: Apache-2.0
#include "studies/optical_family/runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "workload/flow_trace.h"

namespace helio::studies::optical_family_study {
namespace {

const std::string kPlace = "studies";

// "0,1,2"
std::string first_nodes(int count) {
  std::vector<int> nodes(static_cast<std::size_t>(count));
  std::iota(nodes.begin(), nodes.end(), 0);
  return fmt::format("{}", fmt::join(nodes, ","));
}

}  // namespace

double FamilyRuns::phase(const Build& build, const Words& settings, const Phase& phase, const Job& job) {
  const std::string kind = phase.kind;
  Question question{
      .fabric = build.fabric, .settings = settings, .bytes = phase.bytes, .nodes = job.cluster, .kind = kind};
  if (job.nodes < job.cluster) question.keys["groups"] = first_nodes(job.nodes);
  double least = std::numeric_limits<double>::infinity();
  const std::vector<const char*> exchange = {"direct"};
  for (const char* algorithm : kind == "all-to-all" ? exchange : build.all_reduces) {
    question.algorithm = algorithm;
    least = std::min(least, runs_(question).seconds);
  }
  return least;
}

double FamilyRuns::seconds(const Member& member, const std::vector<Phase>& phases, const Job& job,
                           std::optional<double> change) {
  const double takes = change.value_or(member.change);
  const bool own = member.when == When::kPerJob;
  const Job here{job.nodes, own ? job.nodes : job.cluster};
  double least = std::numeric_limits<double>::infinity();
  for (const Build& build : member.builds) {
    const Words settings = settings_of(member, build, here.cluster, kRate, takes);
    double sum = own ? takes / kIterations : 0;
    for (const Phase& one : phases) sum += phase(build, settings, one, here);
    least = std::min(least, sum);
  }
  return least;
}

double FamilyRuns::on_ideal_switch(const std::vector<Phase>& phases, const Job& job) {
  const Build ideal{.fabric = "switch", .all_reduces = {"ring", "halving-doubling"}};
  double sum = 0;
  for (const Phase& one : phases)
    sum += phase(ideal, {{"latency", "0 s"}, {"rate", fmt::format("{} b/s", kRate)}}, one, {job.nodes, job.nodes});
  return sum;
}

std::optional<pipeline::FlowResult> FamilyRuns::flows(const Member& member, const FlowsAsked& asked,
                                                      std::optional<double> change) {
  const workload::FlowTrace trace = workload::draw_flows(
      {.source = "sizes of the study", .rows = asked.sizes}, static_cast<std::uint64_t>(asked.flows),
      static_cast<std::uint32_t>(asked.nodes), BitRate{kRate}, asked.load, 1);
  std::optional<pipeline::FlowResult> best;
  for (const Build& build : member.builds) {
    if (!build.flows) continue;
    pipeline::Choice fabric{build.fabric, kPlace, {{"nodes", {fmt::format("{}", asked.nodes), kPlace}}}};
    for (const auto& [name, value] : settings_of(member, build, asked.nodes, kRate, change.value_or(member.change)))
      fabric.settings[name] = {value, kPlace};
    pipeline::FlowResult result = pipeline::run_flows(trace, fabric);
    if (!best || result.flows.mean_s < best->flows.mean_s) best = std::move(result);
  }
  return best;
}

}  // namespace helio::studies::optical_family_study
