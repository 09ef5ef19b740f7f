// SPDX-License-Identifier: Apache-2.0
#include "fabric/parameters.h"

namespace helio::fabric {

Parameter nodes_parameter(const std::string& example, const std::string& most, const std::string& other) {
  Parameter p;
  p.name = "nodes";
  p.type = ParameterType::kInteger;
  p.minimum = "1";
  p.maximum = most;
  p.description = "number of nodes (ranks that the fabric joins)";
  p.matters = {example, other, "8"};
  return p;
}

Parameter rate_parameter(const std::string& example, const std::string& meaning) {
  Parameter p;
  p.name = "rate";
  p.type = ParameterType::kRate;
  p.fallback = "400 Gb/s";
  p.minimum = "0 b/s";
  p.minimum_exclusive = true;
  p.maximum = "1000 Pb/s";
  p.description = meaning + "; the default is one port of 400 Gigabit Ethernet (IEEE 802.3bs)";
  p.matters = {example, "100 Gb/s", ""};
  return p;
}

Parameter latency_parameter(const std::string& example, const std::string& fallback, const std::string& meaning) {
  Parameter p;
  p.name = "latency";
  p.type = ParameterType::kTime;
  p.fallback = fallback;
  p.minimum = "0 s";
  p.maximum = "1000 s";
  p.description = meaning;
  p.matters = {example, "3 us", ""};
  return p;
}

Parameter step_overhead_parameter(const std::string& example) {
  Parameter p;
  p.name = "step_overhead";
  p.type = ParameterType::kTime;
  p.fallback = "0 s";
  p.minimum = "0 s";
  p.maximum = "1000 s";
  p.description = "endpoint cost of each dependent step (launch, synchronisation), before its bytes move";
  p.matters = {example, "5 us", ""};
  return p;
}

Parameter seed_parameter(const std::string& example, const std::string& meaning) {
  Parameter p;
  p.name = "seed";
  p.type = ParameterType::kInteger;
  p.fallback = "1";
  p.minimum = "0";
  p.maximum = "9000000000000000000";
  p.description = meaning;
  p.matters = {example, "2", ""};
  return p;
}

Parameter named(std::string name, ParameterType type, std::string fallback, std::string description,
                Situation matters) {
  Parameter p;
  p.name = std::move(name);
  p.type = type;
  p.fallback = std::move(fallback);
  p.description = std::move(description);
  p.matters = std::move(matters);
  p.optional = p.fallback.empty();
  return p;
}

Parameter bounded(Parameter p, std::string least, std::string most, bool above) {
  p.minimum = std::move(least);
  p.maximum = std::move(most);
  p.minimum_exclusive = above;
  return p;
}

Parameter count(std::string name, std::string fallback, std::string least, std::string most, std::string description,
                Situation matters) {
  Parameter p =
      named(std::move(name), ParameterType::kInteger, std::move(fallback), std::move(description), std::move(matters));
  p.minimum = std::move(least);
  p.maximum = std::move(most);
  return p;
}

Parameter choice(std::string name, std::vector<std::string> choices, std::string fallback, std::string description,
                 Situation matters) {
  Parameter p =
      named(std::move(name), ParameterType::kChoice, std::move(fallback), std::move(description), std::move(matters));
  p.choices = std::move(choices);
  return p;
}

}  // namespace helio::fabric
