// SPDX-License-Identifier: Apache-2.0
#include "schedule/levels/level_algorithms.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "base/split.h"
#include "schedule/fact_kinds.h"

namespace helio::schedule {
namespace {

// In how many pieces a schedule chose to go.
std::optional<double> pieces_of(const Schedule& schedule) {
  for (const Fact& fact : schedule.facts)
    if (fact.name == kChunksFact.name) return std::get<double>(fact.value);
  return std::nullopt;
}

}  // namespace

LevelAlgorithms::LevelAlgorithms(const CollectiveRequest& request, const Capabilities& capabilities,
                                 const Parameters& parameters, std::size_t levels)
    : request_(request), capabilities_(capabilities), choices_(levels), used_(levels) {
  if (!parameters.has("levels")) return;
  const std::string& text = parameters.text("levels");
  place_ = parameters.place("levels");
  const std::vector<std::string> words = split(text, '/');
  if (words.size() != levels)
    throw Error(ErrorKind::kInput,
                fmt::format("'{}' names {} algorithms, and the group spans {} levels", text, words.size(), levels),
                place_, "name one for each level, the lowest first, such as in-fabric/ring; auto takes the usual one");
  for (std::size_t k = 0; k < levels; ++k) {
    const std::size_t colon = words[k].find(':');
    choices_[k].algorithm = without_blanks(words[k].substr(0, colon));
    if (choices_[k].algorithm == "auto") choices_[k].algorithm.clear();
    if (colon == std::string::npos) continue;
    for (const std::string& setting : split(words[k].substr(colon + 1), ',')) {
      const std::size_t equals = setting.find('=');
      if (equals == std::string::npos)
        throw Error(ErrorKind::kInput, fmt::format("'{}' is no setting of an algorithm", setting), place_,
                    "write NAME:parameter=value,parameter=value");
      choices_[k].settings[without_blanks(setting.substr(0, equals))] = {setting.substr(equals + 1), place_};
    }
  }
}

std::shared_ptr<const Schedule> LevelAlgorithms::among(std::size_t k, Kind kind, const std::vector<NodeId>& units,
                                                       Position root, Bytes bytes) {
  const std::tuple question(k, kind, root, bytes.value);
  for (const Made& known : made_)
    if (known.question == question && known.units == units) return known.schedule;
  const CollectiveRequest asked{
      .kind = kind, .bytes = bytes, .groups = {units}, .root = root, .element_bytes = request_.element_bytes};
  const Capabilities::Part& level = capabilities_.parts[k];
  std::shared_ptr<Schedule> made;
  try {
    const Choice& choice = choices_[k];
    const bool named = !choice.algorithm.empty() &&
                       std::ranges::count(algorithms().at(choice.algorithm, place_).factory.kinds, kind) > 0;
    made = std::make_shared<Schedule>(named ? build(choice.algorithm, asked, level.capabilities, choice.settings)
                                            : usual_schedule(asked, level.capabilities));
    // Levels cut the same vector, and pieces of one should be pieces of the other: 82 and 2048 would be 83,968, 64 and 2048 are 2048
    if (const std::optional<double> pieces = pieces_of(*made);
        pieces && !(named && choice.settings.contains("chunks"))) {
      Settings settings = named ? choice.settings : Settings();
      settings["chunks"] = {fmt::format("{}", std::bit_floor(static_cast<std::uint32_t>(*pieces * std::sqrt(2.0)))),
                            ""};
      made = std::make_shared<Schedule>(build(made->algorithm, asked, level.capabilities, settings));
    }
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("level '{}': {}", level.name, error.message()), error.place(),
                error.advice());
  }
  if (made->scratch > 0 || !made->stages.empty())
    throw Error(ErrorKind::kInfeasible,
                fmt::format("level '{}': {} does not work in place", level.name, made->algorithm), "",
                "choose another algorithm for it");
  note(k, made->algorithm);
  made_.push_back({question, units, made});
  return made;
}

void LevelAlgorithms::note(std::size_t k, const std::string& algorithm) {
  if (std::ranges::count(used_[k], algorithm) == 0) used_[k].push_back(algorithm);
}

std::string LevelAlgorithms::in_words() const {
  std::vector<std::string> words;
  for (std::size_t k = 0; k < used_.size(); ++k)
    words.push_back(fmt::format("{}: {}", capabilities_.parts[k].name,
                                used_[k].empty() ? "nothing" : fmt::format("{}", fmt::join(used_[k], ", "))));
  return fmt::format("{}", fmt::join(words, "; "));
}

Schedule usual_schedule(const CollectiveRequest& request, const Capabilities& capabilities) {
  std::vector<const char*> names;
  Settings all_light;
  if (capabilities.reduces || capabilities.multicasts) names.push_back("in-fabric");
  if (capabilities.wavelengths > 0) all_light["stripe"] = {fmt::format("{}", capabilities.wavelengths), "default"};
  if (capabilities.adjacency == Adjacency::kGrid) names.push_back("dimension-ordered");
  if (capabilities.adjacency == Adjacency::kAny && request.kind != Kind::kAllToAll) {
    names.push_back("halving-doubling");
    names.push_back("ring");
  }
  for (const char* name : {"bidirectional-ring", "ring", "direct"}) names.push_back(name);
  std::optional<Error> first;
  for (const char* name : names) {
    const AlgorithmEntry& entry = algorithms().at(name);
    if (std::ranges::count(entry.factory.kinds, request.kind) == 0) continue;
    const bool stripes =
        std::ranges::any_of(entry.description.parameters, [](const Parameter& p) { return p.name == "stripe"; });
    try {
      return build(name, request, capabilities, stripes ? all_light : Settings());
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInfeasible) throw;
      if (!first) first = error;
    }
  }
  throw *first;
}

}  // namespace helio::schedule
