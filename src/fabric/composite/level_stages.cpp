// SPDX-License-Identifier: Apache-2.0
#include "fabric/composite/level_stages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "fabric/composite/level_facts.h"

namespace helio::fabric {
namespace {

using schedule::CollectiveRequest;
using schedule::LevelStage;

// What one part says for the whole: the largest of what is counted; facts by level, of the first that has them.
void note(const Lowered& part, Lowered& whole, Facts& facts) {
  whole.wavelengths_used = std::max(whole.wavelengths_used, part.wavelengths_used);
  whole.longest_path_hops = std::max(whole.longest_path_hops, part.longest_path_hops);
  for (const Fact& fact : part.facts)
    if (std::ranges::none_of(facts, [&](const Fact& known) { return known.name == fact.name; })) facts.push_back(fact);
}

}  // namespace

Refusal said_by(const Level& level, Refusal refusal) {
  refusal.reason = fmt::format("level '{}': {}", level.name, refusal.reason);
  refusal.moves.clear();
  refusal.groups.clear();
  return refusal;
}

LowerResult LevelStages::lower(const std::vector<LevelStage>& stages, std::uint32_t waves, const std::string& name,
                               const CollectiveRequest& request, const LowerOptions& options) {
  const bool chained = options.order == schedule::Order::kStep;
  flow::Template body{.name = name, .operations = {}, .edges = {}};
  Lowered lowered;
  std::vector<Facts> facts(levels_.size());
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>
      last;  // operation of a chain that a node took part in
  for (const LevelStage& stage : stages) {
    std::map<std::uint64_t, std::vector<Class>> by_instance;
    collect(stage, request, by_instance);
    const std::uint32_t chain = chained ? 0 : stage.chain;  // rounds of a group follow each other
    const bool alone = stages.size() == 1 && by_instance.size() == 1;
    std::vector<std::pair<std::uint32_t, NodeId>> touched;
    for (auto& [instance, classes] : by_instance) {
      std::ranges::stable_sort(classes, {}, &Class::merged);
      for (std::size_t begin = 0, end = 0; begin < classes.size(); begin = end) {
        while (end < classes.size() && classes[end].merged == classes[begin].merged) ++end;
        LowerOptions inner = options;
        if (stages.size() > 1 || waves > 1) inner.order = stage.schedule->order;
        inner.condense = options.condense && alone && end - begin == classes.size();
        LowerResult result =
            lower_classes(stage, instance, std::span(classes).subspan(begin, end - begin), waves, request, inner);
        if (Refusal* refusal = std::get_if<Refusal>(&result)) return said_by(levels_[stage.part], std::move(*refusal));
        const Lowered& part = std::get<Lowered>(result);
        note(part, lowered, facts[stage.part]);
        LevelStory& told = told_[stage.part];
        told.wavelengths_used = std::max(told.wavelengths_used, part.wavelengths_used);
        combine(told.facts, part.facts);
        flow::Operation call;
        call.kind = flow::OperationKind::kCall;
        call.callee = part.entry;
        call.tag = stage.part;
        call.repeat = chained ? 1 : waves;
        const auto index = static_cast<std::uint32_t>(body.operations.size());
        body.operations.push_back(call);
        std::set<std::uint32_t> waits;
        for (std::size_t c = begin; c < end; ++c)
          for (const std::vector<NodeId>& holders : classes[c].holders)
            for (const NodeId node : holders) {
              if (const auto before = last.find({chain, node.value}); before != last.end())
                waits.insert(before->second);
              touched.emplace_back(index, node);
            }
        for (const std::uint32_t before : waits) body.edges.push_back({before, index, 0, 0, call.repeat});
      }
    }
    for (const auto& [index, node] : touched) last[{chain, node.value}] = index;
  }
  lowered.facts = facts_of(levels_, facts);
  lowered.entry = body.operations.size() == 1 && body.operations.front().repeat == 1 ? body.operations.front().callee
                                                                                     : program_.add(std::move(body));
  if (chained && waves > 1) {
    flow::Operation all;
    all.kind = flow::OperationKind::kCall;
    all.callee = lowered.entry;
    all.rounds = waves;
    lowered.entry = program_.add({.name = name, .operations = {all}, .edges = {}});
  }
  return lowered;
}

// Who runs the stage in which instance; teams with the same units are one.
void LevelStages::collect(const LevelStage& stage, const CollectiveRequest& request,
                          std::map<std::uint64_t, std::vector<Class>>& by_instance) const {
  const Level& level = levels_[stage.part];
  std::map<std::pair<std::uint64_t, std::vector<NodeId>>, std::size_t> known;
  for (const std::vector<NodeId>& group : request.groups)
    for (const LevelStage::Team& team : stage.teams) {
      const auto node = [&](schedule::Position p) { return group[static_cast<std::size_t>(p)]; };
      std::vector<NodeId> units;
      for (const auto& holders : team.holders) units.push_back(level.number_of(node(holders.front())));
      const std::uint64_t instance = level.instance_of(node(team.holders.front().front()));
      std::vector<Class>& classes = by_instance[instance];
      const auto [at, fresh] = known.try_emplace({instance, units}, classes.size());
      if (fresh)
        classes.push_back(
            {.units = std::move(units), .holders = std::vector<std::vector<NodeId>>(team.holders.size())});
      Class& mine = classes[at->second];
      ++mine.merged;
      for (std::size_t a = 0; a < team.holders.size(); ++a)
        for (const schedule::Position p : team.holders[a]) mine.holders[a].push_back(node(p));
    }
}

LowerResult LevelStages::lower_classes(const LevelStage& stage, std::uint64_t instance, std::span<const Class> classes,
                                       std::uint32_t waves, const CollectiveRequest& request, LowerOptions options) {
  CollectiveRequest among{.kind = stage.schedule->kind,
                          .bytes = request.bytes * (stage.share * stage.wire * classes.front().merged / waves),
                          .groups = {},
                          .root = stage.schedule->root,
                          .element_bytes = request.element_bytes};
  std::set<std::uint32_t> taken;
  for (const Class& each : classes) {
    for (const NodeId unit : each.units)
      if (!taken.insert(unit.value).second)
        return Refusal{"groups meet in some units and not in others",
                       "Let groups go one after the other (" + advised("remedy", "block") + ").",
                       0,
                       {},
                       {}};
    among.groups.push_back(each.units);
  }
  Doors doors;
  if (ways_.has_doors(stage.part)) {
    doors = doors_of(stage, classes, request);
    options.doors = &doors;
  }
  Memories memories;
  if (options.memories) {
    memories = {options.memories->first, std::vector<std::vector<NodeId>>(levels_[stage.part].nodes), 1 / stage.wire};
    for (const Class& each : classes)
      for (std::size_t a = 0; a < each.units.size(); ++a) memories.holders[each.units[a].value] = each.holders[a];
    options.memories = &memories;
  }
  return carriers_[stage.part][instance]->lower(*stage.schedule, among, options);
}

Doors LevelStages::doors_of(const LevelStage& stage, std::span<const Class> classes, const CollectiveRequest& request) {
  Doors doors;
  doors.out.resize(levels_[stage.part].nodes);
  doors.in.resize(levels_[stage.part].nodes);
  doors.holders = static_cast<std::uint32_t>(classes.front().holders.front().size());
  const schedule::Move move{};
  const Carriage carriage{*stage.schedule, request, move};
  for (const Class& each : classes)
    for (std::size_t a = 0; a < each.units.size(); ++a)
      for (const NodeId holder : each.holders[a]) {
        ways_.add_door(stage.part, true, holder, carriage, doors.out[each.units[a].value]);
        ways_.add_door(stage.part, false, holder, carriage, doors.in[each.units[a].value]);
      }
  return doors;
}

}  // namespace helio::fabric
