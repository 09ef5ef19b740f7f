// SPDX-License-Identifier: Apache-2.0
#include "pipeline/level_meter.h"

#include <algorithm>

namespace helio::pipeline {

LevelMeter::LevelMeter(const fabric::Fabric& fabric)
    : picture_(fabric::levels_picture(fabric)), where_(fabric::level_resources(fabric)) {}

void LevelMeter::count(const flow::Program& program, std::vector<std::string> classes, const ClassOf& class_of) {
  if (!has_levels()) return;
  classes_ = std::move(classes);
  bytes_.assign(picture_->levels.size(), std::vector<double>(classes_.size(), 0));

  // How often each template runs, and for whom; whoever calls it was made after it
  const std::size_t nobody = classes_.size();
  std::vector<std::vector<double>> runs(program.templates.size());
  runs[program.entry.value].assign(nobody + 1, 0);
  runs[program.entry.value][nobody] = 1;
  for (std::size_t t = program.templates.size(); t-- > 0;) {
    if (runs[t].empty()) continue;
    const flow::TemplateId where{static_cast<std::uint32_t>(t)};
    for (std::size_t i = 0; i < program.templates[t].operations.size(); ++i) {
      const flow::Operation& operation = program.templates[t].operations[i];
      std::vector<double> times = runs[t];
      if (const std::optional<std::size_t> of = class_of(where, i)) {
        double all = 0;
        for (const double each : times) all += each;
        std::ranges::fill(times, 0);
        times[*of] = all;
      }
      if (operation.kind == flow::OperationKind::kCall) {
        std::vector<double>& callee = runs[operation.callee.value];
        callee.resize(nobody + 1, 0);
        for (std::size_t c = 0; c <= nobody; ++c)
          callee[c] += times[c] * operation.repeat * static_cast<double>(operation.rounds);
      }
      if (operation.kind != flow::OperationKind::kTransfer || !operation.route.valid()) continue;
      const auto add = [&](flow::ResourceId id, double weight) {
        if (!program.resources.is_link(id)) return;
        const std::optional<std::uint32_t> level = where_.level_of(id);
        if (!level) return;
        const double each = operation.repeat * operation.bytes * weight * program.resources.rules(id).bundle;
        for (std::size_t c = 0; c < nobody; ++c) bytes_[*level][c] += times[c] * each;
      };
      for (const flow::LinkUse& use : program.routes.links(operation.route)) add(use.link, use.weight);
      for (const flow::ResourceId channel : program.routes.channels(operation.route)) add(channel, 1);
    }
  }
}

std::uint32_t LevelMeter::levels_of(const flow::Program& program, const flow::Operation& operation,
                                    const std::vector<std::uint32_t>& of_templates) const {
  if (operation.kind == flow::OperationKind::kCall) return of_templates[operation.callee.value];
  if (operation.kind != flow::OperationKind::kTransfer || !operation.route.valid()) return 0;
  std::uint32_t bits = 0;
  const auto links = program.routes.links(operation.route);
  const auto channels = program.routes.channels(operation.route);
  if (!links.empty() || !channels.empty())
    if (const auto level = where_.level_of(channels.empty() ? links.front().link : channels.front()))
      bits = 1u << *level;
  return bits;
}

std::vector<std::uint32_t> LevelMeter::levels_of_templates(const flow::Program& program) const {
  std::vector<std::uint32_t> bits(program.templates.size(), 0);
  if (!has_levels()) return bits;
  for (std::size_t t = 0; t < bits.size(); ++t)
    for (const flow::Operation& operation : program.templates[t].operations)
      bits[t] |= levels_of(program, operation, bits);
  return bits;
}

std::vector<LevelUse> LevelMeter::read(const flow::Program& program, const simulate::Timeline& timeline) const {
  if (!has_levels()) return {};
  std::vector<LevelUse> uses(picture_->levels.size());
  std::vector<std::uint64_t> links(uses.size(), 0);
  const double time = timeline.end.to_seconds();
  for (std::uint32_t i = 0; i < timeline.busy_seconds.size(); ++i) {
    const flow::ResourceId id{i};
    const std::optional<std::uint32_t> level = where_.level_of(id);
    if (!level || !program.resources.is_link(id)) continue;
    LevelUse& use = uses[*level];
    const double share = time > 0 ? timeline.busy_seconds[i] / time : 0;
    if (share > use.most) {
      use.most = share;
      use.busiest = program.resources.name(id);
    }
    use.mean += share;
    ++links[*level];
  }
  for (std::size_t k = 0; k < uses.size(); ++k) {
    if (links[k] > 0) uses[k].mean = std::min(uses[k].mean / static_cast<double>(links[k]), uses[k].most);
    for (std::size_t c = 0; c < classes_.size(); ++c)
      if (bytes_[k][c] > 0) uses[k].carried.emplace_back(classes_[c], bytes_[k][c]);
  }
  return uses;
}

}  // namespace helio::pipeline
