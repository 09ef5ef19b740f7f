// SPDX-License-Identifier: Apache-2.0
#include "report/json/catalogue_json.h"

#include "report/json/json_keys.h"

namespace helio::report {

Json parameters_json(const std::vector<Parameter>& parameters) {
  const auto or_null = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  Json found = Json::array();
  for (const Parameter& one : parameters)
    found.push_back({{"name", one.name},
                     {"type", name_of(one.type)},
                     {"default", or_null(one.fallback)},
                     {"minimum", or_null(one.minimum)},
                     {"maximum", or_null(one.maximum)},
                     {"minimum_exclusive", one.minimum_exclusive},
                     {"choices", one.choices},
                     {"optional", one.optional},
                     {"fitted", one.fitted},
                     {"description", one.description}});
  return found;
}

Json description_json(const Description& entry) {
  return {{"name", entry.name},
          {"summary", entry.summary},
          {"reference", entry.reference},
          {"parameters", parameters_json(entry.parameters)}};
}

Json npu_json(const Catalogue<placement::NpuFactory>::Entry& entry) {
  const placement::Npu npu = entry.factory(placement::npus().resolve(entry, {}));
  Json json = description_json(entry.description);
  Json peaks = Json::object();
  for (const std::string& name : placement::precision_names())
    if (const double peak = npu.peak(placement::precision_named(name)); peak > 0) peaks[name] = number(peak);
  json["flops"] = peaks;
  json["memory_bytes"] = number(npu.memory.value);
  json["memory_bandwidth_bps"] = number(8 * npu.memory_bandwidth);
  json["power_w"] = number(npu.power.value);
  return json;
}

Json keys_json() {
  Json keys = Json::array();
  for (const JsonKey& key : json_keys())
    keys.push_back({{"printed_by", key.printed_by}, {"path", key.path}, {"unit", key.unit}, {"meaning", key.meaning}});
  return {{"keys", keys}};
}

}  // namespace helio::report
