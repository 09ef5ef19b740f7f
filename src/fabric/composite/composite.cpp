// SPDX-License-Identifier: Apache-2.0
#include "fabric/composite/composite.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/mix.h"
#include "fabric/carrier.h"
#include "fabric/composite/levels.h"
#include "fabric/parameters.h"

namespace helio::fabric {
namespace {

using schedule::CollectiveRequest;
using schedule::LevelStage;
using schedule::Schedule;

constexpr const char* kUsualLevels = "switch:nodes=4/ring:nodes=4";

class Composite : public Fabric {
 public:
  explicit Composite(std::vector<Level> levels) : levels_(std::move(levels)) {
    add_gates();
    say_what_it_can();
  }

  // Each level that runs one schedule by what that can tell apart.
  std::unique_ptr<Fabric> simplified_for(const Schedule& schedule) const override {
    std::vector<std::vector<const Schedule*>> ran(levels_.size());
    for (const LevelStage& stage : schedule.stages)
      if (auto& known = ran[stage.part]; std::ranges::count(known, stage.schedule.get()) == 0)
        known.push_back(stage.schedule.get());
    auto simplified = std::make_unique<Composite>(*this);
    bool any = false;
    for (std::size_t k = 0; k < levels_.size(); ++k)
      if (ran[k].size() == 1)
        if (std::shared_ptr<const Fabric> simpler = levels_[k].fabric->simplified_for(*ran[k].front())) {
          simplified->levels_[k].fabric = std::move(simpler);
          any = true;
        }
    return any ? std::move(simplified) : nullptr;
  }

  std::unique_ptr<Carrier> install(flow::Program& program, Site site = {}) const override;
  const std::vector<Level>& levels() const { return levels_; }
  std::uint64_t instances(std::size_t k) const { return capabilities_.nodes / (levels_[k].unit * levels_[k].nodes); }

 private:
  void add_gates() {
    const std::uint64_t nodes = levels_.back().unit * levels_.back().nodes;
    capabilities_.nodes = nodes;
    for (std::size_t k = 1; k < levels_.size(); ++k) {
      Level& level = levels_[k];
      if (!level.gateway_rate) continue;
      const auto each = static_cast<std::uint32_t>(level.gateways.size());
      const auto add = [&](const char* direction) {
        const auto name = [each, direction, gateways = level.gateways, below = levels_[k - 1].name](std::uint32_t i) {
          return fmt::format("gateway {} of {} {}, {}", gateways[i % each], below, i / each, direction);
        };
        return resources_.add_links(static_cast<std::uint32_t>(nodes / level.unit) * each, *level.gateway_rate,
                                    {name, fmt::format("gateway of level, {}", direction)});
      };
      level.gates_out = add("out");
      level.gates_in = add("in");
    }
  }

  // What a unit can hand to the level above at once.
  static BitRate capped(const Level& level, BitRate rate) {
    if (!level.gateway_rate) return rate;
    return std::min(rate, *level.gateway_rate * static_cast<double>(level.gateways.size()));
  }

