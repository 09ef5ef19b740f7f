// SPDX-License-Identifier: Apache-2.0
#include "fabric/composite/levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/split.h"
#include "base/units.h"

namespace helio::fabric {
namespace {

[[noreturn]] void wrong(const std::string& what, const std::string& place, const std::string& advice) {
  throw Error(ErrorKind::kInput, what, place, advice);
}

std::vector<std::uint32_t> gateways_of(const Parameters& joint, const std::string& level, std::uint64_t unit) {
  const std::string& text = joint.text("gateways");
  const std::string& place = joint.place("gateways");
  std::vector<std::uint32_t> all;
  if (text == "all") {
    all.resize(unit);
    std::iota(all.begin(), all.end(), 0u);
    return all;
  }
  const auto number = [&](const std::string& word) {
    try {
      return parse_integer(word);
    } catch (const Error& error) {
      throw Error(ErrorKind::kInput,
                  fmt::format("level '{}': gateways are 'all', how many, or a list, and not '{}'", level, text), place,
                  "write gateways=4, or gateways=0+5+10");
    }
  };
  std::vector<std::string> words = split(text, '+');
  std::set<std::uint32_t> listed;
  if (words.size() == 1) {
    const long long count = number(text);
    if (count < 1 || static_cast<std::uint64_t>(count) > unit)
      wrong(fmt::format("level '{}': {} gateways, and what it joins has {} nodes", level, count, unit), place,
            fmt::format("give a number from 1 to {}, or all", unit));
    for (long long j = 0; j < count; ++j)
      listed.insert(
          static_cast<std::uint32_t>(static_cast<std::uint64_t>(j) * unit / static_cast<std::uint64_t>(count)));
  } else {
    if (words.back().empty()) words.pop_back();  // "3+" is a list of one
    for (const std::string& word : words) {
      const long long node = number(word);
      if (node < 0 || static_cast<std::uint64_t>(node) >= unit)
        wrong(fmt::format("level '{}': node {} cannot be a gateway, what it joins has nodes 0 to {}", level, node,
                          unit - 1),
              place, "name nodes that there are");
      if (!listed.insert(static_cast<std::uint32_t>(node)).second)
        wrong(fmt::format("level '{}': gateway {} is named twice", level, node), place, "name each once");
    }
  }
  return {listed.begin(), listed.end()};
}

std::map<std::uint32_t, double> speeds_of(const Parameters& joint, const std::string& level) {
  std::map<std::uint32_t, double> speeds;
  if (!joint.has("slow")) return speeds;
  for (const std::string& word : split(joint.text("slow"), '+')) {
    const std::size_t at = word.find('@');
    try {
      const long long instance = parse_integer(word.substr(0, at));
      const double factor = at == std::string::npos ? 0 : parse_number(word.substr(at + 1));
      if (instance >= 0 && instance < static_cast<long long>(kMostCompositeNodes) && factor > 0 && factor <= 1) {
        speeds[static_cast<std::uint32_t>(instance)] = factor;
        continue;
      }
    } catch (const Error&) {
    }
    wrong(fmt::format("level '{}': '{}' is no slower instance", level, word), joint.place("slow"),
          "write INSTANCE@FACTOR with a factor up to 1, such as slow=3@0.5+7@0.8");
  }
  return speeds;
}

// A '/' begins another level, but not that of "Gb/s".
std::vector<std::string> level_words(std::string_view text) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i + 1);
    const bool per_second =
        rest.starts_with('s') && (rest.size() == 1 || rest[1] == ',' || rest[1] == '/' || rest[1] == ' ');
    if (text[i] == '/' && !per_second)
      words.emplace_back();
    else
      words.back() += text[i];
  }
  return words;
}

const Parameter* declared(const std::string& fabric, std::string_view name) {
  for (const Parameter& parameter : fabrics().at(fabric).description.parameters)
    if (parameter.name == name) return &parameter;
  return nullptr;
}

