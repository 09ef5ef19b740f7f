// SPDX-License-Identifier: Apache-2.0
#include "ask/job_stream.h"

#include <fmt/format.h>

#include <algorithm>

#include "ask/fabric_words.h"
#include "base/error.h"
#include "pipeline/traffic_comparison.h"
#include "workload/job_generator.h"

namespace helio::ask {
namespace {

constexpr const char* kPatchPanel = "patch-panel";
constexpr const char* kUsualLoad = "0.8";  // of generated jobs

Parameters resolved(const std::vector<Parameter>& declared,
                    const std::vector<std::pair<const char*, const std::optional<std::string>*>>& given,
                    const Naming& called) {
  Settings settings;
  for (const auto& [name, value] : given)
    if (*value) settings[name] = {**value, called(name)};
  return Parameters("jobs", declared, settings);
}

// Seconds before a job's first byte, of a patch panel. Robots take seconds to minutes (papers/oddl.md 8.2, recalled); a minute is ours.
double setup_of(const NamedFabric& fabric, const std::string& place) {
  Settings settings;
  for (const Assignment& setting : fabric.settings) settings[setting.path] = {setting.value, place};
  return Parameters(kPatchPanel,
                    {{.name = "setup",
                      .type = ParameterType::kTime,
                      .fallback = "60 s",
                      .minimum = "0 s",
                      .maximum = "1000000 s",
                      .description = "to patch the ring of a job"}},
                    settings)
      .time("setup")
      .to_seconds();
}

pipeline::StreamContender contender(const NamedFabric& fabric, std::uint32_t nodes, BitRate rate,
                                    const std::string& place) {
  const std::string count = fmt::format("{}", nodes);
  if (fabric.name == kPatchPanel) {  // one transmitter of a node to the receiver of the next: a ring, one way round
    const Settings settings = {{"nodes", {count, place}}, {"rate", {fmt::format("{:.17g} b/s", rate.value), place}}};
    return {fabric.title(), {"ring", place, settings}, true, setup_of(fabric, place)};
  }
  pipeline::Choice choice{fabric.name, place, {{"nodes", {count, place}}}};
  for (const Assignment& setting : fabric.settings) choice.settings[setting.path] = {setting.value, place};
  return {fabric.title(), pipeline::at_node_rate(std::move(choice), rate), false, 0};
}

}  // namespace

const std::vector<std::string>& usual_job_fabrics() {
  static const std::vector<std::string> names = {"oddl", "fat-tree", "fat-tree:oversubscription=4", kPatchPanel,
                                                 "sip-ring"};
  return names;
}

pipeline::StreamComparison job_stream(const JobsQuestion& asked, const Watch& watch) {
  if (asked.log.empty() == !asked.generate)
    throw Error(
        ErrorKind::kUsage, "jobs come from a log or are generated", asked.called("log"),
        fmt::format("Give one of {} and {}, or a file of events.", asked.called("log"), asked.called("generate")));
  const Parameters counts = resolved(
      {{.name = "generate", .type = ParameterType::kInteger, .fallback = "1", .minimum = "1", .maximum = "10000000"},
       {.name = "rate",
        .type = ParameterType::kRate,
        .fallback = "100 Gb/s",
        .minimum = "0 b/s",
        .minimum_exclusive = true}},
      {{"generate", &asked.generate}, {"rate", &asked.rate}}, asked.called);
  std::optional<std::string> load = asked.load;
  if (asked.generate && !load) load = kUsualLoad;
  const Parameters keys = resolved(pipeline::stream_parameters(),
                                   {{"nodes", &asked.nodes},
                                    {"nodes_per_gpu", &asked.nodes_per_gpu},
                                    {"jobs", &asked.jobs},
                                    {"load", &load},
                                    {"seed", &asked.seed},
                                    {"queue", &asked.queue},
                                    {"placement", &asked.placement}},
                                   asked.called);
  if (watch.stage) watch.stage("reading");
  const workload::JobLog log =
      asked.generate ? workload::generate_jobs(static_cast<std::uint64_t>(counts.integer("generate")), 1,
                                               static_cast<std::uint64_t>(keys.integer("seed")))
                     : workload::read_job_logs(asked.log, asked.columns.value_or(""), asked.called("log"));

  pipeline::JobStream stream = pipeline::stream_of(log, keys);
  const BitRate rate = counts.rate("rate");
  const std::string place = asked.called("fabric");
  std::vector<pipeline::StreamContender> contenders;
  for (const NamedFabric& fabric : fabrics_named(asked.fabric.empty() ? usual_job_fabrics() : asked.fabric, place))
    contenders.push_back(contender(fabric, stream.nodes, rate, place));
  return pipeline::compare_streams(std::move(stream), contenders, rate, watch.stage);
}

}  // namespace helio::ask