  void say_what_it_can() {
    schedule::Capabilities& all = capabilities_;
    const schedule::Capabilities& lowest = levels_.front().fabric->capabilities();
    all.fabric = "composite";
    all.link_rate = lowest.link_rate;
    all.hop_latency = lowest.hop_latency;
    all.nearest_latency = lowest.nearest_latency;
    all.step_overhead = lowest.step_overhead;
    all.first_setup = lowest.first_setup;
    all.io_rate = lowest.io_rate * static_cast<double>(instances(0));
    all.least_wire_factor = 1;
    for (std::size_t k = 0; k < levels_.size(); ++k) {
      const Level& level = levels_[k];
      schedule::Capabilities can = level.fabric->capabilities();
      can.injection = capped(level, can.injection);
      can.ejection = capped(level, can.ejection);
      can.link_rate = std::min(can.link_rate, can.injection);
      for (const std::string& assumption : can.assumptions)
        if (std::ranges::count(all.assumptions, assumption) == 0) all.assumptions.push_back(assumption);

      // All that one node can do at once: below, and as a gateway of each level
      const BitRate own_out =
          k == 0 || !level.gateway_rate ? can.injection : std::min(can.injection, *level.gateway_rate);
      const BitRate own_in = k == 0 || !level.gateway_rate ? can.ejection : std::min(can.ejection, *level.gateway_rate);
      all.injection = all.injection + own_out;
      all.ejection = all.ejection + own_in;
      all.nearest_latency = std::min(all.nearest_latency, can.nearest_latency);
      all.farthest_latency = std::max(all.nearest_latency, can.farthest_latency);
      all.step_overhead = std::min(all.step_overhead, can.step_overhead);
      all.first_setup = std::min(all.first_setup, can.first_setup);
      all.step_setup = std::max(all.step_setup, can.step_setup);
      all.reduces = all.reduces || can.reduces;
      all.multicasts = all.multicasts || can.multicasts;
      all.least_wire_factor = std::min(all.least_wire_factor, can.least_wire_factor);
      if (k + 1 == levels_.size())
        for (schedule::Cut cut : can.cuts) {
          cut.name = fmt::format("{} of {}", cut.name, level.name);
          cut.inside *= level.unit;
          if (k > 0) all.cuts.push_back(std::move(cut));
        }

      schedule::Capabilities::Part part{
          .name = level.name, .capabilities = std::move(can), .unit = level.unit, .open = level.open()};
      if (!level.all) part.gateways = level.gateways;
      part.instances.resize(all.nodes / (level.unit * level.nodes));
      for (std::uint32_t node = 0; node < all.nodes; ++node) part.instances[level.instance_of({node})].push_back(node);
      all.parts.push_back(std::move(part));
    }

    // Around a unit: what it hands to its level, and its nodes, as gateways, to those above
    for (std::size_t k = 1; k < levels_.size(); ++k) {
      BitRate out{0}, in{0};
      for (std::size_t j = k; j < levels_.size(); ++j) {
        const auto most = [&](BitRate rate) {
          return levels_[j].gateway_rate
                     ? std::min(rate, *levels_[j].gateway_rate * static_cast<double>(levels_[k].unit))
                     : rate;
        };
        out = out + most(all.parts[j].capabilities.injection);
        in = in + most(all.parts[j].capabilities.ejection);
      }
      all.cuts.push_back({fmt::format("gateways of a {}", levels_[k - 1].name), levels_[k].unit, out, in});
    }
  }

  std::vector<Level> levels_;
};

// A way that cannot be put together.
struct Blocked {
  std::string reason;
};

class CompositeCarrier : public Carrier {
 public:
  CompositeCarrier(const Composite& composite, flow::Program& program, Site site)
      : Carrier(composite, program, std::move(site)), composite_(composite), levels_(composite.levels()) {
    for (std::size_t k = 0; k < levels_.size(); ++k) {
      const Level& level = levels_[k];
      auto& carriers = carriers_.emplace_back();
      for (std::uint32_t i = 0; i < composite.instances(k); ++i) {
        const std::uint32_t first = program.resources.size();
        const std::size_t controls = program.controls.size();
        carriers.push_back(level.fabric->install(
            program,
            {.nodes = {}, .name = composite.instances(k) > 1 ? fmt::format("{} {}", level.name, i) : level.name}));
        // Each draws its own
        for (std::size_t c = controls; c < program.controls.size(); ++c)
          if (i > 0) program.controls[c].messages.seed = mixed(program.controls[c].messages.seed, i);
        if (const auto slower = level.speed.find(i); slower != level.speed.end())
          for (std::uint32_t r = first; r < program.resources.size(); ++r)
            program.resources.set_rate({r}, program.resources.rate({r}) * slower->second);
      }
    }
  }

 protected:
  LowerResult lower_here(const Schedule& schedule, const CollectiveRequest& request,
                         const LowerOptions& options) override {
    try {
      if (!schedule.stages.empty())
        return lower_stages(schedule.stages, schedule.waves, schedule.algorithm, request, options);
      if (const std::optional<std::size_t> level = level_of(request)) {
        // Everybody is a unit of that level
        LevelStage::Team team;
        for (schedule::Position p = 0; p < schedule.ranks; ++p) team.holders.push_back({p});
        const std::shared_ptr<const Schedule> same(&schedule, [](const Schedule*) {});
        return lower_stages({{static_cast<std::uint32_t>(*level), same, 1, {std::move(team)}}}, 1, schedule.algorithm,
                            request, options);
      }
      return Carrier::lower_here(schedule, request, options);
    } catch (const Blocked& blocked) {
      return Refusal{blocked.reason, "Use " + advised("algorithm", "by-level") + ".", 0, {}, {}};
    }
  }