Level made(const LevelChoice& choice, std::uint64_t unit, const std::string& place) {
  Level level{.name = choice.name,
              .fabric = nullptr,
              .unit = unit,
              .gateways = {},
              .gateway_rate = {},
              .speed = {},
              .gates_out = {},
              .gates_in = {}};
  try {
    level.fabric = make(choice.fabric, choice.settings, place);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("level '{}': {}", choice.name, error.message()),
                error.place().empty() ? place : error.place(), error.advice());
  }
  const Parameters joint(fmt::format("level '{}'", choice.name), level_parameters(), choice.joint);
  level.nodes = static_cast<std::uint32_t>(level.fabric->capabilities().nodes);
  level.gateways = gateways_of(joint, choice.name, unit);
  level.all = level.gateways.size() == unit;
  if (joint.has("gateway_rate")) {
    level.gateway_rate = joint.rate("gateway_rate");
    if (level.gateway_rate->value <= 0)
      wrong(fmt::format("level '{}': gateways of {} hand nothing over", choice.name, format(*level.gateway_rate)),
            joint.place("gateway_rate"), "give a rate above 0, or leave it out for no limit");
  }
  const std::string& how = joint.text("gateway_choice");
  level.choice = how == "rail"      ? GatewayChoice::kRail
                 : how == "hash"    ? GatewayChoice::kHash
                 : how == "nearest" ? GatewayChoice::kNearest
                                    : GatewayChoice::kPosition;
  level.speed = speeds_of(joint, choice.name);
  if (unit * level.nodes > kMostCompositeNodes)
    wrong(fmt::format("level '{}': {} nodes in all are more than {}", choice.name, unit * level.nodes,
                      kMostCompositeNodes),
          place, "join fewer");
  return level;
}

}  // namespace

const std::vector<Parameter>& level_parameters() {
  static const std::vector<Parameter> parameters = {
      {.name = "gateways",
       .type = ParameterType::kText,
       .fallback = "all",
       .description = "nodes of what the level joins that reach it: all, how many (spread evenly), or a list such as "
                      "0+5+10 (3+ is node 3 alone)"},
      {.name = "gateway_rate",
       .type = ParameterType::kRate,
       .description = "what a gateway can hand over, each way; unset: no limit of its own",
       .optional = true},
      {.name = "gateway_choice",
       .type = ParameterType::kChoice,
       .fallback = "position",
       .description = "which gateway a node takes that is none: by its position in the unit, the nearest (by latency, "
                      "then by links), by a hash of both ends, or, as rails do, the one where the receiver sits",
       .choices = {"position", "nearest", "hash", "rail"}},
      {.name = "slow",
       .type = ParameterType::kText,
       .description = "instances whose rates are lower: INSTANCE@FACTOR, such as 3@0.5+7@0.8",
       .optional = true},
  };
  return parameters;
}

