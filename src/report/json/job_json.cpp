// SPDX-License-Identifier: Apache-2.0
#include "report/json/job_json.h"

namespace helio::report {
namespace {

// Every class, those without exposed time too: scripts need not ask which there are.
Json exposed(const pipeline::IterationResult& job) {
  Json json = Json::object();
  for (int a = 0; a < placement::kActivities; ++a)
    json[std::string(placement::name_of(static_cast<placement::Activity>(a)))] =
        job.exposed_s[static_cast<std::size_t>(a)];
  return json;
}

Json links(const pipeline::IterationResult& job) {
  Json list = Json::array();
  for (const pipeline::LinkClass& link : job.links)
    list.push_back(
        {{"name", link.name}, {"links", link.links}, {"mean_utilisation", link.mean}, {"most_utilisation", link.most}});
  return list;
}

Json memory(const placement::Memory& memory) {
  return {{"parameters", number(memory.parameters.value)}, {"gradients", number(memory.gradients.value)},
          {"optimiser", number(memory.optimiser.value)},   {"activations", number(memory.activations.value)},
          {"total", number(memory.total.value)},           {"stage", memory.stage}};
}

}  // namespace

Json job_object(const pipeline::IterationResult& job) {
  Json algorithms = Json::object();
  for (const auto& [activity, name] : job.algorithms) algorithms[activity] = name;
  Json json = {{"name", job.name},
               {"model", job.model},
               {"npu", job.npu},
               {"fabric", job.fabric},
               {"nodes", job.nodes},
               {"npus", job.npus},
               {"iterations", job.iterations},
               {"time_s", job.time_s},
               {"bound_s", job.bound_s},
               {"bound", job.bound},
               {"exposed_s", exposed(job)},
               {"samples_per_s", job.samples_per_s},
               {"tokens_per_s", job.tokens_per_s},
               {"model_flops", number(job.model_flops)},
               {"model_utilisation", job.model_utilisation},
               {"npu_utilisation", job.npu_utilisation},
               {"wavelengths_used", job.wavelengths_used},
               {"traffic_bytes", number(job.traffic.value)},
               {"links", links(job)},
               {"memory_bytes", memory(job.memory)},
               {"energy_j", job.energy().value},
               {"energy_npus_j", job.npu_energy.value},
               {"critical_path", job.critical_path},
               {"algorithms", std::move(algorithms)},
               {"facts", told(job.facts)},
               {"configuration", configured(job.configuration)},
               {"label", job.label},
               {"assumptions", job.assumptions},
               {"version", job.version}};
  json.update(network(job.network_energy));
  if (!job.attempts.empty()) json["attempts"] = tried(job.attempts);
  return json;
}

}  // namespace helio::report
