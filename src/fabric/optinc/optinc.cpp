// SPDX-License-Identifier: Apache-2.0
#include "fabric/optinc/optinc.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "fabric/optinc/optinc_facts.h"
#include "fabric/optinc/optinc_parameters.h"
#include "fabric/routed.h"

namespace helio::fabric {
namespace {

constexpr double kWidestElementBits = 32;

class Optinc : public RoutedFabric {
 public:
  explicit Optinc(const Parameters& parameters) : options_(optinc_options(parameters)) {
    const std::uint32_t top = options_.levels.levels();
    gives_ways_ = false;
    capabilities_.fabric = "optinc";
    capabilities_.nodes = options_.nodes;
    capabilities_.link_rate = capabilities_.injection = capabilities_.ejection =
        std::min(options_.rate, options_.onn_rate);
    capabilities_.hop_latency = options_.latency;
    capabilities_.nearest_latency = way_time(1);
    capabilities_.farthest_latency = way_time(top);
    capabilities_.step_overhead = options_.step_overhead;
    capabilities_.first_setup = options_.scale_exchange;
    capabilities_.reduces = capabilities_.multicasts = true;
    capabilities_.least_wire_factor = options_.bits() / kWidestElementBits;
    capabilities_.averaging = options_.tasks;
    add_resources();
  }

  // Heaters of all networks, and a module at the server's end of each link: lanes between switches are counted by what passes them.
  Bill bill() const override {
    Bill bill;
    bill.add({.part = "mzi-heater",
              .count = 2 * options_.mzis(),
              .where = "two phases of each MZI, at pi on average",
              .watts = Range{options_.heater_watts, options_.heater_watts}});
    const Range each{options_.joules_per_bit, options_.joules_per_bit};
    const std::uint32_t modules = bill.add({.part = "optical-module",
                                            .count = 1.0 * options_.nodes,
                                            .where = "a server's end of its link",
                                            .rate = 2 * options_.rate,
                                            .joules_per_bit = each});
    for (const flow::ResourceTable::Links& block : resources_.links())
      bill.cross(block.first, block.count, {{modules}});

    // At an activation light is heard and sent again: every unit, a symbol of each code
    const double symbol = static_cast<double>(options_.tasks.front().symbol_bits) / options_.bits();
    const BitRate each_unit = options_.onn_rate * (symbol / options_.instances);
    for (std::uint32_t l = 1; l <= options_.levels.levels(); ++l) {
      const double units = options_.networks[l - 1].units;
      std::vector<Crossing::Passed> passed;
      for (const char* part : {"receiver", "driver", "modulator"})
        passed.push_back({bill.add({.part = part,
                                    .count = units * options_.levels.switches(l) * options_.instances,
                                    .where = fmt::format("each activation of a network of level {}", l),
                                    .rate = each_unit}),
                          units * symbol});
      bill.cross(networks_[l - 1], options_.levels.switches(l), std::move(passed));
    }
    std::ranges::sort(bill.crossings, {}, [](const Crossing& crossing) { return crossing.first.value; });
    return bill;
  }

  void route(NodeId, NodeId, const Carriage&, Way&) const override {
    throw std::logic_error("optinc carries no message from one server to another");
  }

  void route_set(std::span<const NodeId> from, std::span<const NodeId> to, const Carriage& carriage,
                 Way& way) const override {
    const TreeLevels& levels = options_.levels;
    const std::uint32_t top = levels.meeting(from);
    for (const NodeId node : from) way.cross({ports_up_.value + node.value});
    for (const NodeId node : to) way.cross({ports_down_.value + node.value});
    for (std::uint32_t l = 1; l <= top; ++l) {
      for (const std::uint32_t s : levels.above(from, l)) {
        way.hold({networks_[l - 1].value + s});
        if (l < top) way.cross({uplinks_[l - 1].value + s}, weight_of(wider(l)));
      }
      if (l < top)
        for (const std::uint32_t s : levels.above(to, l)) way.cross({downlinks_[l - 1].value + s});
    }
    way.always_setup = options_.scale_exchange > Time();
    // Codes of B bits, however wide the numbers were
    way.bytes_factor = options_.bits() / (8 * carriage.request.element_bytes);
    way.latency += way_time(top);
    way.hops = std::max(way.hops, 2 * top);
  }

