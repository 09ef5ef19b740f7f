// SPDX-License-Identifier: Apache-2.0
#include "report/json/json.h"

#include <algorithm>
#include <map>

#include "base/json_dump.h"
#include "pipeline/experiment.h"
#include "report/json/job_json.h"
#include "report/json/json_values.h"

namespace helio::report {
namespace {

Json split(const simulate::Split& path) {
  return {{"transmission_s", path.transmission.to_seconds()},
          {"latency_s", path.latency.to_seconds()},
          {"overhead_s", path.overhead.to_seconds()},
          {"setup_s", path.setup.to_seconds()},
          {"compute_s", path.compute.to_seconds()},
          {"waiting_s", path.waiting.to_seconds()},
          {"control_s", path.control.to_seconds()}};
}

// Time and steps are null for what did not run.
Json alternatives(const pipeline::Result& result) {
  Json list = Json::array();
  for (const pipeline::Alternative& other : result.alternatives)
    list.push_back({{"algorithm", other.algorithm},
                    {"time_s", other.time ? Json(other.time->to_seconds()) : Json(nullptr)},
                    {"steps", other.time ? Json(other.steps) : Json(nullptr)},
                    {"verdict", other.verdict},
                    {"reason", other.reason}});
  return list;
}

Json object(const pipeline::Result& result) {
  Json json = {{"name", result.name},
               {"kind", schedule::name_of(result.kind)},
               {"fabric", result.fabric},
               {"algorithm", result.algorithm},
               {"nodes", result.nodes},
               {"ranks", result.ranks},
               {"groups", result.groups},
               {"bytes", number(result.bytes.value)},
               {"time_s", result.time_s},
               {"bound_s", result.bound_s},
               {"bound_ratio", result.bound_ratio},
               {"bound", result.bound},
               {"steps", result.steps},
               {"wavelengths_used", result.wavelengths_used},
               {"traffic_bytes", number(result.traffic.value)},
               {"injected_bytes", number(result.injected.value)},
               {"energy_j", result.energy.total().value},
               {"verified", result.verified},
               {"verify_method", result.verify_method},
               {"label", result.label},
               {"assumptions", result.assumptions},
               {"bottleneck", result.bottleneck},
               {"critical_path", split(result.critical)},
               {"sync", pipeline::name_of(result.sync)},
               {"engine", result.engine},
               {"configuration", configured(result.configuration)},
               {"attempts", tried(result.attempts)},
               {"version", result.version}};
  json.update(network(result.energy));
  json.update(told(result.facts));
  if (!result.asked_algorithm.empty()) {
    json["asked_algorithm"] = result.asked_algorithm;
    json["alternatives"] = alternatives(result);
  }
  return json;
}

std::string print(const Json& json) { return json_dump(json, 2) + "\n"; }

Json object(const Row& row, Json assumptions) {
  return {{"study", row.study},
          {"quantity", row.quantity},
          {"published", row.published ? Json(*row.published) : Json()},
          {"expected", row.expected ? Json(*row.expected) : Json()},
          {"ours", row.ours},
          {"label", row.label()},
          {"assumptions", std::move(assumptions)},
          {"predicted", row.predicted()},
          {"within", row.within()},
          {"source", row.source}};
}

}  // namespace

std::string to_json(const pipeline::Result& result) { return print(object(result)); }

std::string to_json(const std::vector<pipeline::Result>& results, const std::string& source) {
  return to_json(results, {}, source);
}

std::string to_json(const std::vector<pipeline::Result>& results, const std::vector<pipeline::IterationResult>& jobs,
                    const std::string& source) {
  Json list = Json::array();
  Time time;
  double bound = 0;
  for (const pipeline::Result& result : results) {
    list.push_back(object(result));
    time += result.time;
    bound += result.bound_s;
  }

  // Jobs run side by side, so the slowest counts
  Json job_list = Json::array();
  Time slowest;
  double highest = 0;
  for (const pipeline::IterationResult& job : jobs) {
    job_list.push_back(job_object(job));
    slowest = std::max(slowest, job.time);
    highest = std::max(highest, job.bound_s);
  }
  Json json = {{"source", source},
               {"time_s", (time + slowest).to_seconds()},
               {"bound_s", bound + highest},
               {"results", std::move(list)}};
  if (!jobs.empty()) json["jobs"] = std::move(job_list);
  return print(json);
}

std::string to_json(const std::vector<Row>& rows) {
  Json list = Json::array();
  for (const Row& row : rows) list.push_back(object(row, in_words(row.assumptions)));
  return json_dump(Json{{"rows", std::move(list)}}, 2) + "\n";
}

std::string to_short_json(const std::vector<Row>& rows) {
  Json list = Json::array(), said = Json::array();
  std::map<std::string, std::size_t> number;
  for (const Row& row : rows) {
    Json numbers = Json::array();
    for (const std::string& one : in_words(row.assumptions)) {
      const auto [at, fresh] = number.emplace(one, said.size());
      if (fresh) said.push_back(one);
      numbers.push_back(at->second);
    }
    list.push_back(object(row, std::move(numbers)));
  }
  return json_dump(Json{{"assumptions", std::move(said)}, {"rows", std::move(list)}}, -1) + "\n";
}

}  // namespace helio::report
