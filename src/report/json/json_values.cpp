// SPDX-License-Identifier: Apache-2.0
#include "report/json/json_values.h"

#include <cmath>

namespace helio::report {

Json number(double value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53: every whole double below it is an exact integer
  if (std::abs(value) < kExact && value == std::floor(value)) return static_cast<std::int64_t>(value);
  return value;
}

Json network(const pipeline::NetworkEnergy& energy) {
  return {{"energy_dynamic_j", energy.moving.value},
          {"energy_static_j", energy.being_on.value},
          {"energy_low_j", energy.low.value},
          {"energy_high_j", energy.high.value},
          {"energy_recalled", energy.recalled}};
}

Json told(const Facts& facts) {
  Json json = Json::object();
  for (const Fact& fact : facts) {
    if (const double* amount = std::get_if<double>(&fact.value))
      json[fact.name] = number(*amount);
    else
      std::visit([&](const auto& value) { json[fact.name] = value; }, fact.value);
  }
  return json;
}

Json tried(const std::vector<pipeline::Attempt>& attempts) {
  Json json = Json::array();
  for (const pipeline::Attempt& attempt : attempts)
    json.push_back({{"remedy", attempt.remedy}, {"outcome", attempt.outcome}, {"reason", attempt.reason}});
  return json;
}

Json configured(const std::vector<pipeline::Configuration>& configuration) {
  Json json = Json::object();
  for (const pipeline::Configuration& owner : configuration) {
    Json values = Json::object();
    for (const auto& [name, text] : owner.values) values[name] = text;
    json[owner.owner] = std::move(values);
  }
  return json;
}

}  // namespace helio::report
