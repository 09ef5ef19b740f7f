// SPDX-License-Identifier: Apache-2.0
#include "report/json/job_json.h"

namespace helio::report {
namespace {

// Every class, those without exposed time too: scripts need not ask which there are.
Json exposed(const std::array<double, placement::kActivities>& seconds) {
  Json json = Json::object();
  for (int a = 0; a < placement::kActivities; ++a)
    json[std::string(placement::name_of(static_cast<placement::Activity>(a)))] = seconds[static_cast<std::size_t>(a)];
  return json;
}

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json levels(const pipeline::IterationResult& job) {
  Json list = Json::array();
  for (const pipeline::LevelResult& level : job.levels)
    list.push_back({{"name", level.name},
                    {"fabric", level.fabric},
                    {"instances", level.instances},
                    {"units", level.units},
                    {"exposed_s", exposed(level.exposed_s)},
                    {"traffic_bytes", number(level.traffic.value)},
                    {"busiest", level.busiest},
                    {"most_utilisation", level.most},
                    {"mean_utilisation", level.mean},
                    {"wavelengths_used", level.wavelengths_used},
                    {"loss_db", or_null(level.loss_db)},
                    {"energy_j", level.energy.value},
                    {"facts", told(level.facts)}});
  return list;
}

Json choices(const pipeline::IterationResult& job) {
  Json list = Json::array();
  for (const pipeline::ClassChoice& choice : job.choices)
    list.push_back(
        {{"class", placement::name_of(choice.activity)},
         {"kind", schedule::name_of(choice.kind)},
         {"bytes", number(choice.bytes.value)},
         {"ranks", choice.ranks},
         {"groups", choice.groups},
         {"algorithm", choice.algorithm},
         {"time_s", choice.time_s},
         {"usual", choice.usual},
         {"usual_time_s", or_null(choice.usual_time_s)},
         {"gain", choice.usual_time_s && choice.time_s > 0 ? Json(*choice.usual_time_s / choice.time_s) : Json()}});
  return list;
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
               {"exposed_s", exposed(job.exposed_s)},
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
  if (!job.levels.empty()) json["levels"] = levels(job);
  if (!job.search.empty()) {
    json["choices"] = choices(job);
    json["search"] = job.search;
    json["usual_time_s"] = or_null(job.usual_time_s);
  }
  return json;
}

}  // namespace helio::report
