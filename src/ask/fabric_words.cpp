// SPDX-License-Identifier: Apache-2.0
#include "ask/fabric_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/split.h"
#include "fabric/fabric.h"

namespace helio::ask {
namespace {

// One fabric for each of the values of a parameter: those that are given, or all of its choices where it is set to `*`.
std::vector<NamedFabric> expanded(const NamedFabric& fabric, const std::string& place) {
  const auto several = std::ranges::find_if(
      fabric.settings, [](const Assignment& one) { return one.value.find('|') != std::string::npos; });
  if (several != fabric.settings.end()) {
    std::vector<NamedFabric> all;
    for (const std::string& value : split(several->value, '|')) {
      NamedFabric one = fabric;
      one.settings[static_cast<std::size_t>(several - fabric.settings.begin())].value = value;
      for (NamedFabric& more : expanded(one, place)) all.push_back(std::move(more));
    }
    return all;
  }
  const auto star = std::ranges::find(fabric.settings, "*", &Assignment::value);
  if (star == fabric.settings.end()) return {fabric};
  const std::string name = star->path;
  const auto& parameters = fabric::fabrics().at(fabric.name, place).description.parameters;
  const auto declared = std::ranges::find(parameters, name, &Parameter::name);
  if (declared == parameters.end() || declared->choices.empty())
    throw Error(ErrorKind::kInput,
                fmt::format("'{}' has no parameter '{}' with choices to go through", fabric.name, name), place,
                fmt::format("See helio describe {}.", fabric.name));
  std::vector<NamedFabric> all;
  for (const std::string& choice : declared->choices) {
    NamedFabric one = fabric;
    one.settings[static_cast<std::size_t>(star - fabric.settings.begin())].value = choice;
    for (NamedFabric& more : expanded(one, place)) all.push_back(std::move(more));
  }
  return all;
}

}  // namespace

std::string NamedFabric::title() const {
  if (name == "composite" && settings.size() == 1) return settings.front().value;
  std::string title = name;
  for (const Assignment& setting : settings) title += " " + setting.path + "=" + setting.value;
  return title;
}

NamedFabric fabric_named(const std::string& text, const std::string& place) {
  NamedFabric fabric{text.substr(0, text.find(':')), {}};
  if (fabric.name.size() == text.size()) return fabric;
  if (fabric.name == "composite") {
    fabric.settings.push_back({"levels", text.substr(fabric.name.size() + 1)});
    return fabric;
  }
  for (std::size_t at = fabric.name.size(); at != std::string::npos;) {
    const std::size_t end = text.find(',', at + 1);
    const std::string setting = text.substr(at + 1, end == std::string::npos ? end : end - at - 1);
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos)
      throw Error(ErrorKind::kInput, fmt::format("'{}' of '{}' sets nothing", setting, text), place,
                  "Write NAME:parameter=value,parameter=value.");
    fabric.settings.push_back({setting.substr(0, equals), setting.substr(equals + 1)});
    at = end;
  }
  return fabric;
}

std::vector<NamedFabric> fabrics_named(const std::vector<std::string>& words, const std::string& place) {
  std::vector<NamedFabric> fabrics;
  for (const std::string& text : words)
    for (NamedFabric& fabric : expanded(fabric_named(text, place), place)) fabrics.push_back(std::move(fabric));
  if (fabrics.empty()) throw Error(ErrorKind::kUsage, "no fabric is named", place, "name one or more");
  return fabrics;
}

}  // namespace helio::ask
