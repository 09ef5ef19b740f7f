// SPDX-License-Identifier: Apache-2.0
#include "pipeline/admission.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/memo.h"
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

// The fabric's name where it admits the algorithm, with the change that makes it, or "".
std::string way_to_admit(const Description& fabric, Settings settings, const Choice& algorithm, schedule::Kind kind) {
  for (const Parameter& parameter : fabric.parameters)
    if (parameter.name == "nodes") settings["nodes"] = {kTwoNodes, ""};
  if (admits(fabric.name, settings, algorithm, kind)) return fabric.name;
  const std::string change = change_that_helps(fabric, settings, algorithm, kind);
  return change.empty() ? "" : fmt::format("{} with {}", fabric.name, change);
}

}  // namespace

std::vector<std::string> fabrics_that_admit(const Choice& algorithm, schedule::Kind kind, const Choice& fabric) {
  // Of fabrics as they are, it is the same whoever asks
  static Memo<std::string, std::string> known(4096);
  std::string asked = fmt::format("{} {}", algorithm.name, static_cast<int>(kind));
  for (const auto& [name, setting] : algorithm.settings) asked += fmt::format(" {}={}", name, setting.text);
  std::vector<std::string> found;
  for (const auto& entry : fabric::fabrics().entries()) {
    const std::string& name = entry.description.name;
    const std::string way = name == fabric.name ? way_to_admit(entry.description, fabric.settings, algorithm, kind)
                                                : known.of(fmt::format("{} {}", name, asked), [&] {
                                                    return way_to_admit(entry.description, {}, algorithm, kind);
                                                  });
    if (way == name && name == fabric.name) return {};
    if (!way.empty()) found.push_back(way);
  }
  return found;
}

}  // namespace helio::pipeline