  bool lanes_are_promises() const override {
    return std::ranges::any_of(levels_,
                               [](const Level& level) { return level.fabric->capabilities().wavelengths > 0; });
  }

  std::optional<Refusal> object(const Schedule& schedule, const CollectiveRequest&, const LowerOptions&) override {
    for (std::uint32_t p = 0; p < schedule.phases.size(); ++p)
      for (std::uint32_t i = 0; i < schedule.phases[p].moves.size(); i += schedule.phases[p].moves.each())
        if (const schedule::Move move = schedule.phases[p].moves[i]; move.source < 0 || move.destination < 0)
          return Refusal{"no level adds or copies for nodes of several units in one go",
                         "Use " + advised("algorithm", "by-level") + ", which lets each level do what it can.",
                         p,
                         {i},
                         {}};
    return usual_objection(capabilities(), schedule);
  }

  // Light of each level by itself: to its carrier the moves that cross it are moves between units.
  void assign(const CollectiveRequest& request, std::span<const Traveller> travellers,
              std::vector<Assignment>& assignments) override {
    assignments.assign(travellers.size(), {});
    for (std::size_t i = 0; i < travellers.size(); ++i) assignments[i].lane = travellers[i].move->lane;
    for (std::size_t k = 0; k < levels_.size(); ++k) {
      if (levels_[k].fabric->capabilities().wavelengths == 0) continue;
      CollectiveRequest units = request;
      for (std::vector<NodeId>& group : units.groups)
        for (NodeId& node : group) node = levels_[k].number_of(node);
      std::map<std::uint64_t, std::vector<std::size_t>> crossing;  // by instance
      for (std::size_t i = 0; i < travellers.size(); ++i) {
        const std::vector<NodeId>& group = request.groups[travellers[i].group];
        const NodeId from = group[static_cast<std::size_t>(travellers[i].move->source)],
                     to = group[static_cast<std::size_t>(travellers[i].move->destination)];
        if (meeting(from, to) == k) crossing[levels_[k].instance_of(from)].push_back(i);
      }
      for (const auto& [instance, who] : crossing) {
        std::vector<Traveller> some;
        for (const std::size_t i : who) some.push_back(travellers[i]);
        std::vector<Assignment> given;
        carriers_[k][instance]->assign_ways(units, some, given);
        for (std::size_t i = 0; i < who.size() && i < given.size(); ++i) assignments[who[i]] = given[i];
      }
    }
  }

  void route(NodeId from, NodeId to, const Carriage& carriage, Way& way) override {
    way.overhead = Time();
    lit_ = 0;
    has_lane_ = meeting(from, to);
    pass(from, to, carriage, way);
    if (lit_ > 0)
      for (flow::LinkUse& use : way.links) use.weight = weight_of(use.weight / way.bytes_factor);
  }

  std::optional<Refusal> complete(const Schedule& schedule, const CollectiveRequest& request,
                                  const LowerOptions& options, std::size_t first, Lowered& lowered) override {
    for (std::size_t k = levels_.size(); k-- > 0;)
      if (levels_[k].fabric->capabilities().wavelengths > 0)
        if (std::optional<Refusal> refusal =
                carriers_[k].front()->complete_ways(schedule, request, options, first, lowered))
          return said_by(k, *std::move(refusal));
    return std::nullopt;
  }

  // Each unit by its own I/O: what its nodes need comes in, and everything that they hold, once, goes out.
  bool stream_here(std::span<const std::vector<NodeId>> shards, bool inward, Way& way) override {
    const Level& lowest = levels_.front();
    struct Mine {
      std::vector<std::vector<NodeId>> lists;
      double shards = 0;
    };
    std::map<std::uint64_t, Mine> by_instance;
    for (const std::vector<NodeId>& shard : shards) {
      std::set<std::uint64_t> met;
      for (const NodeId node : shard) {
        Mine& mine = by_instance[lowest.instance_of(node)];
        const bool first = met.insert(lowest.instance_of(node)).second;
        if (first) ++mine.shards;
        if (first || !inward) mine.lists.emplace_back();
        mine.lists.back().push_back(lowest.number_of(node));
      }
    }
    for (const auto& [instance, mine] : by_instance) {
      std::vector<flow::LinkUse> links;
      if (!carriers_.front()[instance]->stream(mine.lists, inward, links)) return false;
      const double part = mine.shards / static_cast<double>(shards.size());
      for (const flow::LinkUse& use : links)
        way.links.push_back({use.link, part == 1 ? use.weight : weight_of(use.weight * part)});
    }
    return true;
  }