std::vector<LevelChoice> levels_in(std::string_view text, std::string_view place) {
  std::vector<LevelChoice> levels;
  for (const std::string& word : level_words(text)) {
    LevelChoice level;
    const std::size_t colon = word.find(':');
    level.fabric = without_blanks(word.substr(0, colon));
    if (level.fabric == "composite")
      wrong("a level cannot be a composite itself", std::string(place), "write its levels one above the other");
    fabrics().at(level.fabric, std::string(place));
    const std::string where(place);
    if (colon != std::string::npos && colon + 1 < word.size())
      for (const std::string& setting : split(word.substr(colon + 1), ',')) {
        const std::size_t equals = setting.find('=');
        if (equals == std::string::npos)
          wrong(fmt::format("level '{}': '{}' is no parameter", level.fabric, setting), where,
                "write FABRIC:parameter=value,parameter=value");
        const std::string key = without_blanks(setting.substr(0, equals));
        const bool joint = std::ranges::any_of(level_parameters(), [&](const Parameter& p) { return p.name == key; });
        Settings& settings = joint ? level.joint : level.settings;
        if (key == "name" ? !level.name.empty() : settings.contains(key))
          wrong(fmt::format("level '{}': '{}' is given twice", level.fabric, key), where, "give it once");
        if (key == "name")
          level.name = setting.substr(equals + 1);
        else
          settings[key] = {setting.substr(equals + 1), where};
      }
    levels.push_back(std::move(level));
  }
  // Names that tell levels apart
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const auto same = std::ranges::count(levels, levels[k].fabric, &LevelChoice::fabric);
    if (levels[k].name.empty())
      levels[k].name = same > 1 ? fmt::format("{} {}", levels[k].fabric, k) : levels[k].fabric;
  }
  for (std::size_t k = 0; k < levels.size(); ++k)
    for (std::size_t j = 0; j < k; ++j)
      if (levels[j].name == levels[k].name)
        wrong(fmt::format("two levels are called '{}'", levels[k].name), std::string(place),
              "give each a name of its own");
  return levels;
}

std::string in_words(const std::vector<LevelChoice>& levels) {
  std::string words;
  for (const LevelChoice& level : levels) {
    words += fmt::format("{}{}:name={}", words.empty() ? "" : "/", level.fabric, level.name);
    for (const Settings& settings : {level.settings, level.joint})
      for (const auto& [key, setting] : settings) words += fmt::format(",{}={}", key, setting.text);
  }
  return words;
}

std::vector<LevelChoice> choices_from(const Parameters& parameters) {
  const std::string& place = parameters.place("levels");
  std::vector<LevelChoice> choices = levels_in(parameters.text("levels"), place);
  for (const auto& [key, setting] : choices.front().joint)
    if (key != "slow")
      wrong(fmt::format("level '{}' is the lowest and joins nothing: it has no {}", choices.front().name, key), place,
            "give it to the level above");
  LevelChoice& highest = choices.back();
  if (!parameters.has("nodes") || highest.settings.contains("nodes")) return choices;
  const Parameter* own = declared(highest.fabric, "nodes");
  const bool shapes_itself = declared(highest.fabric, "dimensions") && !highest.settings.contains("dimensions");
  if (!own || !own->fallback.empty() || (own->optional && !shapes_itself)) return choices;
  std::uint64_t unit = 1;
  for (std::size_t k = 0; k + 1 < choices.size(); ++k) unit *= made(choices[k], unit, place).nodes;
  const auto nodes = static_cast<std::uint64_t>(parameters.integer("nodes"));
  if (nodes % unit != 0)
    wrong(fmt::format("{} nodes do not fill units of {}", nodes, unit), parameters.place("nodes"),
          fmt::format("give a multiple of {}", unit));
  highest.settings["nodes"] = {fmt::format("{}", nodes / unit), place};
  return choices;
}

std::vector<Level> levels_from(const Parameters& parameters) {
  const std::string& place = parameters.place("levels");
  std::vector<Level> levels;
  std::uint64_t unit = 1;
  for (const LevelChoice& choice : choices_from(parameters)) {
    levels.push_back(made(choice, unit, place));
    unit *= levels.back().nodes;
  }
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const std::uint64_t instances = unit / (levels[k].unit * levels[k].nodes);
    if (!levels[k].speed.empty() && levels[k].speed.rbegin()->first >= instances)
      wrong(fmt::format("level '{}': there is no instance {} to be slower", levels[k].name,
                        levels[k].speed.rbegin()->first),
            place, fmt::format("instances count from 0 to {}", instances - 1));
  }
  if (parameters.has("nodes") && static_cast<std::uint64_t>(parameters.integer("nodes")) != unit)
    wrong(fmt::format("the levels have {} nodes together, and not {}", unit, parameters.integer("nodes")),
          parameters.place("nodes"), "leave it out, or change a level");
  return levels;
}

}  // namespace helio::fabric