  std::optional<Refusal> object(const schedule::Schedule& schedule, const schedule::CollectiveRequest& request,
                                const LowerOptions& options) const override {
    if (std::optional<Refusal> refusal = RoutedFabric::object(schedule, request, options)) return refusal;

    // Messages of single servers. Collectives are told earlier, where a schedule is built (Capabilities::averaging).
    for (std::uint32_t p = 0; p < schedule.phases.size(); ++p)
      for (const schedule::Move& move : schedule.phases[p].moves)
        if (schedule.members(move.source).size() != static_cast<std::size_t>(schedule.ranks))
          return Refusal{.reason = "a server sends to another, and what leaves 'optinc' is the average of all",
                         .advice = "Use a fabric that carries messages, such as switch.",
                         .phase = p};

    // Groups that meet nowhere
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> taken;
    Refusal crowded;
    for (std::uint32_t g = 0; g < request.groups.size(); ++g) {
      const std::vector<NodeId>& nodes = request.groups[g];
      const std::uint32_t top = options_.levels.meeting(nodes);
      bool free = true;
      for (std::uint32_t l = 1; l <= top; ++l)
        for (const std::uint32_t s : options_.levels.above(nodes, l))
          free &= taken.try_emplace({l, s}, g).first->second == g;
      if (!free) crowded.groups.push_back(g);
    }
    if (crowded.groups.empty()) return std::nullopt;
    crowded.reason =
        fmt::format("{} of {} groups need a switch that another group uses, and a switch averages all of its ports",
                    crowded.groups.size(), request.groups.size());
    crowded.advice = "Give groups switches of their own (fabric.ports), or let them wait for each other (" +
                     advised("remedy", "block") + ").";
    return crowded;
  }

  std::optional<Refusal> complete(const schedule::Schedule&, const LowerOptions&, flow::Program&,
                                  Lowered& lowered) const override {
    lowered.facts = {{optinc_facts::kBits, static_cast<double>(options_.bits())},
                     {optinc_facts::kSymbols, static_cast<double>(options_.symbols())},
                     {optinc_facts::kFractionSymbols, static_cast<double>(options_.tasks.front().out_fraction)},
                     {schedule::kLevelsFact, static_cast<double>(options_.levels.levels())},
                     {optinc_facts::kPorts, options_.levels.words()},
                     {optinc_facts::kOnnInstances, static_cast<double>(options_.instances)},
                     {optinc_facts::kOnnMzis, static_cast<double>(options_.networks[0].mzis)},
                     {optinc_facts::kOnnDepth, static_cast<double>(options_.networks[0].depth)},
                     {optinc_facts::kOnnLoss, options_.networks[0].loss.value},
                     {optinc_facts::kOnnLatency, options_.networks[0].flight.to_seconds()},
                     {optinc_facts::kMzis, options_.mzis()},
                     {optinc_facts::kNormalisedTraffic, 1.0},
                     {optinc_facts::kOnnChip, options_.chip.empty() ? "none" : options_.chip},
                     {kModelFact, std::string("a reconstruction, ours: the body of the OptINC paper is not known")}};
    return std::nullopt;
  }

 private:
  void add_resources() {
    const flow::ChannelRules scale{options_.scale_exchange, false, false};
    ports_up_ = resources_.add_links(
        options_.nodes, options_.rate,
        {[](std::uint32_t i) { return fmt::format("link {} to its switch", i); }, "link node to its switch"});
    ports_down_ = resources_.add_links(
        options_.nodes, options_.rate,
        {[](std::uint32_t i) { return fmt::format("link from its switch to {}", i); }, "link from its switch to node"});
    for (std::uint32_t l = 1; l <= options_.levels.levels(); ++l) {
      const std::uint32_t switches = options_.levels.switches(l);
      networks_.push_back(resources_.add_channels(switches, options_.onn_rate, scale, [l](std::uint32_t i) {
        return fmt::format("optical network of switch {} of level {}", i, l);
      }));
      if (l == options_.levels.levels()) break;
      uplinks_.push_back(resources_.add_links(
          switches, options_.rate * wider(l),
          {[l](std::uint32_t i) { return fmt::format("link up from switch {} of level {}", i, l); },
           "link up from switch of level"}));
      downlinks_.push_back(resources_.add_links(
          switches, options_.rate,
          {[l](std::uint32_t i) { return fmt::format("link down to switch {} of level {}", i, l); },
           "link down to switch of level"}));
    }
  }

  // Lanes up from a switch of a level, to those of a server.
  double wider(std::uint32_t level) const {
    return static_cast<double>(options_.tasks[level - 1].outputs()) / options_.symbols();
  }

  // Up through `top` levels of networks and down again.
  Time way_time(std::uint32_t top) const {
    Time time = options_.latency * (2 * top);
    for (std::uint32_t l = 1; l <= top; ++l) time = time + options_.networks[l - 1].flight;
    return time;
  }

  const OptincOptions options_;
  flow::ResourceId ports_up_, ports_down_;             // by node
  std::vector<flow::ResourceId> networks_;             // by level, then switch: one group at a time
  std::vector<flow::ResourceId> uplinks_, downlinks_;  // by level below the top, then switch
};

}  // namespace

Description describe_optinc() {
  return {
      "optinc",
      "a switch whose optical neural network averages and quantises gradients in flight; cascades; the model is ours",
      "after the abstract of Fei et al., arXiv 2603.28290, 2026", optinc_parameters(), optinc_facts::kinds()};
}

std::unique_ptr<Fabric> make_optinc(const Parameters& parameters) { return std::make_unique<Optinc>(parameters); }

}  // namespace helio::fabric