 private:
  // The lowest level whose instance holds both.
  std::size_t meeting(NodeId a, NodeId b) const {
    std::size_t k = 0;
    while (levels_[k].instance_of(a) != levels_[k].instance_of(b)) ++k;
    return k;
  }

  // The level on which every group is nodes of different units of one instance.
  std::optional<std::size_t> level_of(const CollectiveRequest& request) const {
    const auto fits = [&](const Level& level) {
      return std::ranges::all_of(request.groups, [&](const std::vector<NodeId>& group) {
        std::set<std::uint64_t> units;
        for (const NodeId node : group)
          if (level.instance_of(node) != level.instance_of(group.front()) || !units.insert(level.unit_of(node)).second)
            return false;
        return true;
      });
    };
    for (std::size_t k = 0; k < levels_.size(); ++k)
      if (fits(levels_[k])) return k;
    return std::nullopt;
  }

  Refusal said_by(std::size_t k, Refusal refusal) const {
    refusal.reason = fmt::format("level '{}': {}", levels_[k].name, refusal.reason);
    refusal.moves.clear();
    refusal.groups.clear();
    return refusal;
  }

  // The gateway of its unit on level k that a node's bytes take: its own where it is one.
  std::uint32_t gateway_index(std::size_t k, NodeId node, NodeId other) const {
    const Level& level = levels_[k];
    const auto position = static_cast<std::uint32_t>(node.value % level.unit);
    if (level.all) return position;
    const auto at = std::ranges::lower_bound(level.gateways, position);
    if (at != level.gateways.end() && *at == position) return static_cast<std::uint32_t>(at - level.gateways.begin());
    if (level.choice == GatewayChoice::kHash)
      return static_cast<std::uint32_t>(mixed(node.value, other.value) % level.gateways.size());
    return static_cast<std::uint32_t>(position * level.gateways.size() / level.unit);
  }
  NodeId gateway(std::size_t k, NodeId in_unit, std::uint32_t index) const {
    const Level& level = levels_[k];
    return {static_cast<std::uint32_t>(level.unit_of(in_unit) * level.unit + level.gateways[index])};
  }
  void cross_gate(std::size_t k, NodeId in_unit, std::uint32_t index, bool out,
                  std::vector<flow::LinkUse>& links) const {
    const Level& level = levels_[k];
    if (!level.gateway_rate) return;
    const auto gate = static_cast<std::uint32_t>(level.unit_of(in_unit) * level.gateways.size() + index);
    links.push_back({flow::ResourceId{offset() + (out ? level.gates_out : level.gates_in).value + gate}, 1});
  }

  // Appends the way, weights by byte of the message.
  void pass(NodeId from, NodeId to, const Carriage& carriage, Way& way) {
    if (from == to) return;
    const std::size_t k = meeting(from, to);
    const Level& level = levels_[k];
    if (!level.fabric->gives_ways())
      throw Blocked{
          fmt::format("level '{}': '{}' carries no single messages", level.name, level.fabric->capabilities().fabric)};
    if (level.fabric->capabilities().wavelengths > 0 && k != has_lane_)
      throw Blocked{fmt::format(
          "level '{}': a message that only passes through on its way to a gateway has no wavelength", level.name)};
    std::uint32_t out = 0, in = 0;
    if (k > 0) {
      in = gateway_index(k, to, from);
      out = level.choice == GatewayChoice::kRail ? in : gateway_index(k, from, to);
      pass(from, gateway(k, from, out), carriage, way);
      cross_gate(k, from, out, true, way.links);
    }
    Way here;
    here.overhead = level.fabric->capabilities().step_overhead;
    carriers_[k][level.instance_of(from)]->add_way(level.number_of(from), level.number_of(to), carriage, here);
    append(here, level, way);
    if (k > 0) {
      cross_gate(k, to, in, false, way.links);
      pass(gateway(k, to, in), to, carriage, way);
    }
  }

