// SPDX-License-Identifier: Apache-2.0
#include "fabric/oddl/oddl_lights.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace helio::fabric {

std::variant<std::vector<OddlLights::Entry>, Unfit> OddlLights::lacking(std::span<const NodePair> pairs) const {
  std::vector<NodePair> dark;
  for (const NodePair& pair : pairs)
    if (!of_.contains(key(geometry_.group_of(pair.from), pair.to))) dark.push_back(pair);
  if (tunable_) return on_any_channel(dark);

  auto fit = first_fit(geometry_, dark, geometry_.planes, [&](std::uint32_t light) { return lit_.contains(light); });
  if (Unfit* unfit = std::get_if<Unfit>(&fit)) return std::move(*unfit);
  std::vector<Entry> entries;
  for (const SliceEntry& e : std::get<Slice>(fit))
    entries.push_back({e.source_group, geometry_.reached(e.destination_group, e.channel),
                       geometry_.light(e.source_group, e.plane, e.channel)});
  return entries;
}

std::variant<std::vector<OddlLights::Entry>, Unfit> OddlLights::on_any_channel(std::span<const NodePair> pairs) const {
  const std::uint32_t each = geometry_.planes * geometry_.channels;
  std::vector<std::uint32_t> next(geometry_.groups, 0);
  std::unordered_set<std::uint64_t> seen;
  std::vector<Entry> entries;
  for (const NodePair& pair : pairs) {
    const std::uint32_t group = geometry_.group_of(pair.from), first = geometry_.light(group, 0, 0);
    if (!seen.insert(key(group, pair.to)).second) continue;
    while (next[group] < each && lit_.contains(first + next[group])) ++next[group];
    if (next[group] == each)
      return Unfit{group, 0, fmt::format("group {} would have to reach more nodes than its {} channels", group, each)};
    entries.push_back({group, pair.to, first + next[group]++});
  }
  return entries;
}

std::uint32_t OddlLights::planes_for(std::span<const NodePair> pairs) const {
  if (tunable_) return (channels_needed(geometry_, pairs) + geometry_.channels - 1) / geometry_.channels;
  // A plane has so many channels of each class
  const std::uint32_t orders = geometry_.channels / geometry_.nodes_per_group;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<NodeId>> alike;
  std::size_t most = 0;
  for (const NodePair& pair : pairs) {
    std::set<NodeId>& nodes = alike[{geometry_.group_of(pair.from), geometry_.wavelength_class(pair.to)}];
    nodes.insert(pair.to);
    most = std::max(most, nodes.size());
  }
  return static_cast<std::uint32_t>((most + orders - 1) / orders);
}

OddlUse OddlLights::use(std::span<const NodePair> pairs) const {
  OddlUse use{std::vector<std::uint32_t>(geometry_.groups, 0), 0, {}};
  std::unordered_set<std::uint32_t> seen;
  for (const NodePair& pair : pairs) {
    const std::uint32_t group = geometry_.group_of(pair.from), at = light(group, pair.to);
    if (!seen.insert(at).second) continue;
    ++use.channels[group];
    use.planes = std::max(use.planes, at / geometry_.channels % geometry_.planes + 1);
    use.wavelengths.insert(at % geometry_.channels);
  }
  return use;
}

void OddlLights::add(std::span<const Entry> entries) {
  for (const Entry& entry : entries) {
    of_[key(entry.group, entry.to)] = entry.light;
    lit_.insert(entry.light);
  }
}

std::vector<OddlLights> lights_of(const Slice& slice, const OddlGeometry& geometry) {
  std::vector<OddlLights> lights;
  for (const SliceEntry& e : slice) {
    while (lights.size() <= e.part) lights.emplace_back(geometry, false);
    const OddlLights::Entry entry{e.source_group, geometry.reached(e.destination_group, e.channel),
                                  geometry.light(e.source_group, e.plane, e.channel)};
    lights[e.part].add({&entry, 1});
  }
  return lights;
}

}  // namespace helio::fabric
