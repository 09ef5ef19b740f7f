// SPDX-License-Identifier: Apache-2.0
#include "pipeline/link_use.h"

#include <algorithm>
#include <map>

#include "pipeline/energy.h"
#include "pipeline/job_schedules.h"

namespace helio::pipeline {
namespace {

constexpr std::string_view kLoss = "loss_db";  // the fact of whoever has light

}  // namespace

std::vector<LinkClass> link_classes(const simulate::Timeline& timeline, const flow::Program& program) {
  std::map<std::string, LinkClass> classes;
  const double time = timeline.end.to_seconds();
  for (std::uint32_t i = 0; i < program.resources.size(); ++i) {
    const flow::ResourceId id{i};
    if (program.resources.is_channel(id) && !program.resources.is_link(id))
      continue;  // memories of nodes are told, too
    LinkClass& found = classes[program.resources.class_name(id)];
    const double share = time > 0 ? timeline.busy_seconds[i] / time : 0;
    const std::uint32_t bundle = program.resources.rules(id).bundle;
    found.links += bundle;
    found.mean += share * bundle;
    found.most = std::max(found.most, share);
  }
  std::vector<LinkClass> result;
  for (auto& [name, found] : classes) {
    found.name = name;
    found.mean = std::min(found.mean / static_cast<double>(found.links), found.most);  // a sum of equals may round up
    result.push_back(found);
  }
  return result;
}

std::vector<LevelResult> level_results(Assembly& assembly, const simulate::Timeline& timeline,
                                       const std::vector<double>& carried, std::span<const double> bits,
                                       const Settings& known_better) {
  const schedule::Capabilities& capabilities = assembly.capabilities();
  std::vector<LevelResult> levels;
  if (!has_levels(capabilities)) return levels;

  // What they are, and what they told while they lowered
  const std::vector<fabric::LevelStory> told = assembly.carrier().levels_told();
  for (std::size_t k = 0; k < capabilities.parts.size(); ++k) {
    const schedule::Capabilities::Part& part = capabilities.parts[k];
    LevelResult level{.name = part.name,
                      .fabric = part.capabilities.fabric,
                      .instances = part.instances.size(),
                      .units = part.capabilities.nodes,
                      .wavelengths_used = told[k].wavelengths_used,
                      .facts = told[k].facts};
    for (const Fact& fact : level.facts)
      if (fact.name == kLoss) level.loss_db = std::get<double>(fact.value);
    levels.push_back(std::move(level));
  }

  // What its links carried
  const flow::ResourceTable& resources = assembly.program.resources;
  const double time = timeline.end.to_seconds();
  std::vector<double> links(levels.size(), 0);
  std::vector<flow::ResourceId> busiest(levels.size());
  for (std::uint32_t i = 0; i < resources.size(); ++i) {
    const flow::ResourceId id{i};
    const std::optional<std::uint32_t> k = assembly.carrier().level_of(id);
    if (!k || !resources.is_link(id)) continue;
    LevelResult& level = levels[*k];
    const double share = time > 0 ? timeline.busy_seconds[i] / time : 0;
    const std::uint32_t bundle = resources.rules(id).bundle;
    level.traffic += Bytes{carried[i] * bundle};
    level.mean += share * bundle;
    links[*k] += bundle;
    if (share > level.most) {
      level.most = share;
      busiest[*k] = id;
    }
  }
  for (std::size_t k = 0; k < levels.size(); ++k) {
    LevelResult& level = levels[k];
    if (links[k] > 0) level.mean = std::min(level.mean / links[k], level.most);
    if (level.most > 0) level.busiest = resources.name(busiest[k]);
    level.energy = network_energy(assembly.fabric().fabric(), bits, time, known_better, level.name).total();
  }
  return levels;
}

}  // namespace helio::pipeline