  void append(const Way& here, const Level& level, Way& way) {
    const bool lit = !here.channels.empty() || here.controlled;
    if (lit && lit_++ > 0)
      throw Blocked{fmt::format("level '{}': a message would need light on two levels at once", level.name)};
    for (const flow::LinkUse& use : here.links)
      way.links.push_back({use.link, here.bytes_factor == 1 ? use.weight : weight_of(use.weight * here.bytes_factor)});
    way.channels.insert(way.channels.end(), here.channels.begin(), here.channels.end());
    way.latency += here.latency;
    way.overhead = std::max(way.overhead, here.overhead);
    way.hops = std::max(way.hops, here.hops);
    if (!lit) return;
    way.bytes_factor = here.bytes_factor;
    way.circuit = here.circuit;
    way.always_setup = here.always_setup;
    way.controlled = here.controlled;
    way.controller = here.controller;
    way.agent = here.agent;
    way.claim = here.claim;
  }

  // Units of one instance that run one stage together, and the nodes that hold their parts.
  struct Class {
    std::vector<NodeId> units;                 // numbers in the instance, by rank of the stage's schedule
    std::vector<std::vector<NodeId>> holders;  // of each
    std::uint32_t merged = 0;                  // teams of groups whose units are the same
  };

  // LevelStage after stage; an instance waits for those that last had its nodes.
  LowerResult lower_stages(const std::vector<LevelStage>& stages, std::uint32_t waves, const std::string& name,
                           const CollectiveRequest& request, const LowerOptions& options) {
    const bool chained = options.order == schedule::Order::kStep;
    flow::Template body{.name = name, .operations = {}, .edges = {}};
    Lowered lowered;
    std::map<std::uint32_t, std::uint32_t> last;  // operation that a node took part in
    for (const LevelStage& stage : stages) {
      std::map<std::uint64_t, std::vector<Class>> by_instance;
      collect(stage, request, by_instance);
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
          if (Refusal* refusal = std::get_if<Refusal>(&result)) return said_by(stage.part, std::move(*refusal));
          const Lowered& part = std::get<Lowered>(result);
          note(part, lowered);
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
                if (const auto before = last.find(node.value); before != last.end()) waits.insert(before->second);
                touched.emplace_back(index, node);
              }
          for (const std::uint32_t before : waits) body.edges.push_back({before, index, 0, 0, call.repeat});
        }
      }
      for (const auto& [index, node] : touched) last[node.value] = index;
    }
    lowered.entry = body.operations.size() == 1 && body.operations.front().repeat == 1 ? body.operations.front().callee
                                                                                       : program().add(std::move(body));
    if (chained && waves > 1) {
      flow::Operation all;
      all.kind = flow::OperationKind::kCall;
      all.callee = lowered.entry;
      all.rounds = waves;
      lowered.entry = program().add({.name = name, .operations = {all}, .edges = {}});
    }
    return lowered;
  }

  // Who runs the stage in which instance; teams with the same units are one.
  void collect(const LevelStage& stage, const CollectiveRequest& request,
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

  LowerResult lower_classes(const LevelStage& stage, std::uint64_t instance, std::span<const Class> classes,
                            std::uint32_t waves, const CollectiveRequest& request, LowerOptions options) {
    CollectiveRequest among{.kind = stage.schedule->kind,
                            .bytes = request.bytes * (stage.share * classes.front().merged / waves),
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
    if (needs_doors(stage.part)) {
      doors = doors_of(stage, classes, request);
      options.doors = &doors;
    }
    return carriers_[stage.part][instance]->lower(*stage.schedule, among, options);
  }

  bool needs_doors(std::size_t k) const { return k > 0 && (!levels_[k].all || levels_[k].gateway_rate); }

  Doors doors_of(const LevelStage& stage, std::span<const Class> classes, const CollectiveRequest& request) {
    const std::size_t k = stage.part;
    Doors doors;
    doors.out.resize(levels_[k].nodes);
    doors.in.resize(levels_[k].nodes);
    doors.holders = static_cast<std::uint32_t>(classes.front().holders.front().size());
    const schedule::Move move{};
    const Carriage carriage{*stage.schedule, request, move};
    const auto add = [&](bool out, NodeId holder, Doors::Door& door) {
      const std::uint32_t index = gateway_index(k, holder, holder);
      const NodeId gate = gateway(k, holder, index);
      Way way;
      lit_ = 0;
      has_lane_.reset();
      if (gate != holder) out ? pass(holder, gate, carriage, way) : pass(gate, holder, carriage, way);
      if (lit_ > 0)
        throw Blocked{fmt::format("level '{}': node {} is no gateway, and its way to one needs light", levels_[k].name,
                                  holder.value)};
      cross_gate(k, holder, index, out, way.links);
      for (const flow::LinkUse& use : way.links) {
        const auto same = std::ranges::find(door.links, use.link, &flow::LinkUse::link);
        if (same == door.links.end())
          door.links.push_back(use);
        else
          same->weight += use.weight;
      }
      door.latency = std::max(door.latency, way.latency);
    };
    for (const Class& each : classes)
      for (std::size_t a = 0; a < each.units.size(); ++a)
        for (const NodeId holder : each.holders[a]) {
          add(true, holder, doors.out[each.units[a].value]);
          add(false, holder, doors.in[each.units[a].value]);
        }
    return doors;
  }

  // What one part says for the whole: the largest of what is counted; facts of the highest level that has them.
  static void note(const Lowered& part, Lowered& whole) {
    whole.wavelengths_used = std::max(whole.wavelengths_used, part.wavelengths_used);
    whole.longest_path_hops = std::max(whole.longest_path_hops, part.longest_path_hops);
    for (const Fact& fact : part.facts)
      if (std::ranges::none_of(whole.facts, [&](const Fact& known) { return known.name == fact.name; }))
        whole.facts.push_back(fact);
  }

  const Composite& composite_;
  const std::vector<Level>& levels_;
  std::vector<std::vector<std::unique_ptr<Carrier>>> carriers_;  // by level and instance
  int lit_ = 0;                                                  // levels with light on the way that is put together
  std::optional<std::size_t> has_lane_;                          // the level whose light its move was given
};

std::unique_ptr<Carrier> Composite::install(flow::Program& program, Site site) const {
  return std::make_unique<CompositeCarrier>(*this, program, std::move(site));
}

}  // namespace

