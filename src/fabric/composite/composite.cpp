// SPDX-License-Identifier: Apache-2.0
#include "fabric/composite/composite.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_set>
#include <utility>

#include "base/mix.h"
#include "fabric/carrier.h"
#include "fabric/composite/level_facts.h"
#include "fabric/composite/level_stages.h"
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

  // Each level by what the schedules that it runs can tell apart; none where single moves find their own way over the levels.
  std::unique_ptr<Fabric> simplified_for(std::span<const Schedule* const> all) const override {
    std::vector<std::vector<const Schedule*>> ran(levels_.size());
    std::unordered_set<const Schedule*> known;
    for (const Schedule* schedule : all) {
      if (schedule->stages.empty()) return nullptr;
      for (const LevelStage& stage : schedule->stages)
        if (known.insert(stage.schedule.get()).second) ran[stage.part].push_back(stage.schedule.get());
    }
    auto simplified = std::make_unique<Composite>(*this);
    bool any = false;
    for (std::size_t k = 0; k < levels_.size(); ++k)
      if (!ran[k].empty())
        if (std::shared_ptr<const Fabric> simpler = levels_[k].fabric->simplified_for(ran[k])) {
          simplified->levels_[k].fabric = std::move(simpler);
          any = true;
        }
    return any ? std::move(simplified) : nullptr;
  }

  // That of every instance of every level.
  Bill bill() const override {
    Bill all;
    for (std::size_t k = 0; k < levels_.size(); ++k)
      for (BillLine line : levels_[k].fabric->bill().lines) {
        line.count *= static_cast<double>(instances(k));
        line.level = levels_[k].name;
        all.add(std::move(line));
      }
    return all;
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
        const auto name = [each, direction, gateways = level.gateways, to = level.name,
                           below = levels_[k - 1].name](std::uint32_t i) {
          return fmt::format("{}: gateway {} of {} {}, {}", to, gateways[i % each], below, i / each, direction);
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

class CompositeCarrier : public Carrier {
 public:
  CompositeCarrier(const Composite& composite, flow::Program& program, Site site)
      : Carrier(composite, program, std::move(site)), levels_(composite.levels()), ways_(levels_, carriers_, offset()) {
    for (std::size_t k = 0; k < levels_.size(); ++k) {
      const Level& level = levels_[k];
      begins_.push_back(program.resources.size());
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
    begins_.push_back(program.resources.size());
    told_.resize(levels_.size());
  }

  std::vector<Crossing> crossings() const override {
    std::vector<Crossing> all;
    std::uint32_t lines = 0;
    for (std::size_t k = 0; k < levels_.size(); ++k) {
      const Bill bill = levels_[k].fabric->bill();
      for (const std::unique_ptr<Carrier>& carrier : carriers_[k])
        for (Crossing crossing : bill.crossings) {
          crossing.first.value += carrier->offset();
          for (Crossing::Passed& passed : crossing.passed) passed.line += lines;
          all.push_back(std::move(crossing));
        }
      lines += static_cast<std::uint32_t>(bill.lines.size());
    }
    return all;
  }
  std::optional<std::uint32_t> level_of(flow::ResourceId resource) const override {
    if (resource.value >= begins_.front()) {
      const auto next = std::ranges::upper_bound(begins_, resource.value);
      if (next == begins_.end()) return std::nullopt;
      return static_cast<std::uint32_t>(next - begins_.begin() - 1);
    }
    for (std::uint32_t k = 1; k < levels_.size(); ++k) {
      if (!levels_[k].gateway_rate) continue;
      const auto gates =
          static_cast<std::uint32_t>(capabilities().nodes / levels_[k].unit * levels_[k].gateways.size());
      for (const flow::ResourceId first : {levels_[k].gates_out, levels_[k].gates_in})
        if (resource.value - offset() - first.value < gates) return k;
    }
    return std::nullopt;
  }
  std::vector<LevelStory> levels_told() const override { return told_; }

 protected:
  LowerResult lower_here(const Schedule& schedule, const CollectiveRequest& request,
                         const LowerOptions& options) override {
    LevelStages stages(levels_, carriers_, ways_, program(), told_);
    try {
      if (!schedule.stages.empty())
        return stages.lower(schedule.stages, schedule.waves, schedule.algorithm, request, options);
      if (const std::optional<std::size_t> level = level_of(request)) {
        // Everybody is a unit of that level
        LevelStage::Team team;
        for (schedule::Position p = 0; p < schedule.ranks; ++p) team.holders.push_back({p});
        const std::shared_ptr<const Schedule> same(&schedule, [](const Schedule*) {});
        return stages.lower({{static_cast<std::uint32_t>(*level), same, 1, {std::move(team)}}}, 1, schedule.algorithm,
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
        if (ways_.meeting(from, to) == k) crossing[levels_[k].instance_of(from)].push_back(i);
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
    ways_.join(from, to, carriage, way);
  }

  std::optional<Refusal> complete(const Schedule& schedule, const CollectiveRequest& request,
                                  const LowerOptions& options, std::size_t first, Lowered& lowered) override {
    for (std::size_t k = levels_.size(); k-- > 0;)
      if (levels_[k].fabric->capabilities().wavelengths > 0) {
        const std::size_t before = lowered.facts.size();
        if (std::optional<Refusal> refusal =
                carriers_[k].front()->complete_ways(schedule, request, options, first, lowered))
          return said_by(levels_[k], *std::move(refusal));
        told_[k].wavelengths_used = std::max(told_[k].wavelengths_used, lowered.wavelengths_used);
        combine(told_[k].facts, {lowered.facts.begin() + static_cast<std::ptrdiff_t>(before), lowered.facts.end()});
      }
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

  const std::vector<Level>& levels_;
  LevelCarriers carriers_;
  LevelWays ways_;
  std::vector<std::uint32_t> begins_;  // of each level's resources, and their end
  std::vector<LevelStory> told_;       // by level
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
            .optional = true}},
          {kLevelFactsFact, kFewerGatewaysFact}};
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

std::optional<std::uint32_t> LevelResources::level_of(flow::ResourceId id) const {
  const auto found =
      std::ranges::upper_bound(stretches_, id.value, {}, &std::pair<std::uint32_t, std::uint32_t>::first);
  return found == stretches_.end() ? std::nullopt : std::optional(found->second);
}

LevelResources level_resources(const Fabric& fabric) {
  LevelResources resources;
  const auto* composite = dynamic_cast<const Composite*>(&fabric);
  if (!composite) return resources;

  // Its own, which are gateways, then those of all instances of each level, as they are installed
  const std::vector<Level>& levels = composite->levels();
  std::uint32_t end = 0;
  for (std::uint32_t k = 1; k < levels.size(); ++k) {
    if (!levels[k].gateway_rate) continue;
    const std::uint64_t units = composite->capabilities().nodes / levels[k].unit;
    end += static_cast<std::uint32_t>(2 * units * levels[k].gateways.size());
    resources.stretches_.emplace_back(end, k);
  }
  for (std::uint32_t k = 0; k < levels.size(); ++k) {
    end += static_cast<std::uint32_t>(composite->instances(k)) * levels[k].fabric->resources().size();
    resources.stretches_.emplace_back(end, k);
  }
  return resources;
}

std::unique_ptr<Fabric> make_composite(const Parameters& parameters) {
  std::vector<Level> levels = levels_from(parameters);
  if (levels.size() > 1) return std::make_unique<Composite>(std::move(levels));
  const LevelChoice alone = choices_from(parameters).front();
  return make(alone.fabric, alone.settings, parameters.place("levels"));
}

Settings footing_of_composite(Settings given, const Footing& footing) {
  const std::string place = given.contains("levels") ? given.at("levels").place : std::string(kFootingPlace);
  std::vector<LevelChoice> levels = choices_from(fabrics().resolve(fabrics().at("composite"), given));
  for (LevelChoice& level : levels) {
    Footing here = footing;
    if (&level != &levels.front()) here.injection.reset();
    level.settings = on_footing(level.fabric, std::move(level.settings), here, place);
  }
  given["levels"] = {in_words(levels), place};
  return given;
}

}  // namespace helio::fabric
