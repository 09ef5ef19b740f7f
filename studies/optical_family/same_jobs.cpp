// SPDX-License-Identifier: Apache-2.0
// The same jobs over all of the family.
#include <fmt/format.h>

#include <algorithm>

#include "pipeline/traced/job_stream.h"
#include "pipeline/traffic_comparison.h"
#include "studies/assumption.h"
#include "studies/optical_family/chapters.h"
#include "workload/job_generator.h"

namespace helio::studies::optical_family_study {
namespace {

constexpr int kNodes = 64;
constexpr Job kWhole{kNodes, kNodes}, kQuarter{16, kNodes};
constexpr double kGradient = 4.0 * 143667240;  // bytes: VGG19 in FP32 (papers/oddl.md 4.3)

const RowMaker derived_row{.study = "optical-family", .published = false, .always = {noted(kSameForAll)}};

Assumptions rests_on(const Member& member) {
  Assumptions all{of_our_own(member.words)};
  if (member.change > 0) {
    const std::string text = fmt::format("a path takes {:g} us to change: {}", member.change * 1e6, member.change_from);
    all = all + Assumptions{member.recalled ? from_memory(text) : of_our_own(text)};
  }
  return all;
}

// What is set once for a job is waited for before its first iteration.
std::optional<double> set_once(const Member& member) {
  return member.when == When::kPerJob ? std::optional(0.0) : std::nullopt;
}

// What a formula gives, over an ideal switch; none: only that nobody is quicker than the ideal switch.
struct Formula {
  const char* member;
  double ratio;
  const char* because;
};

Rows rows_of(FamilyRuns& runs, const std::string& name, const std::vector<Phase>& phases, const Job& job,
             const std::vector<Formula>& formulas) {
  Rows rows;
  const double ideal = runs.on_ideal_switch(phases, job);
  for (const Member& one : members()) {
    const auto formula = std::ranges::find(formulas, std::string_view(one.name), &Formula::member);
    const bool known = formula != formulas.end();
    rows.push_back(derived_row(fmt::format("{}: {} over an ideal switch", name, one.name), known ? formula->ratio : 1,
                               runs.seconds(one, phases, job, set_once(one)) / ideal, rests_on(one),
                               known ? formula->because : "nobody is quicker than an ideal switch"));
    rows.back().bounded = !known;
  }
  return rows;
}

}  // namespace

Rows same_phases(FamilyRuns& runs) {
  // Ideal: 2 · 63 pieces of 8.98 MB, 718 us each; 63 flows of 80 us
  const double kPiece = kGradient / kNodes * 8 / kRate, kAll = 2 * 63 * kPiece, kFlow = 80e-6;
  Rows rows = rows_of(runs, "gradient of VGG19, 64 nodes", {{"all-reduce", kGradient}}, kWhole,
                      {{"mesh", 1, "every pair's light carries as much as every other's"},
                       {"TopoOpt-like", 1, "a ring both ways is at the bound"},
                       {"SiP-ML ring", 1 / 0.8, "both ways round all wavelengths are in use, 100 us of 125"},
                       {"SiP-ML switches", 1 + 20e-6 / kAll, "a ring is set once"},
                       {"ODDL", 1 + 837.4e-9 / kAll, "a ring asks and tunes once (papers/oddl.md 2.5)"},
                       {"Sirius-like", 2 / 0.9, "every byte is sent twice, nine tenths of the time"}});
  const Rows large = rows_of(
      runs, "everyone to everyone, 1 MB a pair, 64 nodes", {{"all-to-all", 64e6}}, kWhole,
      {{"mesh", 1, "every pair's light carries as much as every other's"},
       {"TopoOpt-like", 64 * 4 / 63.0,
        "an eighth of what the 8 nodes of a line send passes each link, a quarter of a node's rate"},
       {"SiP-ML switches", 1 + 20 / 80.0, "20 us before each flow of 80 us"},
       {"ODDL", 1 + (837.4e-9 + 62 * 220e-9) / (63 * kFlow), "asks once and tunes between flows (papers/oddl.md 2.5)"},
       {"RotorNet-like", (62 * 200e-6 + 20e-6 + kFlow) / (63 * kFlow), "80 us of the last of 63 slots of 200 us"},
       {"Sirius-like", 2 / 0.9, "every byte is sent twice, nine tenths of the time"}});
  const Rows small =
      rows_of(runs, "everyone to everyone, 1 kB a pair, 64 nodes", {{"all-to-all", 64e3}}, kWhole,
              {{"mesh", 1, "every pair's light carries as much as every other's"},
               {"TopoOpt-like", 64 * 4 / 63.0, "as with 1 MB"},
               {"RotorNet-like", (62 * 200e-6 + 20e-6 + 80e-9) / (63 * 80e-9), "the last of 63 slots of 200 us"},
               {"Sirius-like", 2 / 0.9 + 38.4 / 80, "twice, and a cycle of 63 slots of 38.4 ns"}});
  // Ideal: 2 · 15 pieces of 35.9 MB
  const double kPart = 2 * 15 * kGradient / 16 * 8 / kRate;
  const Rows part =
      rows_of(runs, "gradient of VGG19, 16 of 64 nodes", {{"all-reduce", kGradient}}, kQuarter,
              {{"mesh", 63 / 15.0, "15 of a node's 63 lights lead to nodes of the job"},
               {"TopoOpt-like", 1, "a ring of just these nodes"},
               {"SiP-ML switches", 1 + 20e-6 / kPart, "a ring is set once"},
               {"ODDL", 1 + 837.4e-9 / kPart, "a ring asks and tunes once (papers/oddl.md 2.5)"},
               {"RotorNet-like", 2 / 0.9, "over the nodes of others every byte is sent twice, nine tenths of the time"},
               {"Sirius-like", 2 / 0.9, "every byte is sent twice, nine tenths of the time"}});
  return joined<report::Row>({std::move(rows), part, large, small});
}

Rows same_flows(FamilyRuns& runs) {
  Rows rows;
  const FlowsAsked asked{.sizes = {{1e4, 0.5}, {1e6, 0.9}, {1e7, 1}}, .flows = 1500, .nodes = kNodes, .load = 0.3};
  for (const Member& one : members()) {
    const std::optional<pipeline::FlowResult> found = runs.flows(one, asked);
    if (!found) continue;
    rows.push_back(derived_row(
        fmt::format("flows that nobody foresaw, 64 nodes: {}, mean slowdown", one.name), 1, found->slowdown,
        rests_on(one) + Assumptions{of_our_own("1,500 flows between nodes drawn evenly, half of them of 10 kB, a "
                                               "tenth of 1 to 10 MB, at 0.3 of what all nodes send")},
        "a flow that has a node's rate to itself at once"));
    rows.back().bounded = true;
  }
  return rows;
}

Rows same_log(const std::string& log) {
  struct Place {
    const char* member;
    std::size_t build;  // of the member
  };
  const std::string place = "studies";
  constexpr int kCluster = 1024;
  Settings settings = {{"nodes", {fmt::format("{}", kCluster), place}}, {"nodes_per_gpu", {"4", place}}};
  if (log.empty()) settings["load"] = {"0.7", place};
  const pipeline::JobStream stream = pipeline::stream_of(
      log.empty() ? workload::generate_jobs(2000, 1, 1) : workload::read_job_logs({log}, "", "--log"),
      Parameters("jobs", pipeline::stream_parameters(), settings));
  Rows rows;
  for (const Place& at :
       {Place{"TopoOpt-like", 0}, {"SiP-ML ring", 0}, {"ODDL", 0}, {"RotorNet-like", 1}, {"Sirius-like", 0}}) {
    const Member& one = member(at.member);
    const bool patched = one.when == When::kPerJob;
    pipeline::StreamContender contender{.name = one.name,
                                        .fabric = {one.builds[at.build].fabric, place, {}},
                                        .patched = patched,
                                        .setup_s = patched ? one.change : 0};
    for (const auto& [name, value] : settings_of(one, one.builds[at.build], kCluster, kRate, one.change))
      contender.fabric.settings[name] = {value, place};
    // A patched ring of one way round has all of a node's light
    if (patched) contender.fabric.settings["rate"] = {fmt::format("{} b/s", kRate), place};
    contender.fabric.settings["nodes"] = {fmt::format("{}", kCluster), place};
    const pipeline::StreamComparison found = pipeline::compare_streams(stream, {contender}, BitRate{kRate});
    rows.push_back(derived_row(
        fmt::format("jobs that come and go, 1,024 nodes: {}, running over an ideal switch", one.name), 1,
        found.entries.front().result->slowdown,
        rests_on(one) + Assumptions{of_our_own(fmt::format(
                            "{} jobs of {}, load {:.2f}, 4 nodes a GPU, data-parallel by one ring; docs/job-logs.md",
                            stream.jobs.size(), log.empty() ? "a generator" : "a log", stream.offered()))},
        "nobody is quicker than an ideal switch"));
    rows.back().bounded = true;
  }
  return rows;
}

}  // namespace helio::studies::optical_family_study