Description describe_composite() {
  const std::string example = "all-reduce fabric=composite bytes=1MB algorithm=ring";
  return {"composite",
          "fabrics made of fabrics: a level joins instances of the level below, through their gateways",
          "ours; docs/composite.md",
          {named("levels", ParameterType::kText, kUsualLevels,
                 "fabrics with their parameters, the lowest first, '/' between them: "
                 "fred:variant=D/wdm-ring:nodes=64,gateways=4; a level also "
                 "has name, gateways, gateway_rate, gateway_choice and slow",
                 {example, "switch:nodes=2/ring:nodes=8", ""}),
           {.name = "nodes",
            .type = ParameterType::kInteger,
            .minimum = "1",
            .maximum = fmt::format("{}", kMostCompositeNodes),
            .description = "of all levels together; gives the highest level its nodes where it has none of its own",
            .matters = {.question = example + " fabric.levels=switch:nodes=2/ring", .other = "16", .value = "8"},
            .optional = true}}};
}

std::optional<LevelsPicture> levels_picture(const Fabric& fabric) {
  const auto* composite = dynamic_cast<const Composite*>(&fabric);
  if (!composite) return std::nullopt;
  LevelsPicture picture;
  for (std::size_t k = 0; k < composite->levels().size(); ++k) {
    const Level& level = composite->levels()[k];
    LevelsPicture::Level& drawn = picture.levels.emplace_back();
    drawn.name = level.name;
    drawn.fabric = level.fabric->capabilities().fabric;
    drawn.instances = composite->instances(k);
    drawn.units = level.nodes;
    drawn.unit = level.unit;
    if (!level.all) drawn.gateways = level.gateways;
    drawn.gateway_rate = level.gateway_rate;
    drawn.injection = composite->capabilities().parts[k].capabilities.injection;
    drawn.slow.assign(level.speed.begin(), level.speed.end());
  }
  return picture;
}

std::unique_ptr<Fabric> make_composite(const Parameters& parameters) {
  std::vector<Level> levels = levels_from(parameters);
  if (levels.size() > 1) return std::make_unique<Composite>(std::move(levels));
  const LevelChoice alone = choices_from(parameters).front();
  return make(alone.fabric, alone.settings, parameters.place("levels"));
}

}  // namespace helio::fabric
