// SPDX-License-Identifier: Apache-2.0
#include "pipeline/admission.h"

#include <fmt/format.h>

#include "base/error.h"
#include "fabric/fabric.h"
#include "schedule/algorithm.h"

namespace helio::pipeline {
namespace {

// Large enough to need every ability, small enough to cost nothing.
constexpr const char* kTwoNodes = "2";
constexpr schedule::Position kTwoRanks = 2;

bool admits(const std::string& fabric, const Settings& settings, const Choice& algorithm, schedule::Kind kind) {
  try {
    const auto made = fabric::make(fabric, settings, "");
    schedule::build(algorithm.name, schedule::request_on_all(kind, Bytes{kTwoRanks}, kTwoRanks), made->capabilities(),
                    algorithm.settings);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Values that a parameter's description mentions.
std::vector<std::string> values_of(const Parameter& parameter) {
  if (!parameter.choices.empty()) return parameter.choices;
  return {parameter.matters.value, parameter.matters.other};
}

// Whether it says what a fabric is made of: how fast or how good its parts are makes no algorithm possible.
bool is_shape(const Parameter& parameter) {
  return parameter.type == ParameterType::kInteger || parameter.type == ParameterType::kBoolean ||
         parameter.type == ParameterType::kChoice || parameter.type == ParameterType::kText ||
         parameter.type == ParameterType::kDimensions;
}

// The first change of one parameter that makes the fabric admit the algorithm, or "".
std::string change_that_helps(const Description& fabric, const Settings& settings, const Choice& algorithm,
                              schedule::Kind kind) {
  for (const Parameter& parameter : fabric.parameters)
    for (const std::string& value : values_of(parameter)) {
      if (value.empty() || parameter.name == "nodes" || !is_shape(parameter)) continue;
      Settings changed = settings;
      changed[parameter.name] = {value, ""};
      if (admits(fabric.name, changed, algorithm, kind)) return fmt::format("fabric.{}={}", parameter.name, value);
    }
  return "";
}

}  // namespace

std::vector<std::string> fabrics_that_admit(const Choice& algorithm, schedule::Kind kind, const Choice& fabric) {
  std::vector<std::string> found;
  for (const auto& entry : fabric::fabrics().entries()) {
    const Description& description = entry.description;
    Settings settings;
    if (description.name == fabric.name) settings = fabric.settings;
    for (const Parameter& parameter : description.parameters)
      if (parameter.name == "nodes") settings["nodes"] = {kTwoNodes, ""};
    if (admits(description.name, settings, algorithm, kind)) {
      if (description.name == fabric.name) return {};
      found.push_back(description.name);
    } else if (const std::string change = change_that_helps(description, settings, algorithm, kind); !change.empty()) {
      found.push_back(fmt::format("{} with {}", description.name, change));
    }
  }
  return found;
}

}  // namespace helio::pipeline
