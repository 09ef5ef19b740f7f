// SPDX-License-Identifier: Apache-2.0
// The levels of a composite (composite.h): how they are written, and what they are made into.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/fabric.h"

namespace helio::fabric {

// One level as it was written: "wdm-ring:name=between,nodes=64,gateways=0+5+10,gateway_rate=1.6 Tb/s".
struct LevelChoice {
  std::string name;    // "between"; the fabric's, where none was given
  std::string fabric;  // "wdm-ring"
  Settings settings;   // of that fabric
  Settings joint;      // of the level: gateways, gateway_rate, gateway_choice, slow
};

// Levels between '/', the lowest first. Throws Error(kInput) at the place.
std::vector<LevelChoice> levels_in(std::string_view text, std::string_view place);
// And back.
std::string in_words(const std::vector<LevelChoice>& levels);
// What a level may have beside the parameters of its fabric.
const std::vector<Parameter>& level_parameters();

// Which of a unit's gateways a node uses that is none itself.
enum class GatewayChoice : std::uint8_t { kPosition, kNearest, kRail, kHash };

struct Level {
  std::string name;
  std::shared_ptr<const Fabric> fabric;
  std::uint32_t nodes = 1;              // units that an instance joins
  std::uint64_t unit = 1;               // nodes of the composite in a unit
  std::vector<std::uint32_t> gateways;  // of a unit, in increasing order
  bool all = true;                      // nodes of a unit are gateways
  std::optional<BitRate> gateway_rate;
  GatewayChoice choice = GatewayChoice::kPosition;
  std::map<std::uint32_t, double> speed;  // of instances that are slower
  flow::ResourceId gates_out, gates_in;   // by unit and gateway, where there is a rate
  std::uint64_t instance_of(NodeId node) const { return node.value / (unit * nodes); }
  std::uint64_t unit_of(NodeId node) const { return node.value / unit; }
  NodeId number_of(NodeId node) const { return {static_cast<std::uint32_t>(node.value / unit % nodes)}; }
  bool open() const { return fabric->gives_ways() && fabric->capabilities().wavelengths == 0; }
};

// What `levels` of the parameters says, with `nodes` for the highest level where it has none of its own; and what it is made into, the
// lowest first. Throw Error with the level's name.
std::vector<LevelChoice> choices_from(const Parameters& parameters);
std::vector<Level> levels_from(const Parameters& parameters);

inline constexpr std::uint64_t kMostCompositeNodes = 1u << 22;

}  // namespace helio::fabric
